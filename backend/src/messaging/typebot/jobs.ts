// When flows are seen to: at once when a customer writes, and once a minute what a dead process or a fault of ours left behind.

import { getSql } from '../../platform/database/raw.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { enqueueTypebotTurn, TYPEBOT } from './hand.ts'
import { releaseToPeople } from './leave.ts'
import { lockFlow } from './lock-flow.ts'
import { createTypebotTask } from './turn.ts'

export function typebotJobs(parts: Parts): JobKind[] {
  return [
    { kind: TYPEBOT, crew: 'flow', work: createTypebotTask(parts) },
    {
      kind: 'typebot-left',
      crew: 'quick',
      cron: '* * * * *',
      alone: true,
      work: () => recoverStalledTypebotSessions(parts),
    },
  ]
}

/** Longer than any call, with its files and another try, takes; and when nobody waits for a fault of ours to pass any more. */
const LEFT = '5 minutes'
const LOST = '15 minutes'

/** No customer waits for a flow that nobody sees to; what is kept of flows that are over goes. */
export async function recoverStalledTypebotSessions(parts: Pick<Parts, 'db' | 'ring' | 'log'>): Promise<void> {
  const { db, log } = parts
  const sql = getSql(db)
  await sql`delete from typebot_session s using ticket t where t.id = s.ticket_id and t.status <> 'bot'`
  const left = await sql<{ id: number; lost: boolean }[]>`
    select ticket_id as id, touched_at < now() - ${LOST}::interval as lost from typebot_session
    where touched_at < now() - ${LEFT}::interval and (cardinality(waiting) > 0 or call is not null or goes_on_at is not null)
    order by touched_at limit 500`
  for (const { id, lost } of left) {
    if (!lost) await enqueueTypebotTurn(db, id)
    else
      await change(parts, async tx => {
        const held = await lockFlow(tx, id)
        if (held) await releaseToPeople(tx, held.ticket, 'flowInterrupted')
      })
  }
  if (left.length > 0) log.warn({ flows: left.length }, 'flows were left behind and are seen to')
}
