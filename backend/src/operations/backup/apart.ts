// The daily backup, written by a process of its own: rows come as fast as they are packed, and whoever serves customers has no part in it.
import { join } from 'node:path'
import { lowerPriority } from '@balcao/formats/subprocess/low-priority'
import { findScript } from '@balcao/formats/subprocess/script'
import type { Config } from '../../platform/config.ts'
import type { BackupResult } from './create.ts'
import { type BackupCode, BackupFault } from './fault.ts'
import type { DeskSecrets } from './secrets.ts'

/** What the process is told, on its first line: nothing of it stands where others could read it. */
export interface SubprocessBackup {
  readonly databaseUrl: string
  readonly config: Pick<Config, 'dataDir' | 's3' | 'version' | 'backup'>
  readonly secrets: DeskSecrets
  /** Of the backup, where the daily ones go. */
  readonly name: string
  /** There is no other yet. */
  readonly first: boolean
}

/** What it says at its end. */
export type SubprocessResult =
  | { readonly made: BackupResult }
  | { readonly code: BackupCode; readonly params: Readonly<Record<string, string>> }

const SCRIPT = join(import.meta.dir, 'apart-process.ts')

/** Throws a `BackupFault`, or the reason of the signal; nothing is left then. */
export async function createBackupInSubprocess(backup: SubprocessBackup, signal?: AbortSignal): Promise<BackupResult> {
  signal?.throwIfAborted()
  const child = Bun.spawn([process.execPath, '--smol', findScript(SCRIPT)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  lowerPriority(child.pid)
  // It ends by itself when we are gone, too, however we go.
  const stop = () => void child.stdin.end()
  signal?.addEventListener('abort', stop)
  try {
    await child.stdin.write(`${JSON.stringify(backup)}\n`)
    await child.stdin.flush()
    const [out, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr), child.exited])
    signal?.throwIfAborted()
    if (out === '') throw new Error(`The process that writes the backup broke: ${stderr.slice(0, MOST_SAID)}`)
    const ended: SubprocessResult = JSON.parse(out)
    if ('made' in ended) return ended.made
    throw new BackupFault(ended.code, ended.params)
  } finally {
    signal?.removeEventListener('abort', stop)
    child.kill('SIGKILL')
  }
}

const MOST_SAID = 4000

function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text()
}
