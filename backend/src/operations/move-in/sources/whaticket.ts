// The tables of Whaticket (canove/whaticket-community: models of 2020 to 2022, on MySQL) and of what grew out of it on Postgres: Whaticket
// SaaS (companies, tags, quick messages, `TicketTraking`) and Ticketz (models of 2024 to 2026, accounts in `WhatsappLidMaps`). Columns that
// one of them lacks are read as empty; where messages are numbered, the provider's id stands beside (`wid`).
import { extractDigits } from '@balcao/contract'
import { stripAddress } from '../../../platform/channel/addresses.ts'
import type { Source, SourceRow, SourceTable, StagedRecord } from '../records.ts'
import { readMediaType, toFile } from './media-types.ts'
import {
  firstValue,
  isTrue,
  readAddress,
  readColor,
  readInstant,
  readKey,
  readName,
  readText,
  toRating,
  toStagedMessage,
} from './values.ts'

/** As the community version has its connection to MySQL set; Postgres writes the zone along. */
const ZONE = '-03:00'

export const whaticket: Source = {
  companyColumn: 'companyId',
  zone: ZONE,
  tables: {
    Companies: table(['id', 'name', 'createdAt'], (row, key) => ({
      kind: 'company',
      key,
      record: { name: readName(row.name), createdAt: readInstant(row.createdAt, ZONE) },
    })),
    Whatsapps: table(['id', 'name', 'number', 'companyId'], (row, key) => ({
      kind: 'connection',
      key,
      record: { name: readName(row.name), number: readAddress(row.number, false).address.number },
    })),
    Users: table(['id', 'name', 'email', 'createdAt', 'companyId'], toUser),
    Queues: table(['id', 'name', 'color', 'companyId'], (row, key) => ({
      ...named('queue', row.name),
      key,
      record: { name: readName(row.name), color: readColor(row.color) },
    })),
    UserQueues: pair('userQueue', 'userId', 'queueId'),
    Tags: table(['id', 'name', 'color', 'companyId'], (row, key) => ({
      ...named('tag', row.name),
      key,
      record: { name: readName(row.name), color: readColor(row.color) },
    })),
    TicketTags: pair('ticketTag', 'tagId', 'ticketId'),
    ContactTags: pair('contactTag', 'tagId', 'contactId'),
    Contacts: table(['id', 'name', 'number', 'email', 'isGroup', 'companyId'], toContact),
    WhatsappLidMaps: table(['id', 'lid', 'contactId', 'companyId'], (row, key) => {
      const [contact, lid] = [readKey(row.contactId), extractDigits(stripAddress(row.lid ?? ''))]
      return contact && lid ? { kind: 'account', key, record: { contact, lid } } : null
    }),
    QuickAnswers: table(['id', 'shortcut', 'message'], toQuickAnswer),
    QuickMessages: table(['id', 'shortcode', 'message', 'companyId'], toQuickAnswer),
    Tickets: table(
      [
        'id',
        'status',
        'isGroup',
        'contactId',
        'userId',
        'queueId',
        'whatsappId',
        'createdAt',
        'updatedAt',
        'companyId',
      ],
      toTicket,
    ),
    TicketTraking: table(['id', 'ticketId', 'startedAt', 'finishedAt', 'companyId'], (row, key) => {
      const ticket = readKey(row.ticketId)
      const [acceptedAt, closedAt] = [readInstant(row.startedAt, ZONE), readInstant(row.finishedAt, ZONE)]
      return ticket && { kind: 'service', key: `${ticket}:${key}`, record: { ticket, acceptedAt, closedAt } }
    }),
    UserRatings: table(['id', 'ticketId', 'userId', 'rate', 'createdAt', 'companyId'], (row, key) =>
      toRating(key, {
        ...{ ticket: readKey(row.ticketId), user: readKey(row.userId), rate: row.rate },
        at: readInstant(row.createdAt, ZONE),
      }),
    ),
    Messages: {
      columns: [
        ...['id', 'ticketId', 'body', 'fromMe', 'ack', 'mediaType', 'mediaUrl', 'isDeleted', 'isEdited', 'quotedMsgId'],
        ...['contactId', 'userId', 'remoteJid', 'createdAt', 'updatedAt', 'companyId', 'wid', 'isPrivate'],
      ],
      toRecord: toMessage,
    },
  },
}

