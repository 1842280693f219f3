// Two servers of one database, as an operator would set them up: a primary, and a hot standby that has everything before it is answered.
import { join } from 'node:path'
import { type EmbeddedPostgres, ensurePostgres } from '@balcao/backend/database/embedded'
import { makeStandby, untilInStep } from '../../backend/test/standby.ts'
import { onServer } from './engine.ts'

export interface Cluster {
  /** Of the primary, then of the standby: the database `postgres` on each. */
  readonly urls: readonly [string, string]
  /** Kills the primary as a power cut would: it does not come back. */
  killPrimary(): Promise<void>
  /** The standby becomes the primary; resolves when it takes what is written. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Makes both under `home`, a folder that others may enter. */
export async function startCluster(home: string): Promise<Cluster> {
  const primary = await ensurePostgres({ dataDir: join(home, 'primary') })
  let standby: EmbeddedPostgres | undefined
  try {
    standby = await makeStandby(primary, join(home, 'standby'))
    await untilInStep(primary)
  } catch (error) {
    await standby?.stop()
    await primary.stop()
    throw error
  }
  const engines = [primary, standby] as const
  return {
    urls: [primary.url, standby.url],
    killPrimary: () => kill(primary),
    async promote() {
      await onServer(engines[1].url, 'select pg_promote(true)')
    },
    async stop() {
      await Promise.all(engines.map(engine => engine.stop()))
    },
  }
}

/** With all its processes; whoever watches over it is told in the same breath that it is not to come back. */
async function kill({ folder, stop }: EmbeddedPostgres): Promise<void> {
  const pid = Number((await Bun.file(join(folder, 'cluster/postmaster.pid')).text()).split('\n')[0])
  const children = (await Bun.file(`/proc/${pid}/task/${pid}/children`).text()).trim().split(' ').map(Number)
  for (const each of [pid, ...children]) process.kill(each, 'SIGKILL')
  await stop()
}
