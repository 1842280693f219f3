// A hot standby of an embedded Postgres, made as an operator would: a copy of the files of a server that runs.
import { chmod, chown, cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedPostgres, ensurePostgres } from '../src/platform/database/embedded.ts'
import { runOnServer } from './servers.ts'
import { waitUntil } from './until.ts'

const WITHIN_MS = 60_000

/** Copies the primary into `folder` and follows it there; `test` as for `ensurePostgres`. */
export async function makeStandby(
  primary: EmbeddedPostgres,
  folder: string,
  { test = false } = {},
): Promise<EmbeddedPostgres> {
  const cluster = join(folder, 'cluster')
  await mkdir(folder, { recursive: true })
  await runOnServer(primary.url, async sql => {
    await sql`select pg_backup_start('standby', true)`
    await cp(primary.folder, folder, {
      recursive: true,
      filter: from => !/postmaster\.(pid|opts)$|pg_replslot\/.|pg_stat_tmp\/./.test(from),
    })
    const [backup] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`
    await writeFile(join(cluster, 'backup_label'), backup?.labelfile ?? '')
  })
  await writeFile(join(cluster, 'standby.signal'), '')
  const { hostname, port, username, password } = new URL(primary.url)
  const from = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`
  await writeFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
  if (process.getuid?.() === 0) await giveAway(folder)
  await chmod(cluster, 0o700)
  return ensurePostgres({ dataDir: folder, test })
}

/** From now on what the primary says is committed is on both. */
export async function waitUntilInStep(primary: EmbeddedPostgres): Promise<void> {
  await runOnServer(primary.url, async sql => {
    const follows = async () => (await sql`select 1 from pg_stat_replication`).length === 1
    await waitUntil('the standby follows', follows, WITHIN_MS)
    await sql`alter system set synchronous_standby_names = 'standby'`
    await sql`select pg_reload_conf()`
    const isSync = async () => (await sql`select 1 from pg_stat_replication where sync_state = 'sync'`).length === 1
    await waitUntil('it follows in step', isSync, WITHIN_MS)
  })
}

async function giveAway(folder: string): Promise<void> {
  const NOBODY = 65_534
  await chown(folder, NOBODY, NOBODY)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveAway(path)
    else await chown(path, NOBODY, NOBODY)
  }
}
