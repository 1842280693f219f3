import type { QuotedMessage } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { splitSignature } from '../composer/wording.ts'
import { view } from '../desk/view.ts'
import { summarizeMessage } from './summarize-message.ts'

interface QuotedProps {
  readonly quoted: QuotedMessage
  readonly ticketId: number
}

/** The message this one answers; a click goes there and makes it blink. One the desk does not have is only read. */
export function Quoted({ quoted, ticketId }: QuotedProps) {
  const { id } = quoted
  if (id === null)
    return (
      <div className="m-quoted">
        <QuotedText quoted={quoted} />
      </div>
    )
  return (
    <button
      type="button"
      className="m-quoted"
      onClick={() => {
        view.jumpTo = { messageId: id, ticketId, at: Date.now() }
      }}
    >
      <QuotedText quoted={quoted} />
    </button>
  )
}

/** Author and first words of a quoted message, in a bubble and above the composer. */
export function QuotedText({ quoted }: { readonly quoted: QuotedMessage }) {
  const t = useTexts('tickets')
  const signed = splitSignature(quoted.body)
  const author = quoted.fromMe ? (signed.author ?? t('you')) : quoted.contact.name || t('noName')
  return (
    <>
      {quoted.thumbUrl && !quoted.isDeleted && <img className="m-quoted-thumb" src={quoted.thumbUrl} alt="" />}
      <bdi className="m-quoted-author">{author}</bdi>
      <bdi className="m-quoted-text">{quoted.isDeleted ? t('deleted') : summarizeMessage(quoted, t)}</bdi>
    </>
  )
}
