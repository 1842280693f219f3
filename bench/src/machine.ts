// The machine and the versions a run was made with: figures without them say nothing.
import { cpus, totalmem } from 'node:os'
import postgres from 'postgres'

export interface Machine {
  readonly date: string
  readonly cores: number
  readonly cpu: string
  readonly memoryGiB: number
  /** Load of the last minute when the run began: other work on the machine makes every figure worse. */
  readonly load: number
  readonly system: string
  readonly bun: string
  readonly postgres: string
}

export async function describeMachine(postgresUrl: string): Promise<Machine> {
  const sql = postgres(postgresUrl, { max: 1, onnotice: () => {} })
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
  await sql.end()
  const load = await Bun.file('/proc/loadavg')
    .text()
    .then(text => Number.parseFloat(text))
    .catch(() => Number.NaN)
  return {
    date: new Date().toISOString(),
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() || 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    load,
    system: `${process.platform} ${process.arch}`,
    bun: Bun.version,
    postgres: row?.version ?? 'unknown',
  }
}

export function formatMachine(machine: Machine): string {
  const { cores, cpu, memoryGiB, system, bun, postgres: version, load, date } = machine
  return `${cores} cores (${cpu}), ${memoryGiB} GiB, ${system}, Bun ${bun}, Postgres ${version}, load ${load} at the start, ${date}`
}
