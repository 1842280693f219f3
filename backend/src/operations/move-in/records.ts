// What is brought in, whichever desk it comes from: plain records, each by the key it has there (docs/decisions/0319). Keys are text that
// sorts by bytes as the desk it comes from counts; a record names others by their keys.
import type { MediaType, MoveInFault } from '@balcao/contract'

export interface UserRecord {
  readonly name: string
  readonly email: string
  readonly createdAt: string | null
}

export interface QueueRecord {
  readonly name: string
  readonly color: string
}

export interface TagRecord {
  readonly name: string
  readonly color: string
}

/** A person by number or account, or a group. */
export interface ContactRecord {
  readonly name: string
  readonly email: string
  readonly number: string | null
  /** What the number is should it lack the country's code. */
  readonly local: string | null
  readonly lid: string | null
  readonly group: string | null
}

/** Another name of a contact: the account WhatsApp shows in place of its number. */
export interface AccountRecord {
  readonly contact: string
  readonly lid: string
}

export interface QuickAnswerRecord {
  readonly shortcut: string
  readonly message: string
}

export interface ConnectionRecord {
  readonly name: string
  readonly number: string | null
}

/** Times are ISO text; null where there is none that can be. */
export interface TicketRecord {
  readonly contact: string
  readonly connection: string | null
  readonly queue: string | null
  readonly user: string | null
  readonly isGroup: boolean
  readonly isOpen: boolean
  readonly createdAt: string | null
  readonly updatedAt: string | null
  readonly acceptedAt: string | null
  /** Names of tags that it has. */
  readonly labels: readonly string[]
}

/** When a ticket was accepted and resolved, where the desk wrote it beside the ticket. */
export interface ServiceRecord {
  readonly ticket: string
  readonly acceptedAt: string | null
  readonly closedAt: string | null
}

export interface MessageRecord {
  readonly ticket: string
  readonly id: string
  readonly at: string | null
  readonly providerId: string | null
  readonly chat: string | null
  readonly fromMe: boolean
  readonly user: string | null
  /** Who wrote it in a group. */
  readonly author: string | null
  readonly body: string
  readonly mediaType: MediaType
  readonly file: FileRecord | null
  readonly state: 'received' | 'sent' | 'delivered' | 'read' | 'failed'
  readonly isDeleted: boolean
  readonly isEdited: boolean
  /** The `id` of the message it answers. */
  readonly quoted: string | null
}

export interface FileRecord {
  readonly name: string
  readonly mime: string
  /** Where it lies in the folder of the desk's files. */
  readonly path: string
}

/** A file of a message that stands in a table of its own. */
export interface AttachmentRecord {
  readonly message: string
  readonly mediaType: MediaType
  readonly file: FileRecord
}

/** Which file of a store an attachment is. */
export interface BlobUseRecord {
  readonly blob: string
}

/** What a customer answered to a survey, as the other desk counts. */
export interface RatingRecord {
  readonly ticket: string
  /** Who was rated, where that is known. */
  readonly user: string | null
  readonly rate: number
  readonly at: string | null
}

/** Two records that belong together: a user and a queue, a tag and a contact or ticket. */
export interface PairRecord {
  readonly one: string
  readonly other: string
}

export interface Records {
  readonly company: { readonly name: string; readonly createdAt: string | null }
  readonly connection: ConnectionRecord
  readonly user: UserRecord
  /** A user of the company, by the user's key, where several companies share theirs. */
  readonly member: Record<never, never>
  readonly queue: QueueRecord
  readonly userQueue: PairRecord
  readonly tag: TagRecord
  readonly contact: ContactRecord
  readonly account: AccountRecord
  readonly contactTag: PairRecord
  readonly ticketTag: PairRecord
  readonly quickAnswer: QuickAnswerRecord
  readonly service: ServiceRecord
  readonly attachment: AttachmentRecord
  /** By the key of its attachment. */
  readonly blobUse: BlobUseRecord
  readonly blob: FileRecord
  readonly ticket: TicketRecord
  readonly rating: RatingRecord
  readonly message: MessageRecord
}

export type RecordKind = keyof Records

/** A record on its way; what cannot come says why. */
export type StagedRecord = {
  [K in RecordKind]: {
    readonly kind: K
    readonly key: string
    readonly record: Records[K]
    readonly fault?: MoveInFault
  }
}[RecordKind]

/** A row of the other desk: its columns as text. */
export type SourceRow = Readonly<Record<string, string | null | undefined>>

/** A table of it, and what comes of a row; null: nothing. */
export interface SourceTable {
  readonly columns: readonly string[]
  readonly toRecord: (row: SourceRow) => StagedRecord | null
}

export interface Source {
  /** The column that says whose a row is, where one installation serves several companies. */
  readonly companyColumn: string
  /** The time zone of instants that are written without one. */
  readonly zone: string
  readonly tables: Readonly<Record<string, SourceTable>>
}
