// The secrets of an installation in an encrypted backup, by the names they have in `secrets.json` (config.ts).
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { writeSecretsFile } from '../../platform/secrets.ts'

export type DeskSecrets = Readonly<
  Record<'dataKey' | 'sharedSecret' | 'jwtSecret' | 'verifyToken' | 'vapidPrivateKey', string>
>

export function pickSecrets({ sharedSecret, dataKey, jwtSecret, graph, push }: Config): DeskSecrets {
  return { sharedSecret, dataKey, jwtSecret, verifyToken: graph.verifyToken, vapidPrivateKey: push.privateKey }
}

export interface SecretsReplacement {
  /** Where those are that were there before; null: there were none. */
  readonly replaced: string | null
  /** Has it all as it was. */
  undo(): Promise<void>
}

/** Writes them where the server looks for them; others that were in use there are kept beside. */
export async function putSecrets(dataDir: string, secrets: DeskSecrets, areInUse = true): Promise<SecretsReplacement> {
  const path = join(dataDir, 'secrets.json')
  const text = `${JSON.stringify(secrets, null, 2)}\n`
  const before = existsSync(path) ? await readFile(path, 'utf8') : null
  if (before === text) return { replaced: null, undo: async () => {} }
  const replaced =
    before === null || !areInUse ? null : `${path}.replaced-${new Date().toISOString().replaceAll(':', '-')}`
  if (replaced !== null) await rename(path, replaced)
  await mkdir(dataDir, { recursive: true })
  writeSecretsFile(path, text)
  return { replaced, undo: () => (replaced === null ? rm(path, { force: true }) : rename(replaced, path)) }
}
