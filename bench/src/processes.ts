// Processes that are measured: the real server as `npm start` runs it, and bare ones beside it as references.
import { readdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'

const ROOT = join(import.meta.dir, '../..')

export interface MeasuredServer {
  readonly url: string
  /** From the spawn until it answered as ready, in ms. */
  readonly startedIn: number
  readonly pid: number
  /** Resident memory in bytes, with what its own children hold alone; its embedded database is not counted. */
  memory(): Promise<number>
  /** Seconds of a processor it has used since it began, without its children. */
  processor(): Promise<number>
  /** SIGKILL, as a power cut would. */
  kill(): Promise<void>
  stop(): Promise<void>
}

interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly path: string
  readonly port?: number
  /** A command that becomes the process. */
  readonly under?: readonly string[]
}

/** Starts a script on a free port and resolves when `path` answers 200. */
export function startProcess(
  script: string,
  {
    root = ROOT,
    flags = [],
    ...options
  }: StartOptions & {
    /** The checkout it is of; this one unless given. */
    readonly root?: string
    /** Of Bun. */
    readonly flags?: readonly string[]
  },
): Promise<MeasuredServer> {
  return startCommand([process.execPath, ...flags, join(root, script)], options, root)
}

async function startCommand(words: readonly string[], options: StartOptions, root = ROOT): Promise<MeasuredServer> {
  const port = options.port ?? (await findFreePort())
  const begun = performance.now()
  const child = Bun.spawn([...(options.under ?? []), ...words], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'error', ...options.env, PORT: String(port) },
    stdio: ['ignore', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await isAnswering(`${url}${options.path}`))) {
    if (child.exitCode !== null) throw new Error(`${words.at(-1)} ended with ${child.exitCode} before it was ready`)
    if (performance.now() - begun > 60_000) {
      child.kill('SIGKILL')
      throw new Error(`${words.at(-1)} was not ready within a minute`)
    }
    await Bun.sleep(5)
  }
  return {
    url,
    startedIn: performance.now() - begun,
    pid: child.pid,
    memory: () => measureMemory(child.pid),
    processor: () => readProcessorTime(child.pid),
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    async stop() {
      child.kill('SIGTERM')
      const forced = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await child.exited
      clearTimeout(forced)
    },
  }
}

/** The real server as `npm start` runs it; with the simulator's environment it also trusts the simulator's root key. */
export function startServer(
  env: Readonly<Record<string, string>> & { readonly DATA_DIR: string },
  port?: number,
  under: readonly string[] = [],
): Promise<MeasuredServer> {
  return startCommand(buildCommand('backend/src/main.ts', ['--smol']), {
    env,
    under,
    path: '/ready',
    ...(port === undefined ? {} : { port }),
  })
}

/** The same from its sources, as `npm run dev` runs it. */
export function startServerFromSources(env: Readonly<Record<string, string>>): Promise<MeasuredServer> {
  return startProcess('backend/src/main.ts', { env, path: '/ready', flags: ['--smol'] })
}

/** A bare Bun.serve with a socket that passes on what it is told: the reference. */
export function startBare(): Promise<MeasuredServer> {
  return startProcess('bench/src/bare-server.ts', { path: '/ready' })
}

/** A process for each core that wants all of it, as what else a machine does. */
export function startLoad(): { stop(): void } {
  const spin = () => Bun.spawn([process.execPath, '-e', 'for (;;);'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const children = Array.from({ length: availableParallelism() }, spin)
  return { stop: () => children.forEach(child => void child.kill('SIGKILL')) }
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).status === 200
  } catch {
    return false
  }
}

/** In bytes, of one process. */
export async function measureMemory(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  const own = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
  const theirs = await Promise.all((await listChildren(pid)).map(child => readOwnMemory(child).catch(() => 0)))
  return theirs.reduce((sum, bytes) => sum + bytes, own)
}

/** Seconds of a processor that a process has used; the kernel counts in hundredths of a second. */
export async function readProcessorTime(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text()
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(user) + Number(system)) / 100
}

/** What a child holds alone: the pages of the program itself are its parent's too. */
async function readOwnMemory(pid: number): Promise<number> {
  const rollup = await Bun.file(`/proc/${pid}/smaps_rollup`).text()
  const own = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].reduce(
    (sum, [, kb]) => sum + Number(kb),
    0,
  )
  const theirs = await Promise.all((await listChildren(pid)).map(child => readOwnMemory(child).catch(() => 0)))
  return theirs.reduce((sum, bytes) => sum + bytes, own * 1024)
}

/** What a process started itself: files are read and written by processes of their own. An embedded database is a server beside it. */
async function listChildren(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = tasks.map(task => Bun.file(`/proc/${pid}/task/${task}/children`).text())
  const texts = await Promise.all(lists.map(list => list.catch(() => '')))
  const children = texts.flatMap(list => list.split(' ').filter(Boolean).map(Number))
  const names = await Promise.all(
    children.map(child =>
      Bun.file(`/proc/${child}/comm`)
        .text()
        .catch(() => ''),
    ),
  )
  return children.filter((_, at) => names[at] !== 'postgres\n')
}

/** A port of this machine where nobody listens. */
export async function findFreePort(): Promise<number> {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = probe
  await probe.stop(true)
  return port ?? 0
}
