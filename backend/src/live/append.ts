// The one way to tell screens that something changed: append in the transaction of the change; ring after its commit.
import type { LiveEvent, TicketFacts, TicketPlace } from '@balcao/contract'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'

/**
 * Who may see an event. `ticket`: whoever may see the ticket as it is `after`; those who could see it `before` and cannot
 * any more are told that it is gone (reason `hidden`); `by` is who made the change, if a person did; `handed` what they said
 * to the team when they gave it away; `quotes`: the message quotes another ticket's, which only those get with it to whom both
 * are shown together. `others`: everybody but administrators.
 * `users`: these people; with `admins` also administrators while `adminChatInterno` lets them see all internal chats.
 */
export type Audience =
  | { to: 'everyone' }
  | { to: 'admins' }
  | { to: 'others' }
  | { to: 'user'; userId: number }
  | { to: 'users'; userIds: readonly number[]; admins?: boolean }
  | {
      to: 'ticket'
      ticketId: number
      after: TicketFacts | null
      before?: TicketFacts
      by?: number
      handed?: Handed
      quotes?: { readonly in: TicketPlace; readonly from: TicketPlace }
    }

/** Who gave a ticket away, and why; `why` may be empty. */
export interface Handed {
  readonly by: string
  readonly why: string
}

/** Appends events to the live log. Must run inside the transaction that makes the change. */
export async function appendEvents(tx: Tx, events: readonly { event: LiveEvent; audience: Audience }[]): Promise<void> {
  if (events.length === 0) return
  // By hand and prepared: this runs with every message.
  await sqlOf(tx)`
    insert into live_event (audience, payload) select a::jsonb, p
    from unnest(${events.map(one => JSON.stringify(one.audience))}::text[], ${events.map(one => JSON.stringify(one.event))}::text[]) with ordinality as e(a, p, at)
    order by at`
}
