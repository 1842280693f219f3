// The secrets of an installation in an encrypted backup, by the names they have in `secrets.json` (config.ts).
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'

export type Secrets = Readonly<
  Record<'dataKey' | 'sharedSecret' | 'jwtSecret' | 'verifyToken' | 'vapidPrivateKey', string>
>

export function secretsOf({ sharedSecret, dataKey, jwtSecret, graph, push }: Config): Secrets {
  return { sharedSecret, dataKey, jwtSecret, verifyToken: graph.verifyToken, vapidPrivateKey: push.privateKey }
}

/** Writes them where the server looks for them; others that were there are kept beside. @returns where; null: there were none */
export async function putSecrets(dataDir: string, secrets: Secrets): Promise<string | null> {
  const path = join(dataDir, 'secrets.json')
  const text = `${JSON.stringify(secrets, null, 2)}\n`
  const before = existsSync(path) ? await readFile(path, 'utf8') : null
  if (before === text) return null
  const replaced = before === null ? null : `${path}.replaced-${new Date().toISOString().replaceAll(':', '-')}`
  if (replaced !== null) await rename(path, replaced)
  await mkdir(dataDir, { recursive: true })
  await writeFile(`${path}.part`, text, { mode: 0o600 })
  await rename(`${path}.part`, path)
  return replaced
}
