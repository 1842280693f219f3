// What the AI is used for is counted, so that the doctor can say what it costs.
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { AiUse } from './client.ts'

/** Counts one request. */
export async function countAiUse(db: Db | Tx, { tokensIn, tokensOut }: AiUse): Promise<void> {
  await getSql(db)`
    insert into ai_usage (day, requests, tokens_in, tokens_out)
    values ((now() at time zone 'utc')::date, 1, ${tokensIn}, ${tokensOut})
    on conflict (day) do update set requests = ai_usage.requests + 1,
      tokens_in = ai_usage.tokens_in + excluded.tokens_in, tokens_out = ai_usage.tokens_out + excluded.tokens_out`
}

/** The last thirty days together. */
export async function loadAiUsage(db: Db): Promise<{ requests: number } & AiUse> {
  const [row] = await getSql(db)<({ requests: number } & AiUse)[]>`
    select coalesce(sum(requests), 0)::int as requests, coalesce(sum(tokens_in), 0)::float8 as "tokensIn",
      coalesce(sum(tokens_out), 0)::float8 as "tokensOut"
    from ai_usage where day > (now() at time zone 'utc')::date - 30`
  return row ?? { requests: 0, tokensIn: 0, tokensOut: 0 }
}
