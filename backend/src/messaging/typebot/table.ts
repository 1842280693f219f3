import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { tickets } from '../../desk/tickets/table.ts'
import { instant } from '../../platform/database/columns.ts'

/** What a flow asked, as far as reading the answer needs it; `type` as Typebot calls it. */
export interface FlowQuestion {
  readonly id: string
  readonly type: string
  /** What may be chosen: what Typebot is told, and what customers are shown. */
  readonly items: readonly { readonly id: string; readonly text: string; readonly shown: string }[]
  readonly several: boolean
  /** Typebot's own, of this type. */
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * A ticket that a flow of Typebot has (decisions-2 §10): as long as the ticket stands in `bot`. The row goes when the flow ends, or soon
 * after somebody took the ticket.
 */
export const typebotSessions = pgTable(
  'typebot_session',
  {
    ticketId: integer()
      .primaryKey()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    /** Typebot's own; null before the flow began. */
    sessionId: text(),
    asked: jsonb().$type<FlowQuestion>(),
    /** Messages of the customer that the flow was not told yet, in their order. */
    waiting: bigint({ mode: 'number' }).array().notNull().default(sql`'{}'`),
    /** The call that is under way, or was when a process died: nobody knows then whether Typebot heard it. */
    call: uuid(),
    /** The flow goes on by itself, at this instant: it is called without words. */
    goesOnAt: instant(),
    /** How often it went on by itself since the customer said something, and how often it was called in all. */
    alone: integer().notNull().default(0),
    calls: integer().notNull().default(0),
    /** Typebot forgot the session once, and it began anew. */
    renewed: boolean().notNull().default(false),
    touchedAt: instant().notNull().defaultNow(),
  },
  table => [index('typebot_session_touched').on(table.touchedAt)],
)
