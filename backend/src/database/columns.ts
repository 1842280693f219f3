// Column kinds used by every table.
import type { MakeColumnConfig } from 'drizzle-orm'
import {
  type AnyPgColumn,
  type AnyPgTable,
  bigint,
  integer,
  PgTimestampString,
  PgTimestampStringBuilder,
} from 'drizzle-orm/pg-core'

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

/** An instant, in milliseconds, as ISO text: a JavaScript Date would lose nothing here, but text is what the wire wants. */
export function instant() {
  return new InstantBuilder('', true, 3)
}

type InstantConfig = {
  name: ''
  dataType: 'string'
  columnType: 'PgTimestampString'
  data: string
  driverParam: string
  enumValues: undefined
}

class InstantBuilder extends PgTimestampStringBuilder<InstantConfig> {
  /** What Drizzle calls for the column itself; its types do not show it. */
  build(table: AnyPgTable) {
    return new Instant(table, this.config)
  }
}

class Instant extends PgTimestampString<MakeColumnConfig<InstantConfig, string>> {
  override mapFromDriverValue(value: string): string {
    return isoOf(value)
  }
}

/** Grows by one with every change of the row; clients keep the higher of two copies. */
export function version() {
  return bigint({ mode: 'number' }).notNull().default(1)
}

/**
 * An instant as Postgres writes it, as ISO 8601 in UTC.
 * @example isoOf('2026-11-21 09:26:00.5+00') // '2026-11-21T09:26:00.500Z'
 */
export function isoOf(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/.exec(text)
  if (match) return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0').slice(0, 3)}Z`
  return new Date(/[+-]\d\d$/.test(text) ? `${text.replace(' ', 'T')}:00` : text).toISOString()
}

/** The same for a column that may be empty. */
export function isoOrNull(text: string | null): string | null {
  return text === null ? null : isoOf(text)
}
