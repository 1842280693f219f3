// Column kinds used by every table.
import { bigint, integer, timestamp } from 'drizzle-orm/pg-core'

/** A number given by the database. */
export function id() {
  return integer().generatedAlwaysAsIdentity().primaryKey()
}

/** The same for tables that may outgrow 2³¹ rows; still exact in a JavaScript number. */
export function bigId() {
  return bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey()
}

/** An instant, in milliseconds, as ISO text: a JavaScript Date would lose nothing here, but text is what the wire wants. */
export function instant() {
  return timestamp({ withTimezone: true, mode: 'string', precision: 3 })
}

/** Grows by one with every change of the row; clients keep the higher of two copies. */
export function version() {
  return bigint({ mode: 'number' }).notNull().default(1)
}
