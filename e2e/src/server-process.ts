// A server in a process of its own: it can be killed with SIGKILL, stopped politely, and says when it is ready. Or one in this process,
// which begins in a third of the time and cannot be killed.
import { join } from 'node:path'
import { startServer } from '@balcao/backend/app/server'
import { buildCommand } from '@balcao/simulator/processes'
import { setTrustRoot } from '@balcao/simulator/whatsapp/index'
import { readServerOptions } from './server-options.ts'

export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** What it said before it was ready. */
  readonly output: string
  /** Resolves with the exit status when the process is gone, whoever ended it. */
  readonly ended: Promise<number>
  /** SIGKILL: as a power cut would. */
  kill(): Promise<void>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
  /** Resident memory in bytes. */
  memory(): Promise<number>
}

const ROOT = join(import.meta.dir, '../..')

/** Starts `e2e/src/server.ts` and resolves with its address once it answers. */
export async function startServerProcess(options: {
  port: number
  env: Record<string, string>
  verbose: boolean
  watch?: boolean
}): Promise<ServerProcess> {
  const child = Bun.spawn(buildCommand('e2e/src/server.ts', options.watch ? ['--watch'] : []), {
    cwd: ROOT,
    env: { ...process.env, ...options.env, PORT: String(options.port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { url, output } = await readReadyLine(child.stdout, options.verbose, child.exited)
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    output,
    ended: child.exited,
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
    async memory() {
      const status = await Bun.file(`/proc/${child.pid}/status`).text()
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
    },
  }
}

/** What the system calls a process is this one's, which holds the simulator, too. */
export async function startServerHere(env: Record<string, string>): Promise<ServerProcess> {
  if (env.SIMULATOR_WA_ROOT) setTrustRoot(env.SIMULATOR_WA_ROOT)
  // Certificates are read when a process begins: that of the simulator's files came later.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const { port, stop } = await startServer(readServerOptions({ ...process.env, ...env, LOG_LEVEL: 'silent' }))
  const ended = Promise.withResolvers<number>()
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: process.pid,
    output: '',
    ended: ended.promise,
    kill: () => Promise.reject(new Error('A server that is to be killed needs a process of its own')),
    async stop() {
      await stop()
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      ended.resolve(0)
    },
    memory: async () => process.memoryUsage.rss(),
  }
}

/** Reads the child's lines until it says `READY <address>`; afterwards goes on reading, so that the pipe never fills. */
async function readReadyLine(
  stdout: ReadableStream<Uint8Array>,
  verbose: boolean,
  exited: Promise<number>,
): Promise<{ url: string; output: string }> {
  const reader = stdout.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done)
      throw new Error(
        `The server ended before it was ready (code ${await exited}). Its last words:\n${text.slice(-2000)}`,
      )
    if (verbose) process.stdout.write(value)
    text += decoder.decode(value, { stream: true })
    const ready = /^READY (\S+)$/m.exec(text)
    if (!ready?.[1]) continue
    void drain(reader, verbose)
    return { url: ready[1], output: text }
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, verbose: boolean): Promise<void> {
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    if (verbose) process.stdout.write(value)
  }
}
