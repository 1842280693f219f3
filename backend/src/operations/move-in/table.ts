import type { ErrorCode, MoveIn, MoveInFileFault, MoveInPreview, MoveInSource } from '@balcao/contract'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { messages } from '../../desk/messages/table.ts'
import { belongsTo, id, instant } from '../../platform/database/columns.ts'
import { users } from '../../policy/users/table.ts'

/** How far the rows laid aside have been written. */
export interface MoveInMark {
  readonly kind: string
  readonly after: string
}

/**
 * A move from another desk. `origin` names the company of the installation it comes from, the same each time it is read, so that nothing
 * comes twice; `address` is sealed and forgotten once all is read.
 */
export const moveIns = pgTable('move_in', {
  id: id(),
  source: text().$type<MoveInSource>().notNull(),
  origin: text(),
  company: text(),
  address: text(),
  /** A file that its machine reads, in place of an address. */
  dump: text(),
  /** Of one that is sent in parts: how it is called and how large it will be. */
  fileName: text(),
  fileSize: bigint({ mode: 'number' }),
  /** Where its files are: a folder of its machine, or an address. */
  filesFrom: text(),
  openTag: text().notNull(),
  state: text().$type<MoveIn['state']>().notNull(),
  preview: jsonb().$type<MoveInPreview>(),
  mark: jsonb().$type<MoveInMark>(),
  counts: jsonb().$type<Record<string, number>>().notNull().default({}),
  done: integer().notNull().default(0),
  total: integer().notNull().default(0),
  error: text().$type<ErrorCode>(),
  userId: integer()
    .notNull()
    .references(() => users.id),
  jobId: integer(),
  createdAt: instant().notNull().defaultNow(),
  endedAt: instant(),
})

/** Rows of the other desk, laid aside until they are written; they go once all have come. In the migration keys are sorted by bytes. */
export const moveInRows = pgTable(
  'move_in_row',
  {
    moveInId: belongsTo(() => moveIns.id),
    kind: text().notNull(),
    key: text().notNull(),
    record: jsonb().$type<unknown>().notNull(),
    fault: text(),
  },
  table => [primaryKey({ columns: [table.moveInId, table.kind, table.key] })],
)

/** Files that messages name and that are not here yet; those that could not come say why. Paths are as the other desk has them. */
export const moveInFiles = pgTable(
  'move_in_file',
  {
    messageId: bigint({ mode: 'number' })
      .primaryKey()
      .references(() => messages.id, { onDelete: 'cascade' }),
    moveInId: belongsTo(() => moveIns.id),
    path: text().notNull(),
    fault: text().$type<MoveInFileFault>(),
  },
  table => [index('move_in_file_waiting').on(table.moveInId, table.messageId)],
)

/** What became of a record of an origin. `isNew`: it was not here before; messages are known by their `clientId`. */
export const moveInLinks = pgTable(
  'move_in_link',
  {
    origin: text().notNull(),
    kind: text().notNull(),
    key: text().notNull(),
    ownId: bigint({ mode: 'number' }).notNull(),
    isNew: boolean().notNull(),
    moveInId: belongsTo(() => moveIns.id),
  },
  table => [
    primaryKey({ columns: [table.origin, table.kind, table.key] }),
    index('move_in_link_made').on(table.moveInId, table.kind, table.ownId),
  ],
)
