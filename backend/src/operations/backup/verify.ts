// `backup verify`: restores it into a scratch database and compares every table and file with what was kept. That lies in a Postgres of its
// own that is thrown away, so the desk's need not be there; an installation that came without one gives the server of its database.
import type { Manifest, ProgressOptions } from './format.ts'
import { drain, loadBackup } from './load.ts'
import { readBackup } from './read.ts'
import { listMigrations } from './schema.ts'
import { runOnScratchDatabase, type ScratchOptions } from './scratch.ts'
import { runOnSession } from './session.ts'
import type { BackupSource } from './storage.ts'

export interface VerifyOptions extends ProgressOptions, ScratchOptions {
  readonly source: BackupSource
  readonly key: string | null
}

export interface VerifyResult {
  readonly at: string
  readonly version: string
  readonly manifest: Manifest
  readonly strangers: readonly string[]
}

/** Throws a `BackupFault`, or the reason of the signal. */
export async function verifyBackup(options: VerifyOptions): Promise<VerifyResult> {
  const { source, key, progress } = options
  const reader = await readBackup(source.stream(), key)
  try {
    const { at, version } = reader.beginning
    listMigrations(reader.beginning)
    return await runOnScratchDatabase(options, (url, signal) =>
      runOnSession(url, signal, async client => {
        await client.query('begin')
        const { manifest, strangers } = await loadBackup(client, {
          reader,
          keep: (_, bytes) => drain(bytes),
          report: step => progress?.({ ...step, bytes: reader.read, of: source.size }),
        })
        await client.query('rollback')
        return { at, version, manifest, strangers }
      }),
    )
  } finally {
    await reader.close()
  }
}
