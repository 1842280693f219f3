// The tables of Chatwoot: db/schema.rb, version 2025_08_16_044639, and of before its people had several accounts (theirs stands with them, and
// `user_id` says who wrote). Its times have no zone and are UTC; conversations of every inbox come, as far as their contact has a number.
import type { Source, SourceRow, SourceTable, StagedRecord } from '../records.ts'
import { toFile } from './media-types.ts'
import {
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

const ZONE = '+00:00'
/** Numbers of its own lists. */
const [INCOMING, OUTGOING, TEMPLATE] = ['0', '1', '3']
const RESOLVED = '1'
const STATES = { '0': 'sent', '1': 'delivered', '2': 'read', '3': 'failed' } as const
const FILE_KINDS = { '0': 'image', '1': 'audio', '2': 'video' } as const

export const chatwoot: Source = {
  companyColumn: 'account_id',
  zone: ZONE,
  tables: {
    accounts: table(['id', 'name', 'created_at'], (row, key) => ({
      kind: 'company',
      key,
      record: { name: readName(row.name), createdAt: readInstant(row.created_at, ZONE) },
    })),
    inboxes: table(['id', 'name', 'account_id'], (row, key) => ({
      kind: 'connection',
      key,
      record: { name: readName(row.name), number: null },
    })),
    users: table(['id', 'name', 'email', 'created_at', 'account_id'], toUser),
    account_users: {
      columns: ['user_id', 'account_id'],
      toRecord(row) {
        const key = readKey(row.user_id)
        return key === null ? null : { kind: 'member', key, record: {} }
      },
    },
    teams: table(['id', 'name', 'account_id'], (row, key) => ({
      kind: 'queue',
      key,
      record: { name: readName(row.name), color: '#7a7a7a' },
    })),
    team_members: pair('userQueue', 'user_id', 'team_id'),
    labels: table(['id', 'title', 'color', 'account_id'], (row, key) => ({
      kind: 'tag',
      key,
      record: { name: readName(row.title), color: readColor(row.color) },
    })),
    contacts: table(['id', 'name', 'last_name', 'email', 'phone_number', 'identifier', 'account_id'], toContact),
    canned_responses: table(['id', 'short_code', 'content', 'account_id'], toQuickAnswer),
    conversations: table(
      [
        ...['id', 'status', 'contact_id', 'assignee_id', 'team_id', 'inbox_id', 'cached_label_list'],
        ...['created_at', 'last_activity_at', 'first_reply_created_at', 'account_id'],
      ],
      toTicket,
    ),
    attachments: table(
      ['id', 'message_id', 'file_type', 'external_url', 'extension', 'fallback_title', 'account_id'],
      toAttachment,
    ),
    active_storage_attachments: table(['id', 'record_type', 'record_id', 'blob_id'], row => {
      const [key, blob] = [readKey(row.record_id), readKey(row.blob_id)]
      return row.record_type === 'Attachment' && key && blob ? { kind: 'blobUse', key, record: { blob } } : null
    }),
    active_storage_blobs: table(['id', 'key', 'filename', 'content_type'], (row, key) => ({
      kind: 'blob',
      key,
      record: {
        ...{ path: readText(row.key), name: readName(row.filename) || readText(row.key) },
        mime: readText(row.content_type) || 'application/octet-stream',
      },
    })),
    csat_survey_responses: table(
      ['id', 'conversation_id', 'assigned_agent_id', 'rating', 'created_at', 'account_id'],
      (row, key) =>
        toRating(key, {
          ...{ ticket: readKey(row.conversation_id), user: readKey(row.assigned_agent_id), rate: row.rating },
          at: readInstant(row.created_at, ZONE),
        }),
    ),
    messages: table(
      [
        ...['id', 'content', 'conversation_id', 'message_type', 'private', 'status', 'source_id', 'content_attributes'],
        ...['sender_type', 'sender_id', 'user_id', 'created_at', 'account_id'],
      ],
      toMessage,
    ),
  },
}

function table(
  columns: readonly string[],
  toRecord: (row: SourceRow, key: string) => StagedRecord | null,
): SourceTable {
  return {
    columns,
    toRecord(row) {
      const key = readKey(row.id)
      return key === null ? null : toRecord(row, key)
    },
  }
}

function pair(kind: 'userQueue', first: string, second: string): SourceTable {
  return {
    columns: [first, second],
    toRecord(row) {
      const [one, other] = [readKey(row[first]), readKey(row[second])]
      return one && other ? { kind, key: `${other}:${one}`, record: { one, other } } : null
    },
  }
}

function toUser(row: SourceRow, key: string): StagedRecord {
  const email = readText(row.email).trim()
  const createdAt = readInstant(row.created_at, ZONE)
  const record = { name: readName(row.name) || email, email, createdAt }
  return { kind: 'user', key, record, ...(!email.includes('@') && { fault: 'emailMissing' as const }) }
}

/** Bridges write the address of a group or an account where others keep an id of their own. */
function toContact(row: SourceRow, key: string): StagedRecord {
  const identifier = row.identifier ?? ''
  const isAddress = /@(?:g\.us|lid|s\.whatsapp\.net|c\.us)$/.test(identifier)
  const { address, fault } = readAddress(row.phone_number || (isAddress ? identifier : ''), false)
  const name = readName([row.name, row.last_name].filter(Boolean).join(' '))
  return { kind: 'contact', key, record: { ...address, name, email: readName(row.email) }, ...(fault && { fault }) }
}

function toQuickAnswer(row: SourceRow, key: string): StagedRecord {
  const record = { shortcut: readName(row.short_code).replace(/^\/+/, ''), message: readText(row.content) }
  const isEmpty = record.shortcut === '' || record.message.trim() === ''
  return { kind: 'quickAnswer', key, record, ...(isEmpty && { fault: 'textMissing' as const }) }
}

function toTicket(row: SourceRow, key: string): StagedRecord {
  const contact = readKey(row.contact_id)
  const record = {
    contact: contact ?? '',
    connection: readKey(row.inbox_id),
    queue: readKey(row.team_id),
    user: readKey(row.assignee_id),
    isGroup: false,
    isOpen: row.status !== RESOLVED,
    createdAt: readInstant(row.created_at, ZONE),
    updatedAt: readInstant(row.last_activity_at, ZONE),
    acceptedAt: readInstant(row.first_reply_created_at, ZONE),
    labels: readText(row.cached_label_list)
      .split(',')
      .map(label => label.trim())
      .filter(Boolean),
  }
  return { kind: 'ticket', key, record, ...(contact === null && { fault: 'contactMissing' as const }) }
}

function toAttachment(row: SourceRow, key: string): StagedRecord | null {
  const message = readKey(row.message_id)
  if (message === null) return null
  const known = toFile(readText(row.external_url) || `${key}${row.extension ? `.${row.extension}` : ''}`)
  const file = { ...known, name: readName(row.fallback_title) || known.name }
  const mediaType = Object.entries(FILE_KINDS).find(([kind]) => kind === row.file_type)?.[1] ?? 'application'
  return { kind: 'attachment', key: `${message}:${key}`, record: { message, mediaType, file } }
}

/** What the program notes by itself (who took it, what was changed) is no message. */
function toMessage(row: SourceRow, id: string): StagedRecord | null {
  const type = row.message_type
  if (type !== INCOMING && type !== OUTGOING && type !== TEMPLATE) return null
  return toStagedMessage({
    ...{ ticket: readKey(row.conversation_id), id, chat: null },
    at: readInstant(row.created_at, ZONE),
    fromMe: type !== INCOMING,
    isComment: isTrue(row.private),
    providerId: readProviderId(row.source_id),
    user: readKey(row.sender_type === 'User' ? row.sender_id : row.user_id),
    author: null,
    body: readText(row.content),
    mediaType: 'chat',
    file: null,
    state: toState(row.status),
    isDeleted: isDeleted(row.content_attributes),
    isEdited: false,
    quoted: readReply(row.content_attributes),
  })
}

/**
 * Where it is one of WhatsApp's. Each kind of inbox keeps its own there, and numbers of Telegram or of a program stand for other messages in
 * another inbox: one of them would be lost.
 */
function readProviderId(id: string | null | undefined): string | null {
  const [, marked, own] = /^(?:WAID:(.+)|(wamid\..+|(?=\d*[A-F])[\dA-F]{16,40}))$/.exec(id?.trim() ?? '') ?? []
  return marked ?? own ?? null
}

function toState(status: string | null | undefined): (typeof STATES)[keyof typeof STATES] {
  return Object.entries(STATES).find(([number]) => number === status)?.[1] ?? 'sent'
}

/** Kept as JSON, or as JSON in a text. */
function isDeleted(attributes: string | null | undefined): boolean {
  return /\\?"deleted\\?"\s*:\s*true/.test(attributes ?? '')
}

function readReply(attributes: string | null | undefined): string | null {
  return readKey(/\\?"in_reply_to\\?"\s*:\s*\\?"?(\d+)/.exec(attributes ?? '')?.[1])
}
