// Builds the front end and the server's bundle when they are missing or older than their sources.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Glob } from 'bun'
import { getEntryFile } from '../ui/build/entry.ts'
import { SERVER_BUNDLES } from './bundle.ts'
import { type Output, run } from './steps.ts'

const ROOT = join(import.meta.dir, '..')
const PAGES = ['shell', 'mfe-tickets', 'mfe-admin', 'mfe-automation', 'mfe-dashboard']

interface Build {
  readonly script: string
  readonly made: readonly string[]
  /** Patterns of what it is made of. */
  readonly sources: readonly string[]
}

const FRONT_END: Build = {
  script: 'ui/build/build.ts',
  made: PAGES.map(name => join(name, 'dist', getEntryFile(name))),
  sources: [
    `{contract,client,ui,${PAGES.join(',')}}/{src,texts,build,locales,public}/**/*`,
    'shell/remotes.json',
    'patches/*',
    'bun.lock',
  ],
}

const SERVER: Build = {
  script: 'scripts/bundle.ts',
  made: SERVER_BUNDLES,
  sources: [
    '{contract,formats,backend}/{src,texts}/**/*',
    'package.json',
    '{contract,formats,backend}/package.json',
    'scripts/{bundle,source-map}.ts',
    'patches/*',
    'bun.lock',
  ],
}

/** Builds what `npm start` needs; nothing when all is newer than its sources. */
export async function buildWhenStale(output?: Output): Promise<void> {
  await buildFrontEndWhenStale(output)
  await makeWhenStale(SERVER, output)
}

/** The pages alone, for a server that runs from its sources. */
export async function buildFrontEndWhenStale(output?: Output): Promise<void> {
  await makeWhenStale(FRONT_END, output)
}

/** On the way to something else, as a server whose log a program reads: to that one's stdout it says nothing. */
export async function makeWhenStale(build: Build, output: Output = 'stderr'): Promise<void> {
  if (!(await isFresh(build))) await run([process.execPath, build.script], { output })
}

/** Whether everything is there, and no source came or changed later. */
export async function isFresh({ made, sources }: Pick<Build, 'made' | 'sources'>, root = ROOT): Promise<boolean> {
  const times = await Promise.all(made.map(path => stat(join(root, path)).catch(() => null)))
  const oldest = Math.min(...times.map(found => found?.mtimeMs ?? 0))
  if (oldest === 0) return false
  for (const pattern of sources)
    for await (const file of new Glob(pattern).scan({ cwd: root })) {
      // When it came here: what is copied from elsewhere keeps the time at which it was written there.
      const found = await stat(join(root, file)).catch(() => null)
      if (found !== null && found.ctimeMs >= oldest) return false
    }
  return true
}
