// What a shop needs before anything else is worth a look: a number, people who attend, a queue they attend in.
import type { AiAccess } from '../../desk/ai/client.ts'
import { loadAiUsage } from '../../desk/ai/usage.ts'
import { getSql } from '../../platform/database/raw.ts'
import { type CheckContext, type CheckFinding, toLevel } from './checks.ts'

interface CompanyCounts {
  readonly numbers: number
  readonly people: number
  readonly queues: number
}

export async function checkCompany({ db, config }: CheckContext): Promise<readonly CheckFinding[]> {
  const [row] = await getSql(db)<CompanyCounts[]>`
    select (select count(*)::int from whatsapp where deleted_at is null) as numbers,
      (select count(*)::int from "user" where active and deleted_at is null and id <> 1) as people,
      (select count(*)::int from queue) as queues`
  if (!row) throw new Error('Nothing was counted')
  const found = (code: CheckFinding['code'], count: number): CheckFinding => ({
    code,
    level: toLevel(-count, { warning: 0 }),
    params: { count },
  })
  return [
    found('company.numbers', row.numbers),
    found('company.people', row.people),
    found('company.queues', row.queues),
    ...(config.ai ? [await checkAi(db, config.ai)] : []),
  ]
}

/** What the AI was used for in thirty days, and what that costs where the prices are known. */
async function checkAi(db: CheckContext['db'], { prices }: AiAccess): Promise<CheckFinding> {
  const { requests, tokensIn, tokensOut } = await loadAiUsage(db)
  const cost = prices && (tokensIn * prices.in + tokensOut * prices.out) / 1_000_000
  const params = { count: requests, tokens: tokensIn + tokensOut }
  if (cost === null) return { code: 'company.ai', level: 'ok', params }
  return { code: 'company.aiCost', level: 'ok', params: { ...params, cost: cost.toFixed(2) } }
}
