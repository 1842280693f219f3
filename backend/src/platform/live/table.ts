import type { TicketFacts, TicketReference } from '@balcao/contract'
import { sql } from 'drizzle-orm'
import { customType, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, instant } from '../database/columns.ts'

/**
 * Who may see an event. `ticket`: whoever may see the ticket as it is `after`; those who could see it `before` and cannot
 * any more are told that it is gone (reason `hidden`); `by` is who made the change, if a person did; `handed` what they said
 * to the team when they gave it away; `mentioned`: whom a comment calls; `quotes`: the message quotes another ticket's, which only those get with it to whom both
 * are shown together. `others`: everybody but administrators;
 * `managers`: these and administrators.
 * `queue`: its people, and administrators.
 * `users`: these people; with `admins` also administrators while `adminChatInterno` lets them see all internal chats.
 * `says`: the messages whose words the event carries, of conversations or of internal chats: what of them was taken back since is not
 * told to who comes back later (0198).
 */
export type Audience =
  | { to: 'everyone' }
  | { to: 'admins' }
  | { to: 'others' }
  | { to: 'managers' }
  | { to: 'user'; userId: number }
  | { to: 'queue'; queueId: number }
  | { to: 'users'; userIds: readonly number[]; admins?: boolean; says?: readonly number[] }
  | {
      to: 'ticket'
      ticketId: number
      after: TicketFacts | null
      before?: TicketFacts
      by?: number
      handed?: Handover
      mentioned?: readonly number[]
      quotes?: { readonly in: TicketReference; readonly from: TicketReference }
      says?: readonly number[]
    }

/** Who gave a ticket away, and why; `why` may be empty. */
export interface Handover {
  readonly by: string
  readonly why: string
}

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * Live events, appended in the transaction of the change. `id` is given before commit, so a reader by id alone would skip a row
 * that commits late: readers go by (`xid`, `id`) and only below `pg_snapshot_xmin(pg_current_snapshot())`.
 * `payload` is the event's JSON as text: it goes out as it lies here.
 */
export const liveEvents = pgTable(
  'live_event',
  {
    id: bigId(),
    xid: xid8().notNull().default(sql`pg_current_xact_id()`),
    audience: jsonb().$type<Audience>().notNull(),
    payload: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  table => [index('live_event_cursor').on(table.xid, table.id), index('live_event_age').on(table.createdAt)],
)
