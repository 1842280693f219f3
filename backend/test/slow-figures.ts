// The manager's figures the slow way (decisions-2 §12, §23): ticket by ticket, from the rows alone, with the contract's calendar.
import { getCalendar, type Settings, type TicketStatus } from '@balcao/contract'
import type { Db } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { readSettings } from '../src/policy/settings/read.ts'
import type { Period } from './random-world.ts'

/** A ticket with all its periods. */
export interface TicketLife {
  readonly id: number
  readonly status: TicketStatus
  readonly contact: number
  readonly connection: number
  readonly queue: number | null
  readonly user: number | null
  readonly isGroup: boolean
  readonly created: string
  /** The oldest message that no person has answered, as far as one is noted: decision 0317. */
  readonly unansweredSince: string | null
  readonly closed: string | null
  readonly periods: readonly Period[]
}

/** A waiting before a first acceptance, or a service up to a resolving, with who accepted or resolved and where. */
export interface SlowTime {
  readonly ticket: number
  readonly kind: 'wait' | 'service'
  readonly at: string
  readonly queue: number | null
  readonly user: number | null
  readonly ms: number
}

export interface SlowRating {
  readonly ticket: number
  readonly contact: number
  readonly queue: number | null
  readonly user: number | null
  readonly rate: number
  readonly at: string
}

/** Everything of a company, counted by hand. */
export interface SlowFigures {
  readonly settings: Settings
  readonly lives: readonly TicketLife[]
  readonly times: readonly SlowTime[]
  readonly ratings: readonly SlowRating[]
  /** When each was. */
  readonly messages: readonly string[]
  /** The company's day, `YYYY-MM-DD`, and hour of an instant. */
  dayOf(at: string): string
  hourOf(at: string): number
  /** Whole milliseconds of working time. */
  workMs(from: string, to: string): number
}

/** Reads and counts it all as it is now. */
export async function loadSlowFigures(db: Db): Promise<SlowFigures> {
  const settings = await readSettings(db)
  const { workingSeconds } = getCalendar(settings)
  const workMs = (from: string, to: string) => Math.round(workingSeconds(new Date(from), new Date(to)) * 1000)
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: settings.timezone })
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: settings.timezone, hour: '2-digit', hourCycle: 'h23' })
  const lives = await loadTicketLives(db)
  const messages = await getSql(db)<{ at: string }[]>`select at from message`
  return {
    settings,
    lives,
    times: lives.flatMap(life => timesOf(life, workMs)),
    ratings: await getSql(db)<SlowRating[]>`
      select ticket_id as ticket, contact_id as contact, queue_id as queue, user_id as user, rate, at from rating`,
    messages: messages.map(({ at }) => at),
    dayOf: once(at => day.format(new Date(at))),
    hourOf: once(at => Number(hour.format(new Date(at)))),
    workMs,
  }
}

export async function loadTicketLives(db: Db): Promise<readonly TicketLife[]> {
  return getSql(db)<TicketLife[]>`
    select t.id, t.status, t.contact_id as contact, t.whatsapp_id as connection, t.queue_id as queue, t.user_id as user,
      t.is_group as "isGroup", t.created_at as created, t.answer_since as "unansweredSince", t.closed_at as closed,
      coalesce((select json_agg(json_build_object('status', s.status, 'queue', s.queue_id, 'user', s.user_id, 'begun', ${iso('begun_at')},
        'ended', ${iso('ended_at')}) order by s.id) from ticket_span s where s.ticket_id = t.id), '[]') as periods
    from ticket t order by t.id`

  function iso(column: string) {
    return getSql(db)`to_char(s.${getSql(db)(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  }
}

/**
 * §23, word for word, one ticket at a time. TME: "from when a ticket first waits for people (time with the bot does not count) to its
 * first acceptance". TMA: "from acceptance to resolving, without pauses, without waiting in between, without the survey; a reopened ticket
 * counts once more from its next acceptance".
 */
function timesOf({ id, periods }: TicketLife, workMs: (from: string, to: string) => number): SlowTime[] {
  const times: SlowTime[] = []
  const firstOpen = periods.findIndex(({ status }) => status === 'open')
  const waits = periods.slice(0, Math.max(0, firstOpen)).filter(({ status }) => status === 'pending')
  const accepted = periods[firstOpen]
  if (accepted && waits.length > 0) {
    const ms = waits.reduce((sum, { begun, ended }) => sum + workMs(begun, ended ?? begun), 0)
    times.push({ ticket: id, kind: 'wait', at: accepted.begun, queue: accepted.queue, user: accepted.user, ms })
  }
  let round: Period[] = []
  for (const period of periods) {
    if (period.status !== 'nps' && period.status !== 'closed') {
      round.push(period)
      continue
    }
    const served = round.filter(({ status }) => status === 'open')
    if (served.length > 0) {
      const ms = served.reduce((sum, { begun, ended }) => sum + workMs(begun, ended ?? begun), 0)
      times.push({ ticket: id, kind: 'service', at: period.begun, queue: period.queue, user: period.user, ms })
    }
    round = []
  }
  return times
}

function once<T>(of: (at: string) => T): (at: string) => T {
  const known = new Map<string, T>()
  return at => {
    const value = known.get(at) ?? of(at)
    known.set(at, value)
    return value
  }
}
