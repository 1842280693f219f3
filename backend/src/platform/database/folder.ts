// Where the embedded database lies. Usually in DATA_DIR; where the account Postgres runs as cannot enter that (root's closed home),
// in a shared folder, and a pointer in DATA_DIR says where. The pointer travels with DATA_DIR; the folder knows whose it is.
import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A database that was there is not where it was, or is somebody else's: beginning with an empty one would hide it. */
export class DatabaseMissingError extends Error {
  override readonly name: string = 'DatabaseMissingError'
}

const POINTER = 'location'
const OWNER = 'belongs-to'

/**
 * The folder of the database of `wanted` (a folder in DATA_DIR), which exists then. `mayEnter`: whether Postgres could run in a
 * folder; `shared`: where it can in any case.
 */
export async function resolveDatabaseFolder(
  wanted: string,
  shared: string,
  mayEnter: (folder: string) => boolean,
): Promise<string> {
  const known = await read(join(wanted, POINTER))
  if (known !== null) return verified(known, wanted)

  const isNew = !existsSync(wanted)
  if (!isNew && !hasDatabase(wanted)) {
    const old = join(shared, `data-${Bun.hash(wanted).toString(16)}`)
    if (isUnclaimed(old)) return claim(old, wanted)
  }
  await mkdir(dirname(wanted), { recursive: true })
  if (mayEnter(dirname(wanted))) {
    await mkdir(wanted, { recursive: true, mode: 0o700 })
    return wanted
  }
  if (hasDatabase(wanted))
    throw new DatabaseMissingError(
      `The database in ${wanted} cannot be reached by the account it would run as: let others pass through the folders above it (chmod o+x), or move DATA_DIR`,
    )
  if (!isNew) await refuseBesideOthers(wanted, shared)
  const folder = join(shared, `data-${randomBytes(8).toString('hex')}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return claim(folder, wanted)
}

/** Where the database of `wanted` lies, if there is one; nothing is made. */
export async function findDatabaseFolder(wanted: string): Promise<string> {
  const known = await read(join(wanted, POINTER))
  return known !== null && (await read(join(known, OWNER))) === wanted ? known : wanted
}

/** Both sides are written; a crash between them leaves a folder nobody asks for. */
async function claim(folder: string, wanted: string): Promise<string> {
  await mkdir(wanted, { recursive: true, mode: 0o700 })
  await write(join(folder, OWNER), wanted)
  await write(join(wanted, POINTER), folder)
  return folder
}

/** A DATA_DIR that was moved or renamed is followed; a copy of one that is still there is not: two desks would share one database. */
async function verified(folder: string, wanted: string): Promise<string> {
  const begin = `delete ${join(wanted, POINTER)} to begin with an empty one`
  const owner = await read(join(folder, OWNER))
  if (owner === null)
    throw new DatabaseMissingError(
      `The database of ${dirname(wanted)} lay in ${folder} and is not there, or not for this user: bring it back, or ${begin}`,
    )
  if (owner === wanted || isSame(owner, wanted)) return folder
  if ((await read(join(owner, POINTER))) === folder)
    throw new DatabaseMissingError(
      `${dirname(wanted)} is a copy: its database lies in ${folder} and belongs to ${dirname(owner)}. Start that one, or ${begin}`,
    )
  await write(join(folder, OWNER), wanted)
  return folder
}

/** Databases made before there were pointers bear a name made from their path: a folder that was moved since cannot tell which is its own. */
async function refuseBesideOthers(wanted: string, shared: string): Promise<void> {
  const names = await readdir(shared).catch(() => [])
  const candidates = names.map(name => join(shared, name)).filter(isUnclaimed)
  if (candidates.length > 0)
    throw new DatabaseMissingError(
      `${dirname(wanted)} had a database, which may be one of these: ${candidates.join(', ')}. Write its path into ${join(wanted, POINTER)} and your own (${wanted}) into its file ${OWNER}; or delete ${wanted} to begin with an empty one`,
    )
}

function isUnclaimed(folder: string): boolean {
  return hasDatabase(folder) && !existsSync(join(folder, OWNER))
}

function hasDatabase(folder: string): boolean {
  return existsSync(join(folder, 'cluster/PG_VERSION'))
}

/** One folder under two names. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map(folder => statSync(folder, { throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
}

async function read(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trim() === '' ? null : text.trim()
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, `${text}\n`)
  await rename(`${file}.part`, file)
}