/** A table whose rows have numbers. */
function table(
  columns: readonly string[],
  toRecord: (row: SourceRow, key: string) => StagedRecord | '' | null,
): SourceTable {
  return {
    columns,
    toRecord(row) {
      const key = readKey(row.id)
      return key === null ? null : toRecord(row, key) || null
    },
  }
}

function pair(kind: 'userQueue' | 'ticketTag' | 'contactTag', first: string, second: string): SourceTable {
  return {
    columns: [first, second],
    toRecord(row) {
      const [one, other] = [readKey(row[first]), readKey(row[second])]
      return one && other ? { kind, key: `${other}:${one}`, record: { one, other } } : null
    },
  }
}

function named<K extends 'queue' | 'tag'>(kind: K, name: string | null | undefined) {
  return readName(name) === '' ? ({ kind, fault: 'nameMissing' } as const) : { kind }
}

function toUser(row: SourceRow, key: string): StagedRecord {
  const email = readText(row.email).trim()
  const createdAt = readInstant(row.createdAt, ZONE)
  const record = { name: readName(row.name) || email, email, createdAt }
  return { kind: 'user', key, record, ...(!email.includes('@') && { fault: 'emailMissing' as const }) }
}

function toContact(row: SourceRow, key: string): StagedRecord {
  const { address, fault } = readAddress(row.number, isTrue(row.isGroup))
  const record = { ...address, name: readName(row.name), email: readName(row.email) }
  return { kind: 'contact', key, record, ...(fault && { fault }) }
}

function toQuickAnswer(row: SourceRow, key: string): StagedRecord {
  const shortcut = readName(firstValue(row, 'shortcut', 'shortcode')).replace(/^\/+/, '')
  const record = { shortcut, message: readText(row.message) }
  const isEmpty = shortcut === '' || record.message.trim() === ''
  return { kind: 'quickAnswer', key, record, ...(isEmpty && { fault: 'textMissing' as const }) }
}

function toTicket(row: SourceRow, key: string): StagedRecord {
  const contact = readKey(row.contactId)
  const record = {
    contact: contact ?? '',
    connection: readKey(row.whatsappId),
    queue: readKey(row.queueId),
    user: readKey(row.userId),
    isGroup: isTrue(row.isGroup),
    isOpen: row.status !== 'closed',
    createdAt: readInstant(row.createdAt, ZONE),
    updatedAt: readInstant(row.updatedAt, ZONE),
    acceptedAt: null,
    labels: [],
  }
  return { kind: 'ticket', key, record, ...(contact === null && { fault: 'contactMissing' as const }) }
}

function toMessage(row: SourceRow): StagedRecord | null {
  const id = readText(row.id).trim()
  if (id === '') return null
  const file = row.mediaUrl ? toFile(readText(row.mediaUrl)) : null
  return toStagedMessage({
    ...{ ticket: readKey(row.ticketId), id, chat: row.remoteJid || null },
    at: readInstant(row.createdAt, ZONE) ?? readInstant(row.updatedAt, ZONE),
    fromMe: isTrue(row.fromMe),
    isComment: isTrue(row.isPrivate),
    providerId: row.wid === undefined ? id : row.wid || null,
    user: readKey(row.userId),
    author: readKey(row.contactId),
    body: cleanBody(readText(row.body), row.mediaType, file?.name),
    mediaType: readMediaType(row.mediaType, file !== null),
    file,
    state: toState(row),
    isDeleted: isTrue(row.isDeleted),
    isEdited: isTrue(row.isEdited),
    quoted: readText(row.quotedMsgId).trim() || null,
  })
}

/** A picture of a place stands before its address, and a file without words repeats its name. */
function cleanBody(body: string, mediaType: string | null | undefined, fileName: string | undefined): string {
  if (fileName !== undefined && (body === fileName || fileName.endsWith(body))) return ''
  return /^location/i.test(mediaType ?? '')
    ? body
        .replace(/^data:[^|]*\|/, '')
        .replaceAll('|', ' ')
        .trim()
    : body
}

/** The community version counts 1 sent, 2 delivered, 3 read; those with companies one more. */
function toState(row: SourceRow): 'sent' | 'delivered' | 'read' {
  const ack = Number(row.ack ?? 0) - (row.companyId === undefined ? 0 : 1)
  return ack >= 3 ? 'read' : ack === 2 ? 'delivered' : 'sent'
}
