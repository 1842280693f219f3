// Who takes what, and how fast: the team's rhythm in the month.
import { COMPANY } from '@balcao/backend/app/seed/company'
import type { SeededRandom } from '../../../backend/test/seeded-random.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const DAY = 24 * HOUR
/** São Paulo's clocks, all year round. */
const ZONE = -3 * HOUR
const OPENS = 8 * HOUR
const CLOSES = 18 * HOUR
const LUNCH = [12 * HOUR, 13 * HOUR] as const

/** Bruna takes nearly all of what her queues have, and so everybody waits there longer. */
const OVERLOADED = 'bruna'
/** In the third week Rafael is away and more is ordered than ever. */
export const BAD_WEEK = [14, 20] as const
const AWAY = 'rafael'

export const TEAM: typeof COMPANY.people = [
  ...COMPANY.people,
  {
    ...{ key: 'helena', name: 'Helena Prado', email: 'helena@saojose.example', profile: 'user' },
    queues: ['Comercial', 'Financeiro'],
  },
  {
    ...{ key: 'diego', name: 'Diego Martins', email: 'diego@saojose.example', profile: 'user' },
    queues: ['Entregas', 'Suporte', 'Comercial'],
  },
]

export function isBadDay(day: number): boolean {
  return day >= BAD_WEEK[0] && day <= BAD_WEEK[1]
}

/** Who takes a conversation of a queue. */
export function pickAgent(
  { pickWeighted }: SeededRandom,
  queue: string,
  day: number,
  except: readonly string[] = [],
): string {
  const able = TEAM.filter(({ queues, key }) => queues.includes(queue) && !except.includes(key))
  return pickWeighted(able.map(({ key }) => [key, weighAgent(key, day)] as const))
}

function weighAgent(key: string, day: number): number {
  if (key === OVERLOADED) return 24
  if (key === AWAY && isBadDay(day)) return 0.01
  return key === 'marina' ? 1 : 3
}

/** Minutes that a customer waits for the first answer. */
export function drawWait({ between, chance }: SeededRandom, agent: string, day: number): number {
  const usual = chance(0.15) ? between(12, 30) : between(1, 9)
  return usual * (isBadDay(day) ? between(2.5, 6) : 1) * (agent === OVERLOADED ? 1.8 : 1)
}

/** One to five stars; who waited long gives fewer. */
export function drawRating({ pickWeighted }: SeededRandom, waited: number): number {
  const happy = [
    [5, 62],
    [4, 26],
    [3, 7],
    [2, 3],
    [1, 2],
  ] as const
  const cross = [
    [5, 18],
    [4, 22],
    [3, 26],
    [2, 18],
    [1, 16],
  ] as const
  return pickWeighted(waited > 30 ? cross : happy)
}

/** How many write on a day of the week, from Monday as 0. */
export function drawArrivals({ between }: SeededRandom, day: number): number {
  const weekday = day % 7
  const usual = weekday === 6 ? between(1, 4) : weekday === 5 ? between(7, 11) : between(20, 26)
  return Math.round(usual * (isBadDay(day) ? 1.5 : 1))
}

/** An instant of a day at which a customer writes: most in the morning and after lunch, on Saturdays until noon. */
export function drawArrival({ pickWeighted, between }: SeededRandom, midnight: number, day: number): number {
  const hours = [
    [7, 1],
    [8, 5],
    [9, 8],
    [10, 8],
    [11, 6],
    [12, 2],
    [13, 5],
    [14, 7],
    [15, 6],
    [16, 5],
    [17, 2],
  ] as const
  const hour = pickWeighted(day % 7 < 5 ? hours : hours.slice(1, 5))
  return midnight + hour * HOUR + between(0, HOUR)
}

/** So many minutes of work later: nobody answers at lunch, at night and on Sundays; Saturdays end at one. */
export function addWork(from: number, minutes: number): number {
  let at = from
  let left = minutes * MINUTE
  for (;;) {
    const midnight = Math.floor((at + ZONE) / DAY) * DAY - ZONE
    const open = listSpans(midnight).find(([, ends]) => ends > at)
    if (!open) {
      at = midnight + DAY
      continue
    }
    const begins = Math.max(at, open[0])
    if (begins + left <= open[1]) return begins + left
    left -= open[1] - begins
    at = open[1]
  }
}

function listSpans(midnight: number): [number, number][] {
  const weekday = new Date(midnight + ZONE).getUTCDay()
  if (weekday === 0) return [[midnight + 9 * HOUR, midnight + 10 * HOUR]]
  if (weekday === 6) return [[midnight + OPENS, midnight + 13 * HOUR]]
  return [
    [midnight + OPENS, midnight + LUNCH[0]],
    [midnight + LUNCH[1], midnight + CLOSES],
  ]
}
