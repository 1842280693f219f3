// Column kinds used by every table.
import { type AnyPgColumn, bigint, integer, timestamp } from 'drizzle-orm/pg-core'

/** A number given by the database. */
export function id() {
  return integer().generatedAlwaysAsIdentity().primaryKey()
}

/** The same for tables that may outgrow 2³¹ rows; still exact in a JavaScript number. */
export function bigId() {
  return bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey()
}

/** What the row is part of, and goes with. */
export function belongsTo(row: () => AnyPgColumn) {
  return integer().notNull().references(row, { onDelete: 'cascade' })
}

/** A row it cannot be without, which stays while it is named. */
export function refersTo(row: () => AnyPgColumn) {
  return integer().notNull().references(row)
}

/** An instant, in milliseconds, as ISO text (`client.ts`): a JavaScript Date would lose nothing here, but text is what the wire wants. */
export function instant() {
  return timestamp({ mode: 'string', precision: 3, withTimezone: true })
}

/** Grows by one with every change of the row; clients keep the higher of two copies. */
export function version() {
  return bigint({ mode: 'number' }).notNull().default(1)
}
