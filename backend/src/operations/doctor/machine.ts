// The machine: its clock against the database's, and memory.
import { availableParallelism, freemem, totalmem } from 'node:os'
import { getSql } from '../../platform/database/raw.ts'
import { type CheckContext, type CheckFinding, toLevel } from './checks.ts'

export async function checkMachine(patient: CheckContext): Promise<readonly CheckFinding[]> {
  const memory = process.memoryUsage()
  const [free, total] = [freemem(), totalmem()]
  const cores = availableParallelism()
  return [
    ...(await clocks(patient)),
    {
      code: 'machine.memory',
      level: toLevel(1 - free / total, { warning: 0.9, danger: 0.97 }),
      params: { bytes: free, of: total, cores },
    },
    {
      code: 'machine.process',
      level: toLevel(memory.rss, { warning: 0.5 * total }),
      params: { bytes: memory.rss, hours: Math.floor(process.uptime() / 3600) },
    },
  ]
}

/** The database's clock decides when things are due; ours stands in tokens. */
async function clocks({ db }: CheckContext): Promise<CheckFinding[]> {
  const before = Date.now()
  const [row] = await getSql(db)<{ ms: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
  const after = Date.now()
  if (!row) return []
  // It was read somewhere between the two.
  const seconds = Math.max(0, before - row.ms, row.ms - after) / 1000
  const level = toLevel(seconds, { warning: 2, danger: 30 })
  return [{ code: 'machine.clock', level, params: { seconds: Math.round(seconds * 10) / 10 } }]
}
