// Starts and kills processes of the desk (owner-process.ts).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'

export interface OwnerChild {
  readonly pid: number
  /** Resolves when it ended by itself, as by CRASH_AT. */
  readonly ended: Promise<number>
  kill(): Promise<void>
  /** Stands still, as on a machine that is suspended, until it is thawed. */
  freeze(): void
  thaw(): void
}

const children = new Set<OwnerChild>()

/** Starts a process and resolves when it looks after connections. */
export async function startOwner(env: Record<string, string>): Promise<OwnerChild> {
  const dataDir = await mkdtemp(join(tmpdir(), 'balcao-owner-'))
  const child = Bun.spawn(buildCommand('backend/test/owner-process.ts'), {
    env: { ...process.env, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const started: OwnerChild = {
    pid: child.pid,
    ended: child.exited,
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL')
      await child.exited
      await rm(dataDir, { recursive: true, force: true })
      children.delete(started)
    },
  }
  children.add(started)
  const reader = child.stdout.getReader()
  const first = await reader.read()
  if (first.done && child.exitCode !== null && !env.CRASH_AT) throw new Error('The process ended at once')
  return started
}

/** Ends whatever still runs. */
export async function killOwners(): Promise<void> {
  await Promise.all([...children].map(child => child.kill()))
}
