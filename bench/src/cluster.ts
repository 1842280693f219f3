// Two servers of one database, as an operator would set them up: a primary, and a hot standby that has everything before it is answered.
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedPostgres, ensurePostgres } from '@balcao/backend/database/embedded'
import postgres from 'postgres'
import { onServer } from './engine.ts'
import { until } from './measure.ts'

export interface Cluster {
  /** Of the primary, then of the standby: the database `postgres` on each. */
  readonly urls: readonly [string, string]
  /** Kills the primary as a power cut would: it does not come back. */
  killPrimary(): Promise<void>
  /** The standby becomes the primary; resolves when it takes what is written. */
  promote(): Promise<void>
  stop(): Promise<void>
}

const STANDBY = 'standby'

/** Makes both under `home`, a folder that others may enter. */
export async function startCluster(home: string): Promise<Cluster> {
  const primary = await ensurePostgres({ dataDir: join(home, 'primary') })
  let standby: EmbeddedPostgres | undefined
  try {
    await copy(primary, join(home, STANDBY))
    standby = await ensurePostgres({ dataDir: join(home, STANDBY) })
    // From now on nothing is answered that the standby does not have.
    await onServer(primary.url, `alter system set synchronous_standby_names = '${STANDBY}'`)
    await onServer(primary.url, 'select pg_reload_conf()')
    await until(() => isInStep(primary.url), 60, 'the standby is in step')
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

/** A base backup by copying: the files of the folder between the beginning and the end of a backup, and what to read first. */
async function copy(primary: EmbeddedPostgres, folder: string): Promise<void> {
  const [from, to] = [join(primary.folder, 'cluster'), join(folder, 'cluster')]
  await mkdir(folder)
  await chmod(folder, 0o711)
  const sql = postgres(primary.url, { max: 1, onnotice: () => {} })
  try {
    await sql`select pg_backup_start('standby', true)`
    await ran('cp', '-a', from, to)
    const [stopped] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`
    await Bun.write(join(to, 'backup_label'), stopped?.labelfile ?? '')
  } finally {
    await sql.end({ timeout: 5 })
  }
  await rm(join(to, 'postmaster.pid'))
  const { hostname, port, username, password } = new URL(primary.url)
  const where = `host=${hostname} port=${port} user=${username} password=${password} application_name=${STANDBY}`
  await Bun.write(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${where}'\n`)
  await Bun.write(join(to, 'standby.signal'), '')
  await ran('cp', '-a', join(primary.folder, 'password'), folder)
  await ran('chown', '-R', `--reference=${from}`, to)
}

async function isInStep(url: string): Promise<boolean> {
  const rows = await onServer(url, 'select sync_state from pg_stat_replication')
  return rows.some(({ sync_state: state }) => state === 'sync')
}

/** With all its processes; whoever watches over it is told in the same breath that it is not to come back. */
async function kill({ folder, stop }: EmbeddedPostgres): Promise<void> {
  const pid = Number((await Bun.file(join(folder, 'cluster/postmaster.pid')).text()).split('\n')[0])
  const children = (await Bun.file(`/proc/${pid}/task/${pid}/children`).text()).trim().split(' ').map(Number)
  for (const each of [pid, ...children]) process.kill(each, 'SIGKILL')
  await stop()
}

async function ran(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdio: ['ignore', 'ignore', 'pipe'] })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${said}`)
}
