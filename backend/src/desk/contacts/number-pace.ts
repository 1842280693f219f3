// How often WhatsApp is asked whether it knows a number: a phone that asks for many is taken for a spammer's and blocked. Counted
// for all processes together; what was asked before is answered from memory.

import { listPhoneVariants } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'

/** So many within so many seconds, by one person and over one connection. A new conversation asks once. */
const PACE = [
  { own: true, seconds: 60, most: 10 },
  { own: true, seconds: 3600, most: 40 },
  { own: false, seconds: 60, most: 20 },
  { own: false, seconds: 3600, most: 120 },
] as const

/** What is known of a number. */
export interface NumberStatus {
  /** Null: nobody can tell now. */
  readonly exists: boolean | null
  readonly number: string
}

/** A question about a number; `userId` null for another program. */
export interface NumberQuestion {
  readonly whatsappId: number
  readonly userId: number | null
  readonly number: string
}

/** The answer given before, a turn to ask (counted from now on), or the seconds to wait for one. */
export type NumberCheckTurn = { readonly known: NumberStatus } | { readonly turn: number } | { readonly wait: number }

/** Numbers that are there are remembered for a day; those that are not for an hour, since people join. */
export async function claimNumberCheck(
  db: Db,
  { whatsappId, userId, number }: NumberQuestion,
): Promise<NumberCheckTurn> {
  return runInTransaction(db, async tx => {
    const sql = getSql(tx)
    // One after the other, so that many at once are counted, too.
    await sql`select pg_advisory_xact_lock(hashtext('number_check'))`
    const [before] = await sql<{ isThere: boolean; knownAs: string }[]>`
      select is_there is true as "isThere", coalesce(known_as, number) as "knownAs" from number_check
      where whatsapp_id = ${whatsappId} and number = any(${listPhoneVariants(number)}::text[])
        and asked_at > clock_timestamp() - case when is_there then interval '24 hours' when not is_there then interval '1 hour' end
      order by asked_at desc limit 1`
    if (before) return { known: { exists: before.isThere, number: before.knownAs } }
    const [row] = await sql<{ wait: number | null }[]>`
      select max(extract(epoch from nth.asked_at - clock_timestamp()) + p.seconds)::float8 as wait
      from jsonb_to_recordset(${JSON.stringify(PACE)}::text::jsonb) as p(own boolean, seconds int, most int)
        cross join lateral (select (array_agg(c.asked_at order by c.asked_at desc))[p.most] as asked_at from number_check c
          where (case when p.own then c.user_id = ${userId}::int else c.whatsapp_id = ${whatsappId} end)
            and c.asked_at > clock_timestamp() - p.seconds * interval '1 second') nth`
    const wait = row?.wait ?? null
    if (wait !== null) return { wait: Math.max(1, Math.ceil(wait)) }
    const [check] = await sql<{ id: number }[]>`
      insert into number_check (whatsapp_id, user_id, number, asked_at)
      values (${whatsappId}, ${userId}, ${number}, clock_timestamp()) returning id::float8 as id`
    return { turn: check?.id ?? 0 }
  })
}

/** Keeps an answer for who asks again. */
export async function storeNumberCheck(db: Db, turn: number, { exists, number }: NumberStatus): Promise<void> {
  await getSql(db)`update number_check set is_there = ${exists}, known_as = ${number} where id = ${turn}`
}
