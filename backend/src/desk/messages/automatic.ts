// What the desk says to a customer by itself: greeting, good-bye, transfer, protocol.
import {
  fillTextPlaceholders,
  KIND_TABLE,
  type Kind,
  type MenuOption,
  type Message,
  renderMenuTexts,
} from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { toPersonId } from '../../policy/users/viewer.ts'
import { toContentColumns } from './content.ts'
import { type NewMessage, writeMessages } from './write.ts'

export interface AutomaticMessage extends Pick<NewMessage, 'ticketToldLater'> {
  readonly ticketId: number
  readonly text: string
  /** A menu under the words: lines with numbers, and buttons where the channel has them. */
  readonly options?: readonly MenuOption[]
  readonly timezone: string
  /** On whose behalf. */
  readonly by?: Session
  /**
   * Nobody waits for it. `in silence`: where the customer has not written for a minute; what else is said to this customer does not go before
   * it but hurries it on, and it is not taken back where the conversation goes on.
   */
  readonly unhurried?: boolean | 'in silence'
  /** Placeholders besides those of the ticket, or in their place. */
  readonly words?: Readonly<Record<string, string>>
}

/**
 * Writes a text with its placeholders filled in, behind what is already on its way to this customer; null where there are no
 * words or they may not leave (official API, 24 hours after the last word): that stops nothing else. What is longer than the kind takes
 * is shortened: better than silence. Options are not: they go on in further messages, and the last one is given back.
 */
export async function writeAutomaticMessage(tx: Tx, saying: AutomaticMessage): Promise<Message | null> {
  return (await writeAutomaticMessages(tx, [saying]))[0] ?? null
}

/** Several, in their order and in the same few statements however many. */
export async function writeAutomaticMessages(
  tx: Tx,
  sayings: readonly AutomaticMessage[],
): Promise<(Message | null)[]> {
  const wordy = sayings.filter(({ text }) => text.trim() !== '')
  const rows = await loadRows(tx, wordy)
  const known = wordy.flatMap(saying => {
    const row = rows.get(saying.ticketId)
    return row ? toMessages(saying, row).map(message => ({ saying, message })) : []
  })
  const written = await writeMessages(
    tx,
    known.map(({ message }) => message),
  )
  const messages = new Map(known.map(({ saying }, at) => [saying, written[at]]))
  return sayings.map(saying => {
    const message = messages.get(saying)
    return message === undefined || message instanceof AppError ? null : message
  })
}

function toMessages(saying: AutomaticMessage, row: Row): NewMessage[] {
  const { text, options = [], timezone, by, words, ticketToldLater, unhurried } = saying
  const { name, number, queue, api, isSilent, ...ticket } = row
  const known = { name, number: number ?? '', queue: queue ?? '', user: by?.name ?? '', ...words }
  const filledText = fillTextPlaceholders(text, known, timezone, new Date())
  const texts = renderMenuTexts(filledText, options, KIND_TABLE[api].most.text)
  const menu = options.length > 0 && texts.length === 1 ? { words: filledText, options } : undefined
  return texts.map(body => ({
    ticket,
    userId: toPersonId(by?.viewer.id),
    ...toContentColumns({ body, menu }),
    automatic: true,
    ticketToldLater,
    ...(unhurried === 'in silence' ? { unhurried: isSilent, paced: false } : { unhurried }),
  }))
}

async function loadRows(tx: Tx, sayings: readonly AutomaticMessage[]): Promise<Map<number, Row>> {
  if (sayings.length === 0) return new Map()
  const rows = await getSql(tx)<Row[]>`
    select t.id, t.whatsapp_id as "whatsappId", t.contact_id as "contactId", c.name, c.number, q.name as queue, w.api,
      coalesce(h.last_inbound_at < now() - interval '1 minute', true) as "isSilent"
    from ticket t join contact c on c.id = t.contact_id join whatsapp w on w.id = t.whatsapp_id left join queue q on q.id = t.queue_id
      left join contact_channel h on h.contact_id = t.contact_id and h.whatsapp_id = t.whatsapp_id
    where t.id = any(${sayings.map(({ ticketId }) => ticketId)}::int[])`
  return new Map(rows.map(row => [row.id, row]))
}

interface Row {
  readonly id: number
  readonly whatsappId: number
  readonly contactId: number
  readonly name: string
  readonly number: string | null
  readonly queue: string | null
  readonly api: Kind
  readonly isSilent: boolean
}
