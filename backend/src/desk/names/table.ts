import { bigint, boolean, pgTable } from 'drizzle-orm/pg-core'

/** One row: the transaction that last changed a name (`known-names.ts`). Triggers of the tables with names write it as theirs commit. */
export const nameRevision = pgTable('name_revision', {
  only: boolean().primaryKey().default(true),
  changedBy: bigint({ mode: 'number' }).notNull(),
})
