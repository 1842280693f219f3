// Sessions as they were at their last request. None of them lets anybody in: that says the database, at each request. They save reading
// anew what is as it was, and a read may begin with one while the database is asked whether it still holds (0263).
import { type ApiScope, parseSettings, type Settings, type Viewer } from '@balcao/contract'
import type postgres from 'postgres'
import type { Db } from '../../platform/database/client.ts'
import { LatestEntries } from '../../platform/latest-entries.ts'
import type { WorkingTime } from '../calendar/working-time.ts'
import type { Claims } from './tokens.ts'

/** A signed-in person with rights and settings as they are now. `family` is the device. */
export interface Session {
  readonly viewer: Viewer
  readonly name: string
  readonly family: string
  readonly settings: Settings
  /** A one-time password was used: nothing is open but changing it. */
  readonly mustChangePassword: boolean
  readonly works: WorkingTime
  /** What the token of a program opens; a person has none. */
  readonly scopes?: readonly ApiScope[]
  readonly mayContacts: { readonly add: boolean; readonly edit: boolean; readonly del: boolean }
}

/** What the database says of a session; `settings` are all that are stored, as JSON. */
export interface SessionRow extends WorkingTime {
  readonly id: number
  readonly name: string
  readonly active: boolean
  readonly add: boolean
  readonly edit: boolean
  readonly del: boolean
  readonly mustChangePassword: boolean
  readonly queueIds: number[]
  readonly settings: string | null
  readonly alive: boolean
}

/** A session's row, of a program with what its token opens. */
type CallerRow = SessionRow & Pick<Session, 'scopes'>

interface KnownSessions {
  readonly byFamily: LatestEntries<{ readonly row: CallerRow; readonly session: Session }>
  settings: { readonly text: string | null; readonly values: Settings }
}

const MOST = 2000
const byPool = new WeakMap<postgres.Sql, KnownSessions>()

/** The session of a row: the one that was known if it was made of the same. */
export function keepSession(db: Db, { family }: Claims, row: CallerRow): Session {
  const known = getKnownSessions(db)
  const before = known.byFamily.get(family)
  if (before && Bun.deepEquals(before.row, row)) return before.session
  if (known.settings.text !== row.settings)
    known.settings = { text: row.settings, values: parseSettings(JSON.parse(row.settings ?? '{}')) }
  const { settings: _, ...works } = row
  const { id, profile, queueIds, add, edit, del, name, mustChangePassword, scopes } = row
  const session: Session = {
    viewer: { id, profile, queueIds },
    name,
    family,
    settings: known.settings.values,
    mustChangePassword,
    works,
    mayContacts: { add, edit, del },
    ...(scopes && { scopes }),
  }
  known.byFamily.set(family, { row, session })
  return session
}

/** As it was at its last request. */
export function findKnownSession(db: Db, { family, userId }: Claims): Session | null {
  const known = getKnownSessions(db).byFamily.get(family)
  return known?.row.id === userId ? known.session : null
}

/** What stands in the place of a device where a program calls. */
export function toProgramFamily(tokenId: number): string {
  return `token:${tokenId}`
}

export function findProgramId(family: string): number | null {
  return isProgramFamily(family) ? Number(family.slice('token:'.length)) : null
}

export function isProgramFamily(family: string): boolean {
  return family.startsWith('token:')
}

/** Programs may number what they send alike: each has its own numbers. */
export function toOwnClientId<Id extends string | undefined>({ family }: Pick<Session, 'family'>, clientId: Id) {
  return clientId !== undefined && isProgramFamily(family) ? `${family}:${clientId}` : clientId
}

/** What a program of the company writes names nobody in its row: without a number of its own it gets one, by which it is known as that program's. */
export function toProgramClientId(session: Pick<Session, 'family' | 'viewer'>, clientId: string | undefined) {
  const isCompany = session.viewer.id < 0
  return isCompany && clientId === undefined
    ? `${session.family} ${crypto.randomUUID()}`
    : toOwnClientId(session, clientId)
}

/** Whether a program gave it this number. */
export function isOwnClientId({ family }: Pick<Session, 'family'>, clientId: string | null): boolean {
  return isProgramFamily(family) && (clientId?.startsWith(`${family}:`) || clientId?.startsWith(`${family} `)) === true
}

/** As whoever sent it gave it. */
export function toGivenClientId(clientId: string | null): string | null {
  return clientId === null || /^token:\d+ /.test(clientId) ? null : clientId.replace(/^token:\d+:/, '')
}

export function forgetSession(db: Db, { family }: Claims): void {
  getKnownSessions(db).byFamily.delete(family)
}

function getKnownSessions({ $client }: Db): KnownSessions {
  const known = byPool.get($client) ?? {
    byFamily: new LatestEntries(MOST),
    settings: { text: null, values: parseSettings({}) },
  }
  byPool.set($client, known)
  return known
}
