// Why messages were not passed on, and to whom.
import { type Message, type ResponseBody, shortenText } from '@balcao/contract'
import { readField } from '@balcao/contract/kit/read-field'
import { findCatalogueText } from '@balcao/ui/catalogue'
import { getTexts, useTexts } from '@balcao/ui/i18n'
import { getMessageText } from './summarize-message.ts'

const LETTERS = 80
/** Names beside a reason. */
const NAMED = 4

export type ForwardRefusal = ResponseBody<'POST /messages/forward/:id'>['refused'][number]

interface NotSentProps {
  readonly refused: readonly ForwardRefusal[]
  /** Where there were several: what the reason is about. */
  readonly messages: readonly Message[]
}

/** Why it did not go: each reason once, with those it concerns. */
export function NotSent({ refused, messages }: NotSentProps) {
  const t = useTexts('tickets')
  const byReason = Map.groupBy(refused, one => `${describeRefusal(one, t)}\n${one.messageIds}`)
  return (
    <div role="alert">
      <ul className="g-refused">
        {[...byReason].map(([key, all]) => (
          <li key={key}>
            <strong>{listNames(all, t)}</strong>
            <span>{key.split('\n')[0]}</span>
            {listKeptBack(all, messages).map(message => (
              <small key={message.id}>{excerptMessage(message, t)}</small>
            ))}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The first of them by name; all stay ticked below. */
function listNames(all: readonly ForwardRefusal[], t: ReturnType<typeof useTexts>): string {
  const names = all.slice(0, NAMED).map(({ name }) => name || t('noName'))
  const more = all.length - names.length
  return [names.join(', '), more > 0 && `+${more}`].filter(Boolean).join(' ')
}

/** Nothing where it is all of them. */
function listKeptBack([first]: readonly ForwardRefusal[], messages: readonly Message[]): readonly Message[] {
  const ids = first?.messageIds ?? []
  return ids.length < messages.length ? messages.filter(({ id }) => ids.includes(id)) : []
}

/** Who did not get it and why, of a refusal that has several reasons. */
export function parseRefusals(details: unknown): readonly ForwardRefusal[] {
  const refused = readField(details, 'refused')
  return Array.isArray(refused) ? refused : []
}

/** Another conversation says with whom and where; everything else has its text in the catalogue. */
function describeRefusal({ error, details }: ForwardRefusal, t: ReturnType<typeof useTexts>): string {
  const field = (name: string) => readField(details, name)
  if (error !== 'ERR_OTHER_OPEN_TICKET') return findCatalogueText(error) ?? getTexts('ui')('somethingFailed')
  const status = field('status')
  const user = field('user')
  const queue = field('queue')
  return [
    t(`otherTicket.${typeof status === 'string' ? status : 'open'}`),
    typeof user === 'string' && t('forward.with', { name: user }),
    typeof queue === 'string' && t('forward.in', { name: queue }),
  ]
    .filter(part => part)
    .join(', ')
}

/** What is passed on: its beginning, or what it is called. */
export function excerptMessage(message: Message, t: ReturnType<typeof useTexts>): string {
  const words = getMessageText(message, LETTERS + 1)
  if (words === '') return t(`media.${message.mediaType}`)
  return `“${shortenText(words, LETTERS)}”`
}
