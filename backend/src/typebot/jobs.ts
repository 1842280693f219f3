// When flows are seen to: at once when a customer writes, and once a minute what a dead process or a fault of ours left behind.

import { sqlOf } from '../database/raw.ts'
import type { Parts } from '../parts.ts'
import type { JobKind } from '../worker/kind.ts'
import { goOn, TYPEBOT } from './hand.ts'
import { typebotTask } from './turn.ts'

export function typebotJobs(parts: Parts): JobKind[] {
  return [
    { kind: TYPEBOT, crew: 'flow', work: typebotTask(parts) },
    { kind: 'typebot-left', crew: 'quick', cron: '* * * * *', alone: true, work: () => seeToTheLeft(parts) },
  ]
}

/** Longer than any call, with its files and another try, takes. */
const LEFT = '5 minutes'

/** No customer waits for a flow that nobody sees to; what is kept of flows that are over goes. */
export async function seeToTheLeft({ db, log }: Pick<Parts, 'db' | 'log'>): Promise<void> {
  const sql = sqlOf(db)
  await sql`delete from typebot_session s using ticket t where t.id = s.ticket_id and t.status <> 'bot'`
  const left = await sql<{ id: number }[]>`
    select ticket_id as id from typebot_session
    where touched_at < now() - ${LEFT}::interval and (cardinality(waiting) > 0 or call is not null or goes_on_at is not null)
    order by touched_at limit 500`
  for (const { id } of left) await goOn(db, id)
  if (left.length > 0) log.warn({ flows: left.length }, 'flows were left behind and are seen to')
}
