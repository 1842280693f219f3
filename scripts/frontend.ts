// Builds the front end when it is missing or older than its sources.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Glob } from 'bun'
import { getEntryFile } from '../ui/build/entry.ts'
import { type Output, run } from './steps.ts'

const root = join(import.meta.dir, '..')
const BUILT = ['shell', 'mfe-tickets', 'mfe-admin', 'mfe-automation', 'mfe-dashboard']
/** What the pages are made of. */
const SOURCES = [
  `{contract,client,ui,${BUILT.join(',')}}/{src,texts,build,locales,public}/**/*`,
  'shell/remotes.json',
  'patches/*',
  'bun.lock',
]

/** Builds what is needed; nothing when all is newer than its sources. */
export async function buildWhenStale(output: Output = 'inherit'): Promise<void> {
  if (await isFresh()) return
  await run([process.execPath, 'ui/build/build.ts'], { output })
}

async function isFresh(): Promise<boolean> {
  const built = await Promise.all(BUILT.map(name => readModifiedTime(join(root, name, 'dist', getEntryFile(name)))))
  const oldest = Math.min(...built)
  if (oldest === 0) return false
  for (const pattern of SOURCES)
    for await (const file of new Glob(pattern).scan({ cwd: root }))
      if ((await readModifiedTime(join(root, file))) > oldest) return false
  return true
}

async function readModifiedTime(path: string): Promise<number> {
  return stat(path).then(
    found => found.mtimeMs,
    () => 0,
  )
}
