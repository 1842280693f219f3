// What a shop needs before anything else is worth a look: a number, people who attend, a queue they attend in.
import { getSql } from '../../platform/database/raw.ts'
import { type CheckContext, type CheckFinding, toLevel } from './checks.ts'

interface CompanyCounts {
  readonly numbers: number
  readonly people: number
  readonly queues: number
}

export async function checkCompany({ db }: CheckContext): Promise<readonly CheckFinding[]> {
  const [row] = await getSql(db)<CompanyCounts[]>`
    select (select count(*)::int from whatsapp) as numbers,
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
  ]
}
