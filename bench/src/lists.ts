// Pages of tickets, conversations and badge numbers at ten thousand and at a million tickets. Called as the routes call them,
// in this process; both sizes are asked in turn, so that what else the machine does hits both.

import { loadMessagePage } from '@balcao/backend/desk/messages/page'
import { countTickets } from '@balcao/backend/desk/tickets/counts'
import { listTickets } from '@balcao/backend/desk/tickets/list'
import type { Session } from '@balcao/backend/policy/sessions/authenticate'
import { parseSettings } from '@balcao/contract'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { computePercentile } from './measure.ts'
import { openSeededDatabase, type SeededDatabase } from './seeded.ts'

export const lists: Benchmark = {
  name: 'lists',
  about: 'pages of tickets, a conversation and the badges at 10,000 and 1,000,000 tickets, in process',
  async run(options) {
    const times = readNumberOption(options, 'times', 300)
    const small = await openSeededDatabase(readNumberOption(options, 'small', 10_000))
    const large = await openSeededDatabase(readNumberOption(options, 'large', 1_000_000))
    try {
      const figures: Figure[] = []
      for (const question of makeQuestions()) figures.push(...(await compare(question, small, large, times)))
      return figures
    } finally {
      await small.close()
      await large.close()
    }
  },
}

export interface ListQuestion {
  readonly label: string
  /** Answers how one call is made on a database. */
  readonly on: (world: SeededDatabase) => Promise<(n: number) => Promise<unknown>>
  /** Nothing is read of the database to make the call. */
  readonly isReadyAtOnce?: boolean
}

const PEOPLE: readonly { readonly person: string; readonly session: Session }[] = [
  { person: 'admin', session: makeSession(1, 'admin', [1, 2, 3]) },
  { person: 'gerente', session: makeSession(2, 'gerente', [2, 3, 4]) },
  { person: 'user with 3 queues', session: makeSession(7, 'user', [7, 8, 9]) },
]

export function makeQuestions(): ListQuestion[] {
  return PEOPLE.flatMap(({ person, session }) => {
    const page = (status: 'open' | 'pending' | 'closed', cursor?: string) => ({
      status,
      showAll: person === 'user with 3 queues' ? ('false' as const) : ('true' as const),
      ...(cursor ? { cursor } : {}),
    })
    return [
      {
        label: `first page of open, ${person}`,
        on:
          async ({ db }) =>
          () =>
            listTickets(db, session, page('open')),
      },
      {
        label: `first page of waiting, ${person}`,
        on:
          async ({ db }) =>
          () =>
            listTickets(db, session, page('pending')),
      },
      {
        label: `first page of closed, ${person}`,
        on:
          async ({ db }) =>
          () =>
            listTickets(db, session, page('closed')),
      },
      {
        label: `deep page of closed by cursor, ${person}`,
        on: async world => {
          const cursors = await listDeepCursors(world)
          return n => listTickets(world.db, session, page('closed', cursors[n % cursors.length]))
        },
      },
      {
        label: `conversation page, ${person}`,
        on: async world => {
          const tickets = await listLongConversations(world, session)
          return n => loadMessagePage(world.db, session, tickets[n % tickets.length] ?? 0, {})
        },
      },
      {
        label: `badges, ${person}`,
        on:
          async ({ db }) =>
          () =>
            countTickets(db, session, { showAll: 'true' }),
      },
    ] satisfies ListQuestion[]
  })
}

/** Asks two databases in turn; the small one's answer is the reference. Aims: ms at p95, and times the reference at p50. */
export async function compare(
  { label, on }: ListQuestion,
  small: SeededDatabase,
  large: SeededDatabase,
  times: number,
  aims: { readonly p95: number; readonly ratio?: number } = { p95: 10, ratio: 1.5 },
): Promise<Figure[]> {
  const [few, many] = [await on(small), await on(large)]
  const samples: [number[], number[]] = [[], []]
  const warm = Math.min(30, Math.ceil(times / 5))
  for (let n = -warm; n < times; n++) {
    for (const [at, call] of [few, many].entries()) {
      const start = performance.now()
      await call(n + warm)
      if (n >= 0) samples[at]?.push(performance.now() - start)
    }
  }
  const at = (share: number) => ({
    value: computePercentile(samples[1], share),
    unit: 'ms',
    reference: {
      label: `at ${small.tickets.toLocaleString('en-US')}`,
      value: computePercentile(samples[0], share),
    },
  })
  return [
    { label: `${label}: p50`, ...at(0.5), ...(aims.ratio ? { ratioAim: aims.ratio } : {}) },
    { label: `${label}: p95`, ...at(0.95), aim: aims.p95 },
  ]
}

/** Places between a tenth and nine tenths of the way down the closed tickets. */
async function listDeepCursors({ db, tickets }: SeededDatabase): Promise<string[]> {
  const ids = Array.from({ length: 20 }, (_, n) => Math.floor(tickets * (0.1 + n * 0.04)))
  const rows = await db.$client<{ id: number; at: string }[]>`
    select id, to_char(last_message_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from ticket where id = any(${ids}::int[])`
  return rows.map(({ id, at }) => Buffer.from(JSON.stringify([at, id])).toString('base64url'))
}

/** Tickets of people with some hundred messages that the viewer may see. */
async function listLongConversations({ db }: SeededDatabase, { viewer }: Session): Promise<number[]> {
  const rows = await db.$client<{ id: number }[]>`
    select id from ticket where message_seq > 40 and not is_group
      and (${viewer.profile === 'admin'} or queue_id = any(${[...viewer.queueIds]}::int[]))
      and (${viewer.profile !== 'user'} or user_id is null or user_id = ${viewer.id}) order by md5(id::text) limit 40`
  return rows.map(row => row.id)
}

/** The session of a person of the seeded databases, with every setting as it comes. */
export function makeSession(id: number, profile: 'admin' | 'gerente' | 'user', queueIds: number[]): Session {
  const settings = parseSettings({})
  return {
    viewer: { id, profile, queueIds },
    name: `Pessoa ${id}`,
    family: 'bench',
    settings,
    mustChangePassword: false,
    works: {
      profile,
      startTime: '00:00',
      endTime: '23:59',
      weekdays: true,
      saturday: true,
      sunday: true,
      holidays: true,
    },
    mayContacts: { add: true, edit: true, del: false },
  }
}
