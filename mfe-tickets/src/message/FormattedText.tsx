// Draws parsed WhatsApp text. Only elements, never HTML: what a customer writes cannot become markup.

import type { Message } from '@balcao/contract'
import { splitCalledNames } from '@balcao/contract/messages/comments'
import { parseBody, type TextBlock } from '@balcao/contract/messages/whatsapp-text'
import { useTexts } from '@balcao/ui/i18n'
import { Fragment, memo, type ReactNode } from 'react'
import { useFolded } from './fold.ts'
import { InlineText } from './InlineText.tsx'
import { PhoneInText } from './PhoneInText.tsx'
import { isOnlyEmoji, splitReachable } from './reachable.ts'

interface FormattedTextProps {
  readonly text: string
  /** Whom of the team it calls. */
  readonly calls?: Message['mentions']
}

/** A whole body, line by line; a long one folded. */
export const FormattedText = memo(function FormattedText({ text, calls }: FormattedTextProps) {
  const t = useTexts('tickets')
  const { shown, unfold } = useFolded(text)
  const blocks = parseBody(shown)
  const renderWords = calls ? (words: string) => renderCalls(words, calls) : renderReachable
  return (
    <span className={isOnlyEmoji(text) ? 'm-text is-emoji' : 'm-text'} dir="auto">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never move
        <Fragment key={index}>
          {index > 0 && block.kind === 'line' && blocks[index - 1]?.kind === 'line' && '\n'}
          <OneBlock block={block} renderWords={renderWords} />
        </Fragment>
      ))}
      {unfold && (
        <>
          {'… '}
          <button type="button" className="m-unfold" onClick={unfold}>
            {t('unfold')}
          </button>
        </>
      )}
    </span>
  )
})

interface OneBlockProps {
  readonly block: TextBlock
  readonly renderWords: (words: string) => ReactNode
}

function OneBlock({ block, renderWords }: OneBlockProps) {
  switch (block.kind) {
    case 'code':
      return <code className="m-code-block">{block.text}</code>
    case 'line':
      return <InlineText parts={block.children} renderWords={renderWords} />
    case 'quote':
      return (
        <span className="m-quote-line">
          <InlineText parts={block.children} renderWords={renderWords} />
        </span>
      )
    case 'bullet':
    case 'number':
      return (
        <span className="m-item">
          <span>{block.kind === 'number' ? `${block.n}.` : '•'}</span>
          <span>
            <InlineText parts={block.children} renderWords={renderWords} />
          </span>
        </span>
      )
  }
}

/** Words, with the colleagues they call. */
function renderCalls(text: string, calls: NonNullable<Message['mentions']>) {
  const names = calls.map(({ name }) => name)
  return splitCalledNames(text, names).map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
    index % 2 === 1 ? <b key={index}>{piece}</b> : renderReachable(piece),
  )
}

/** Words, with the numbers and e-mail addresses among them as what can be pressed. */
function renderReachable(text: string) {
  return splitReachable(text).map((piece, index) => {
    if (piece.kind === 'text') return piece.text
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
    if (piece.kind === 'phone') return <PhoneInText key={index} number={piece.text} />
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <a key={index} href={`mailto:${piece.text}`}>
        {piece.text}
      </a>
    )
  })
}
