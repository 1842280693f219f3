// The whole desk (`main.ts`) in a process of its own, which can be killed like by a power cut and started again on the same port.
import { join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'

export interface DeskProcess {
  readonly url: string
  /** Resolves when it ended by itself, as by CRASH_AT. */
  readonly ended: Promise<number>
  readonly hasEnded: boolean
  readonly pid: number
  kill(): Promise<void>
}

const ROOT = join(import.meta.dir, '../..')
const running = new Set<DeskProcess>()

/**
 * Starts it and resolves when it answers. `env` needs PORT, DATABASE_URL and DATA_DIR; the simulator's root key is trusted.
 * `under`: a command that becomes the desk.
 */
export async function startDeskProcess(
  env: Record<string, string>,
  under: readonly string[] = [],
): Promise<DeskProcess> {
  const child = Bun.spawn([...under, ...buildCommand('backend/src/main.ts')], {
    cwd: ROOT,
    env: { ...process.env, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const started: DeskProcess = {
    url: `http://127.0.0.1:${env.PORT}`,
    ended: child.exited,
    pid: child.pid,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null
    },
    async kill() {
      child.kill('SIGKILL')
      await child.exited
      running.delete(started)
    },
  }
  running.add(started)
  let output = ''
  for await (const words of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += words
    if (output.includes('"msg":"ready"')) return started
  }
  if (!env.CRASH_AT) throw new Error(`The desk ended before it was ready: ${output}`)
  return started
}

/** Ends whatever still runs. */
export async function killDesks(): Promise<void> {
  await Promise.all([...running].map(one => one.kill()))
}

/** A port nobody uses now. */
export async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port ?? 0
}
