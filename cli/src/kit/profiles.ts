// Where this terminal is signed in: one file for the person alone (mode 0600), with a name for each desk. Passwords are never kept.
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure, getErrorCode, toWriteFailure } from './faults.ts'

export interface ServerProfile {
  readonly url: string
  readonly token: string
  /** Who signed in, to be told; nothing is decided by it. */
  readonly user: string
}

export interface Profiles {
  readonly current: string | null
  readonly profiles: Readonly<Record<string, ServerProfile>>
}

type Env = Readonly<Record<string, string | undefined>>

const NOBODY: Profiles = { current: null, profiles: {} }
/** Others may read or write it. */
const OPEN = 0o077

export function getProfilesPath(env: Env): string {
  const folder = env.XDG_CONFIG_HOME || (process.platform === 'win32' && env.APPDATA) || join(homedir(), '.config')
  return join(folder, 'balcao', 'profiles.json')
}

/** Throws a `Failure` where the file is none of ours. `warn` is called where others could read it, which is mended. */
export function readProfiles(env: Env, warn: (path: string) => void = () => undefined): Profiles {
  const path = getProfilesPath(env)
  let text: string
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & OPEN) !== 0) {
      chmodSync(path, 0o600)
      warn(path)
    }
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NOBODY
    throw new Failure('profilesUnreadable', { path })
  }
  const found = parseProfiles(text)
  if (!found) throw new Failure('profilesUnreadable', { path })
  return found
}

/**
 * Changes them as they are by then, one terminal after the other: whoever signs in elsewhere meanwhile stays in the file. What is there now.
 * Throws a `Failure` where it cannot be written.
 */
export async function changeProfiles(env: Env, change: (known: Profiles) => Profiles): Promise<Profiles> {
  const path = getProfilesPath(env)
  const release = await acquireLock(path)
  try {
    const changed = change(readProfiles(env))
    writeProfiles(path, changed)
    return changed
  } finally {
    release()
  }
}

/** Held for a moment: whoever holds it for so long has died. */
const DEAD_MS = 5000
const LOOK_MS = 20

/** Waits for a file that only one makes; what is returned removes it. */
async function acquireLock(path: string): Promise<() => void> {
  const lock = `${path}.lock`
  let [holder, since] = [Number.NaN, performance.now()]
  for (;;) {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      closeSync(openSync(lock, 'wx', 0o600))
      return () => rmSync(lock, { force: true })
    } catch (error) {
      if (getErrorCode(error) !== 'EEXIST') throw toWriteFailure(path, error)
    }
    const seen = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN
    if (seen !== holder) [holder, since] = [seen, performance.now()]
    else if (performance.now() - since > DEAD_MS) rmSync(lock, { force: true })
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }
}

/** Written beside and put in its place, so that nobody ever reads half of it. */
function writeProfiles(path: string, profiles: Profiles): void {
  const beside = `${path}.${process.pid}`
  try {
    writeFileSync(beside, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw toWriteFailure(path, error)
  }
}

/** Adds or replaces one. It becomes the current one, but for `isAside` while there is another. */
export function addProfile(
  { current, profiles }: Profiles,
  name: string,
  profile: ServerProfile,
  isAside = false,
): Profiles {
  return { current: isAside ? (current ?? name) : name, profiles: { ...profiles, [name]: profile } }
}

/** Another one becomes the current one, if there is one. */
export function removeProfile({ current, profiles }: Profiles, name: string): Profiles {
  const left = Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name))
  return { current: current === name ? (Object.keys(left)[0] ?? null) : current, profiles: left }
}

function parseProfiles(text: string): Profiles | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('profiles' in value) || !('current' in value)) return null
    const { current, profiles } = value
    if (typeof profiles !== 'object' || profiles === null) return null
    const whole = Object.entries(profiles).flatMap(([name, each]): [string, ServerProfile][] =>
      isProfile(each) ? [[name, each]] : [],
    )
    return { current: typeof current === 'string' ? current : null, profiles: Object.fromEntries(whole) }
  } catch {
    return null // said by the caller, with the file's name
  }
}

function isProfile(value: unknown): value is ServerProfile {
  if (typeof value !== 'object' || value === null) return false
  return ['url', 'token', 'user'].every(name => typeof Reflect.get(value, name) === 'string')
}
