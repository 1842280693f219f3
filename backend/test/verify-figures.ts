// Every number of the dashboard against the slow way, for periods and filters.
import { expect } from 'bun:test'
import { loadDashboardCards } from '../src/insight/dashboard/cards.ts'
import { countOpenedByContact, countOpenedByPerson, countOpenedByQueue } from '../src/insight/dashboard/opened.ts'
import { loadDashboardPeople } from '../src/insight/dashboard/people.ts'
import { loadDashboardStats } from '../src/insight/dashboard/stats.ts'
import type { Db } from '../src/platform/database/client.ts'
import { loadSlowFigures, type SlowFigures, type SlowTime } from './slow-figures.ts'

export interface FigureCheckOptions {
  readonly firstDate: string
  readonly lastDate: string
  readonly queueId?: number
  readonly userId?: number
}

/** Fails where a figure is another one than counted by hand; `what` names what was done before. */
export async function verifyFigures(db: Db, label: string, options: readonly FigureCheckOptions[]): Promise<void> {
  const world = await loadSlowFigures(db)
  for (const one of options) await verifyOne(db, world, `${label} ${JSON.stringify(one)}`, one)
}

type Placed = { readonly queue: number | null; readonly user: number | null }

async function verifyOne(db: Db, world: SlowFigures, label: string, options: FigureCheckOptions): Promise<void> {
  const { timezone } = world.settings
  const now = new Date()
  const within = (at: string) => world.dayOf(at) >= options.firstDate && world.dayOf(at) <= options.lastDate
  const isChosen = ({ queue, user }: Placed) =>
    (options.queueId === undefined || queue === options.queueId) &&
    (options.userId === undefined || user === options.userId)
  const opened = world.lives.filter(life => within(life.created) && isChosen(life))
  const closed = world.lives.filter(
    life => life.status === 'closed' && life.closed && within(life.closed) && isChosen(life),
  )
  const present = world.lives.filter(isChosen)
  const times = world.times.filter(time => within(time.at) && isChosen(time))
  const ratings = world.ratings.filter(rating => within(rating.at) && isChosen(rating))
  const count = (status: string, of = present) => of.filter(life => life.status === status).length

  const stats = await loadDashboardStats(db, options, timezone, now)
  const { hours, rating, queues, ...shown } = stats
  expect({ what: label, ...shown }).toEqual({
    what: label,
    open: count('open'),
    pending: count('pending'),
    paused: count('paused'),
    bot: count('bot'),
    nps: count('nps'),
    closed: closed.length,
    opened: opened.length,
    tme: meansOf(world, times, 'wait'),
    tma: meansOf(world, times, 'service'),
    tmeSeconds: meanOf(times.filter(({ kind }) => kind === 'wait')),
    tmaSeconds: meanOf(times.filter(({ kind }) => kind === 'service')),
    rates: [1, 2, 3, 4, 5].map(rate => ratings.filter(one => one.rate === rate).length),
    openGroups: count(
      'open',
      present.filter(life => life.isGroup),
    ),
    waitingSince:
      present
        .flatMap(life =>
          life.status === 'pending' && !life.isGroup
            ? new Date(life.unansweredSince ?? life.created).toISOString()
            : [],
        )
        .sort()[0] ?? null,
    counting: null,
  })
  const hourly = Array.from({ length: 12 }, (_, n) => ({
    hour: 8 + n,
    tickets: opened.filter(life => world.hourOf(life.created) === 8 + n).length,
  }))
  expect({ what: label, hours }).toEqual({ what: label, hours: hourly })
  expect({ what: label, rating }).toEqual({ what: label, rating: ratingOf(ratings) })
  expect({ what: label, queues: sorted(queues.map(({ id, open, pending }) => `${id}: ${open} ${pending}`)) }).toEqual({
    what: label,
    queues: sorted(
      groups(
        present.filter(({ status }) => status === 'open' || status === 'pending'),
        life => life.queue,
      ).map(([id, of]) => `${id}: ${count('open', of)} ${count('pending', of)}`),
    ),
  })

  const byQueue = await countOpenedByQueue(db, options, timezone, now)
  const byPerson = await countOpenedByPerson(db, options, timezone, now)
  const byContact = await countOpenedByContact(db, options, timezone, now)
  const contacts = groups(opened, life => life.contact).map(([id, of]) => ({ id, total: of.length }))
  contacts.sort((one, other) => other.total - one.total || one.id - other.id)
  const rest = contacts.slice(4).reduce((sum, { total }) => sum + total, 0)
  expect({ what: label, byQueue: sorted(byQueue.map(({ queue, Total }) => `${queue?.id ?? null}: ${Total}`)) }).toEqual(
    {
      what: label,
      byQueue: sorted(groups(opened, life => life.queue).map(([id, of]) => `${id}: ${of.length}`)),
    },
  )
  expect({ what: label, byPerson: sorted(byPerson.map(({ user, Total }) => `${user?.id ?? null}: ${Total}`)) }).toEqual(
    {
      what: label,
      byPerson: sorted(groups(opened, life => life.user).map(([id, of]) => `${id}: ${of.length}`)),
    },
  )
  expect({
    what: label,
    byContact: byContact.map(({ contact, Total }) => `${contact?.id ?? 'others'}: ${Total}`),
  }).toEqual({
    what: label,
    byContact: [
      ...contacts.slice(0, 4).map(({ id, total }) => `${id}: ${total}`),
      ...(rest > 0 ? [`others: ${rest}`] : []),
    ],
  })

  const { users } = await loadDashboardPeople(db, options, timezone, now)
  for (const { id, open, closed: done, rating: given } of users)
    expect({ what: label, id, open, done, given }).toEqual({
      what: label,
      id,
      open: count(
        'open',
        present.filter(life => life.user === id),
      ),
      done: closed.filter(life => life.user === id).length,
      given: ratingOf(ratings.filter(one => one.user === id)),
    })
  const known = new Set(users.map(({ id }) => id))
  const held = present.filter(({ status }) => status !== 'closed')
  for (const { user } of [...opened, ...closed, ...ratings, ...times, ...held])
    expect({ what: label, user, told: user === null || known.has(user) }).toEqual({ what: label, user, told: true })

  const cards = await loadDashboardCards(db, options, timezone, now)
  expect({ what: label, tickets: cards.tickets, messages: cards.messages }).toEqual({
    what: label,
    tickets: world.lives.filter(life => within(life.created)).length,
    messages: world.messages.filter(within).length,
  })
}

/** The mean of each day on which there was one. */
function meansOf(world: SlowFigures, times: readonly SlowTime[], kind: SlowTime['kind']) {
  const days = groups(
    times.filter(time => time.kind === kind),
    time => world.dayOf(time.at),
  )
  return days
    .map(([date, of]) => ({ date, seconds: meanOf(of) ?? 0, tickets: of.length }))
    .sort((one, other) => (one.date < other.date ? -1 : 1))
}

function meanOf(times: readonly SlowTime[]): number | null {
  return times.length > 0 ? Math.round(times.reduce((sum, { ms }) => sum + ms, 0) / times.length / 1000) : null
}

function ratingOf(ratings: readonly { readonly rate: number }[]) {
  const count = ratings.length
  return { average: count > 0 ? ratings.reduce((sum, { rate }) => sum + rate, 0) / count : null, count }
}

function groups<T, K>(all: readonly T[], of: (one: T) => K): [K, T[]][] {
  return [...Map.groupBy(all, of)]
}

function sorted(words: readonly string[]): string[] {
  return words.toSorted()
}
