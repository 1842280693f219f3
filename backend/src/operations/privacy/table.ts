import type { Erasure, ErasureCounts } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'

/** What a person is found by once its names are gone; forgotten at the end. */
export interface PersonTraces {
  /** The contact, and those that had been merged into it. */
  readonly contactIds: readonly number[]
  readonly names: readonly string[]
  /** A regular expression that finds its numbers and addresses in text, however they are written. */
  readonly pattern: string
  /** Its numbers and addresses as columns of them hold them, in every spelling; `exact` finds these alone. */
  readonly addresses: readonly string[]
  readonly exact: string
  /** The last live event of before: later ones are the erasure's own. */
  readonly lastEvent: number
}

/** How far an erasure came. In `pages` it goes through every table, page by page, until nothing is found any more. */
export type ErasureMark =
  | { readonly step: 'messages' }
  | {
      readonly step: 'pages'
      readonly table: string
      readonly page: number
      readonly pass: number
      readonly found: number
    }
  | { readonly step: 'end' }

/**
 * Who is to be erased, and who was (decisions-2 §19). It names the contact by its id alone; `traces` and `mark` are there while it runs.
 * Each batch commits its mark, so whoever takes it over goes on behind it.
 */
export const erasures = pgTable(
  'privacy_erasure',
  {
    id: id(),
    contactId: integer().notNull(),
    userId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** Why protocols do not hold it back. */
    reason: text().notNull().default(''),
    state: text().$type<Erasure['state']>().notNull().default('waiting'),
    askedAt: instant().notNull().defaultNow(),
    dueAt: instant().notNull(),
    startedAt: instant(),
    endedAt: instant(),
    /** Why it was not carried out. */
    held: text().$type<Erasure['held']>(),
    traces: jsonb().$type<PersonTraces>(),
    mark: jsonb().$type<ErasureMark>(),
    counts: jsonb().$type<ErasureCounts>().notNull().default({ tickets: 0, messages: 0, files: 0, places: 0 }),
  },
  table => [
    uniqueIndex('privacy_erasure_live').on(table.contactId).where(sql`state in ('waiting', 'running')`),
    index('privacy_erasure_due').on(table.dueAt).where(sql`state in ('waiting', 'running')`),
  ],
)
