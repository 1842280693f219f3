// Who is there, told in rounds: a morning on which two thousand come is some frames with all who came, not one for each of them to each of
// them. The database says who is there; a round tells what became another since the one before (0246).
import type { Presence, ServerFrame } from '@balcao/contract'
import type { Db } from '../database/client.ts'
import type { Notices } from '../database/notices.ts'
import { getSql } from '../database/raw.ts'
import { createDebouncer } from './debounce.ts'

export interface PresenceBroadcast {
  /** Everybody who is there as of the last round, as a frame; null before the first. */
  there(): string | null
  stop(): Promise<void>
}

/** Milliseconds; tests make them shorter. */
export interface PresenceBroadcastTiming {
  /** Changes within this time are told together. */
  readonly gather: number
  /** A ring may be lost: it is looked at again after this. */
  readonly checkEvery: number
}

export interface PresenceBroadcastOptions {
  /** Tells every socket of this process. */
  readonly tell: (frame: string) => void
  readonly failed: (error: unknown) => void
}

type Statuses = ReadonlyMap<number, Presence>
type UsersByPresence = Readonly<Record<Presence, readonly number[]>>

const PACE: PresenceBroadcastTiming = { gather: 1000, checkEvery: 10_000 }

/** Begins to tell; resolves after the first look. */
export async function startPresenceBroadcast(
  db: Db,
  notices: Notices,
  { tell, failed }: PresenceBroadcastOptions,
  pace: PresenceBroadcastTiming = PACE,
): Promise<PresenceBroadcast> {
  let before: Statuses | null = null
  /** Of the last round, made once for all who come in until the next round. */
  let whole: string | null = null
  /** What changes while one is on its way comes with the next. */
  const rounds = createDebouncer(pace.gather, round, failed)
  let isStopped = false

  async function round(): Promise<void> {
    const now = await loadStatuses(db)
    if (isStopped) return
    const changes = before && listChanges(before, now)
    if (changes && Object.values(changes).every(ids => ids.length === 0)) return
    before = now
    whole = buildPresenceFrame(true, listChanges(new Map(), now))
    tell(changes ? buildPresenceFrame(false, changes) : whole)
  }

  await round().catch(failed)
  await notices.on('presence', rounds.soon)
  const looking = setInterval(rounds.soon, pace.checkEvery)
  return {
    there: () => whole,
    stop() {
      isStopped = true
      clearInterval(looking)
      return rounds.stop()
    },
  }
}

/** Whoever is not offline; the owner is nobody to others. */
async function loadStatuses(db: Db): Promise<Statuses> {
  const rows = await getSql(db)<{ id: number; status: Presence }[]>`
    select id, status from "user" where status <> 'offline' and deleted_at is null and id <> 1`
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** What became another from one to the other. */
function listChanges(before: Statuses, now: Statuses): UsersByPresence {
  const became = (status: Presence) =>
    [...now].flatMap(([id, is]) => (is === status && before.get(id) !== status ? [id] : []))
  return {
    online: became('online'),
    away: became('away'),
    offline: [...before.keys()].filter(id => !now.has(id)),
  }
}

function buildPresenceFrame(all: boolean, named: UsersByPresence): string {
  const frame: ServerFrame = {
    type: 'volatile',
    volatile: {
      kind: 'presence',
      all,
      online: [...named.online],
      away: [...named.away],
      offline: [...named.offline],
    },
  }
  return JSON.stringify(frame)
}
