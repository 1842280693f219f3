// What a shop needs before anything else is worth a look: a number, people who attend, a queue they attend in.
import { sqlOf } from '../../platform/database/raw.ts'
import { type Found, levelOf, type Patient } from './looks.ts'

interface Counted {
  readonly numbers: number
  readonly people: number
  readonly queues: number
}

export async function lookAtCompany({ db }: Patient): Promise<readonly Found[]> {
  const [row] = await sqlOf(db)<Counted[]>`
    select (select count(*)::int from whatsapp) as numbers,
      (select count(*)::int from "user" where active and deleted_at is null and id <> 1) as people,
      (select count(*)::int from queue) as queues`
  if (!row) throw new Error('Nothing was counted')
  const found = (code: Found['code'], count: number): Found => ({
    code,
    level: levelOf(-count, { warning: 0 }),
    params: { count },
  })
  return [
    found('company.numbers', row.numbers),
    found('company.people', row.people),
    found('company.queues', row.queues),
  ]
}
