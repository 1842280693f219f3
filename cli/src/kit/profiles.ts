// Where this terminal is signed in: one file for the person alone (mode 0600), with a name for each desk. Passwords are never kept.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure, toWriteFailure } from './faults.ts'

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

/** Written beside and put in its place, so that nobody ever reads half of it. Throws a `Failure` where it cannot be. */
export function writeProfiles(env: Env, profiles: Profiles): void {
  const path = getProfilesPath(env)
  const beside = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
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
