import type { PresetKind, Trade } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'

/** A row as the preset made it. */
export interface PresetRow {
  readonly kind: PresetKind
  readonly id: number
  readonly version: number
}

/** One row: whether the first steps were put away, whether the hours were looked at, and what a preset filled. */
export const firstSteps = pgTable(
  'first_steps',
  {
    id: integer().primaryKey().default(1),
    overAt: instant(),
    hoursCheckedAt: instant(),
    trade: text().$type<Trade>(),
    rows: jsonb().$type<PresetRow[]>().notNull().default([]),
  },
  table => [check('first_steps_one', sql`${table.id} = 1`)],
)
