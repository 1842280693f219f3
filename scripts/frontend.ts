// Builds the front end when it is missing or older than its sources.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Glob } from 'bun'
import { getEntryFile } from '../ui/build/entry.ts'
import { type Output, run } from './steps.ts'

const root = join(import.meta.dir, '..')
const BUILT = ['shell', 'mfe-tickets', 'mfe-admin', 'mfe-automation', 'mfe-dashboard']

/** Builds what is needed; nothing when all is newer than its sources. */
export async function buildWhenStale(output: Output = 'inherit'): Promise<void> {
  if (await isFresh()) return
  await run([process.execPath, 'ui/build/build.ts'], { output })
}

async function isFresh(): Promise<boolean> {
  const built = await Promise.all(BUILT.map(name => readModifiedTime(join(root, name, 'dist', getEntryFile(name)))))
  const oldest = Math.min(...built)
  if (oldest === 0) return false
  const sources = new Glob(`{contract,ui,${BUILT.join(',')}}/{src,build,locales,public}/**/*`)
  for await (const file of sources.scan({ cwd: root }))
    if ((await readModifiedTime(join(root, file))) > oldest) return false
  return (await readModifiedTime(join(root, 'bun.lock'))) <= oldest
}

async function readModifiedTime(path: string): Promise<number> {
  return stat(path).then(
    found => found.mtimeMs,
    () => 0,
  )
}
