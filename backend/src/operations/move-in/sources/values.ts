// What stands in the columns of other desks, read as ours have it.
import { extractDigits, type MoveInFault, truncateText } from '@balcao/contract'
import { readNumber } from '@balcao/contract/contacts/read-number'
import { cleanName } from '../../../desk/contacts/identity.ts'
import { writeGroupAddress } from '../../../platform/channel/addresses.ts'
import { toStorableText } from '../../../platform/database/storable.ts'
import type { ContactRecord, MessageRecord, SourceRow, StagedRecord } from '../records.ts'

/** Before that nobody wrote over WhatsApp. */
const EARLIEST = Date.UTC(2009, 0, 1)
const KEY_DIGITS = 12
const LONGEST_TEXT = 100_000

/** A number as a key that sorts as numbers do; null where it is none. */
export function readKey(value: string | null | undefined): string | null {
  const text = value?.trim() ?? ''
  return /^\d{1,12}$/.test(text) ? text.padStart(KEY_DIGITS, '0') : null
}

export function isTrue(value: string | null | undefined): boolean {
  return value === 't' || value === 'true' || value === '1'
}

/** A text as it can be kept. */
export function readText(value: string | null | undefined): string {
  return truncateText(toStorableText(value ?? ''), LONGEST_TEXT)
}

export function readName(value: string | null | undefined): string {
  return cleanName(value ?? '')
}

/** An instant as ISO text; null for what is none, lies ahead, or was before there was anything to write with. */
export function readInstant(value: string | null | undefined, zone: string): string | null {
  const [, day, time = '00:00:00', offset] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)\s*(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(value?.trim() ?? '') ?? []
  if (!day) return null
  const at = Date.parse(`${day}T${time.slice(0, 12)}${toOffset(offset ?? zone)}`)
  return at >= EARLIEST && at <= Date.now() ? new Date(at).toISOString() : null
}

function toOffset(offset: string): string {
  if (offset === 'Z') return offset
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

/** A colour in six digits; another text gives the usual one. */
export function readColor(value: string | null | undefined): string {
  const text = value?.trim().toLowerCase() ?? ''
  const [, short] = /^#([\da-f]{3})$/.exec(text) ?? []
  if (short) return `#${[...short].map(digit => digit + digit).join('')}`
  return /^#[\da-f]{6}$/.test(text) ? text : '#7a7a7a'
}

type Address = Pick<ContactRecord, 'number' | 'local' | 'lid' | 'group'>

/** What a contact is reached by, out of what a desk keeps as its number. */
export function readAddress(
  value: string | null | undefined,
  isGroup: boolean,
): { address: Address; fault?: MoveInFault } {
  const nobody = { number: null, local: null, lid: null, group: null }
  const text = (value ?? '').trim()
  const [, id = '', server = ''] = /^([^@]*)(?:@(.*))?$/.exec(text) ?? []
  if (id === '') return { address: nobody, fault: 'numberMissing' }
  if (isGroup || server === 'g.us')
    return /^\d{5,}(?:-\d+)?$/.test(id)
      ? { address: { ...nobody, group: writeGroupAddress(id) } }
      : { address: nobody, fault: 'numberUnreadable' }
  const digits = extractDigits(id.replace(/:\d+$/, ''))
  if (server === 'lid') return { address: { ...nobody, lid: digits } }
  const phone = readPhone(text, digits)
  if (phone !== null) return { address: { ...nobody, ...phone } }
  // Newer versions keep an account where they do not know its number.
  return LID.test(id) ? { address: { ...nobody, lid: id } } : { address: nobody, fault: 'numberUnreadable' }
}

const LID = /^\d{14,16}$/

/** WhatsApp gives them with the country's code and without a sign before it; those that somebody typed may lack the code. */
function readPhone(written: string, digits: string): { number: string; local: string | null } | null {
  const [whole, typed] = [`+${digits}`, written].map(text => {
    const reading = readNumber(text)
    return 'number' in reading ? reading.number : null
  })
  const number = whole ?? typed
  return number == null ? null : { number, local: typed == null || typed === number ? null : typed }
}

/** The first of some columns that is there: forks name them otherwise. */
export function firstValue(row: SourceRow, ...columns: readonly string[]): string | null {
  for (const column of columns) if (row[column]) return row[column] ?? null
  return null
}

/** A mark that is a whole number; null where it is none, or of no ticket. */
export function toRating(
  key: string,
  row: { ticket: string | null; user: string | null; rate: string | null | undefined; at: string | null },
): StagedRecord | null {
  const { ticket, user, at } = row
  if (ticket === null || !/^\d{1,2}$/.test(row.rate ?? '')) return null
  return { kind: 'rating', key, record: { ticket, user, rate: Number(row.rate), at } }
}

type SourceMessage = Omit<MessageRecord, 'ticket'> & { readonly ticket: string | null; readonly isComment: boolean }

/** A message as both sides of a conversation, or the team alone, see it: a comment is ours, whatever the other desk says of its way. */
export function toStagedMessage({ isComment, ...message }: SourceMessage): StagedRecord {
  const { id, at } = message
  const ticket = message.ticket ?? ''
  const fromMe = message.fromMe || isComment
  const record: MessageRecord = {
    ...message,
    ...{ ticket, fromMe },
    user: fromMe ? message.user : null,
    author: fromMe ? null : message.author,
    mediaType: isComment ? 'comment' : message.mediaType,
    state: fromMe ? message.state : 'received',
  }
  const key = toMessageKey(ticket, at, id)
  return { kind: 'message', key, record, ...(message.ticket === null && { fault: 'ticketMissing' as const }) }
}

/** The key of a message: by its ticket and time, so that those of a ticket follow one another as they were written. */
function toMessageKey(ticket: string, at: string | null, id: string): string {
  return `${ticket}:${String(at === null ? 0 : Date.parse(at)).padStart(14, '0')}:${id}`
}
