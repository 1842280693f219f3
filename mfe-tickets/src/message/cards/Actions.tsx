// A company's message with header, words, footer and things to press: templates, buttons, lists, and cards one leafs through.
import type { CardButton, Message, MessageCardByKind } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { File as FileIcon, Image, Video } from 'lucide-react'
import { File } from '../File.tsx'
import { FormattedText } from '../FormattedText.tsx'
import { CardLink, CopyButton } from './press.tsx'
import { useSome } from './use-some.tsx'

const MEDIA_ICONS = { image: Image, video: Video, application: FileIcon } as const

interface ActionsProps {
  readonly card: MessageCardByKind<'actions'>
  /** A header that is a file of which only the kind is known. */
  readonly file?: keyof typeof MEDIA_ICONS | null
  readonly message?: Message
}

export function Actions({ card, file = null, message }: ActionsProps) {
  const t = useTexts('tickets')
  const { header, text, footer, buttons, cards = [] } = card
  const [shown, more] = useSome(cards)
  return (
    <div className="m-sheet m-whole">
      {header && <p className="m-sheet-title">{header}</p>}
      {message?.media ? (
        <File message={message} />
      ) : (
        file && (
          <span className="m-header-file">
            <Icon of={MEDIA_ICONS[file]} size={16} />
            {t(`media.${file}`)}
          </span>
        )
      )}
      {text && <FormattedText text={text} />}
      {footer && <span className="m-quiet">{footer}</span>}
      <Buttons buttons={buttons} />
      {shown.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cards of one message never move
        <div key={index} className="m-leaf">
          {one.header && <p className="m-sheet-title">{one.header}</p>}
          {one.text && <FormattedText text={one.text} />}
          <Buttons buttons={one.buttons} />
        </div>
      ))}
      {more}
    </div>
  )
}

/** What is answered on the phone is only read here. */
function Buttons({ buttons }: { readonly buttons: readonly CardButton[] }) {
  const [shown, more] = useSome(buttons)
  if (buttons.length === 0) return null
  return (
    <ul className="m-presses">
      {shown.map(({ text, link, copy }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the buttons of one message never move
        <li key={index}>
          {copy ? (
            <CopyButton text={copy}>{text || copy}</CopyButton>
          ) : link ? (
            <CardLink href={link}>{text || link}</CardLink>
          ) : (
            <span className="m-press is-still">{text}</span>
          )}
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  )
}
