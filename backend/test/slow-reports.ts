// What the sheets of the reports must hold, counted by hand: ticket by ticket, from the rows alone.
import { TICKET_STATUSES } from '@balcao/contract'
import type { Db } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import type { ReadSheets } from './report-files.ts'
import { loadSlowFigures, type SlowTime, type TicketLife } from './slow-figures.ts'

interface Asked {
  readonly startDate: string
  readonly endDate: string
  readonly queueId?: number
  readonly userId?: number
  readonly contactId?: number
  readonly status?: string
}

type Placed = { readonly queue: number | null; readonly user: number | null }
type Rows = Record<string, unknown>

const STATUS: Record<string, string> = {
  pending: 'Aguardando',
  open: 'Em atendimento',
  paused: 'Pausado',
  bot: 'Com o robô',
  nps: 'Na pesquisa',
  closed: 'Encerrado',
}

/** What a manager may see: `null` for an administrator. */
export async function computeSlowReports(
  db: Db,
  request: Asked,
  manager: { readonly id: number; readonly queues: readonly number[] } | null,
) {
  const sql = getSql(db)
  const world = await loadSlowFigures(db)
  const { hierarchy, timezone } = world.settings
  const queues = new Map(
    (await sql<Named[]>`select id, name from queue union all select id, name from past_queue`).map(row => [
      row.id,
      row.name,
    ]),
  )
  const people = new Map(
    (
      await sql<(Named & { profile: string; active: boolean })[]>`
      select id, name, profile, active and deleted_at is null and id <> 1 as active from "user"`
    ).map(row => [row.id, row]),
  )
  const present = new Set((await sql<{ id: number }[]>`select id from queue`).map(({ id }) => id))
  const members = await sql<
    { user: number; queue: number }[]
  >`select user_id as user, queue_id as queue from user_queue`
  const contacts = new Map(
    (await sql<{ id: number; name: string; number: string | null }[]>`select id, name, number from contact`).map(
      row => [row.id, row],
    ),
  )
  const messages = await sql<
    { ticket: number; mine: boolean }[]
  >`select ticket_id as ticket, from_me as mine from message`
  const lastAt = new Map(
    (await sql<{ id: number; at: string }[]>`select id, last_message_at as at from ticket`).map(({ id, at }) => [
      id,
      at,
    ]),
  )
  const kind = new Map(world.lives.map(life => [life.id, life]))

  const within = (at: string) => world.dayOf(at) >= request.startDate && world.dayOf(at) <= request.endDate
  const sees = ({ queue, user }: Placed) => {
    if (!manager) return true
    if (queue === null || !manager.queues.includes(queue)) return false
    return user === null || user === manager.id || !hierarchy || people.get(user)?.profile === 'user'
  }
  const isChosen = (one: Placed) =>
    sees(one) &&
    (request.queueId === undefined || one.queue === request.queueId) &&
    (request.userId === undefined || one.user === request.userId)
  const isKind = (life: TicketLife | undefined) =>
    life !== undefined &&
    (request.contactId === undefined || life.contact === request.contactId) &&
    (request.status === undefined || life.status === request.status)
  const opened = world.lives.filter(life => within(life.created) && isChosen(life) && isKind(life))
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
  const clock = (at: string | null | undefined) => (at ? wall.format(new Date(at)) : null)
  const spans = (life: TicketLife, which: SlowTime['kind']) =>
    world.times.filter(time => time.ticket === life.id && time.kind === which)
  const ratesOf = (some: readonly TicketLife[]) =>
    world.ratings.filter(({ ticket }) => some.some(({ id }) => id === ticket)).map(({ rate }) => rate)
  const mean = (values: readonly number[]) => (values.length === 0 ? null : sum(values) / values.length)
  const meanSeconds = (times: readonly { ms: number }[]) =>
    times.length === 0 ? null : Math.round(sum(times.map(({ ms }) => ms)) / times.length / 1000)

  const expected: Record<string, () => Rows> = {
    ticket() {
      const rows = opened
        .toSorted((one, other) =>
          one.created < other.created ? 1 : one.created > other.created ? -1 : other.id - one.id,
        )
        .map(life => {
          const [wait, services] = [spans(life, 'wait'), spans(life, 'service')]
          const isWaiting = life.status === 'pending' && life.periods.every(({ status }) => status !== 'open')
          return {
            id: life.id,
            contact: contacts.get(life.contact)?.name,
            queue: life.queue === null ? 'Sem fila' : queues.get(life.queue),
            user: life.user === null ? 'Sem atendente' : people.get(life.user)?.name,
            status: STATUS[life.status],
            opened: clock(life.created),
            accepted: clock(life.periods.find(({ status }) => status === 'open')?.begun),
            closed: life.status === 'closed' ? clock(life.closed) : null,
            wait: isWaiting ? 'waiting' : wait[0] ? Math.round(wait[0].ms / 1000) : null,
            service: services.length === 0 ? null : Math.round(sum(services.map(({ ms }) => ms)) / 1000),
            rate: mean(ratesOf([life])),
          }
        })
      return {
        rows,
        all: opened.length,
        tme: meanSeconds(opened.flatMap(life => spans(life, 'wait'))),
        tma: meanSeconds(opened.flatMap(life => spans(life, 'service'))),
        mean: mean(ratesOf(opened)),
        statuses: Object.fromEntries(
          TICKET_STATUSES.map(status => [STATUS[status], opened.filter(life => life.status === status).length]),
        ),
        queues: counts(opened.map(life => (life.queue === null ? 'Sem fila' : (queues.get(life.queue) ?? '')))),
        people: counts(
          opened.map(life => (life.user === null ? 'Sem atendente' : (people.get(life.user)?.name ?? ''))),
        ),
      }
    },
    contact() {
      const rows = [...Map.groupBy(opened, life => life.contact)]
        .toSorted(([one, some], [other, others]) => others.length - some.length || one - other)
        .map(([id, some]) => {
          const written = messages.filter(({ ticket }) => some.some(life => life.id === ticket))
          const rates = ratesOf(some)
          return {
            name: contacts.get(id)?.name,
            tickets: some.length,
            received: written.filter(({ mine }) => !mine).length,
            sent: written.filter(({ mine }) => mine).length,
            first: clock(some.map(life => life.created).sort()[0]),
            last: clock(
              some
                .map(life => lastAt.get(life.id) ?? '')
                .sort()
                .at(-1),
            ),
            rate: mean(rates),
            rates: rates.length,
          }
        })
      return { rows }
    },
    queue: () => sums('queue'),
    user: () => sums('user'),
  }

  function sums(by: 'queue' | 'user'): Rows {
    const times = world.times.filter(time => within(time.at) && isChosen(time) && isKind(kind.get(time.ticket)))
    const ratings = world.ratings.filter(
      rating => within(rating.at) && isChosen(rating) && isKind(kind.get(rating.ticket)),
    )
    const always =
      by === 'queue'
        ? [...queues.keys()].filter(id =>
            request.queueId === undefined
              ? present.has(id) && (!manager || manager.queues.includes(id))
              : id === request.queueId,
          )
        : [...people].flatMap(([id, { active }]) => {
            if (request.userId !== undefined) return id === request.userId ? [id] : []
            const own = members.filter(({ user }) => user === id).map(({ queue }) => queue)
            const shares = !manager || own.some(queue => manager.queues.includes(queue))
            return active && shares && (request.queueId === undefined || own.includes(request.queueId)) ? [id] : []
          })
    const ids = new Set<number | null>([...always, ...[...opened, ...times, ...ratings].map(one => one[by])])
    const line = (name: string, ofLine: (one: Placed) => boolean) => {
      const [some, own, rates] = [
        opened.filter(ofLine),
        times.filter(ofLine),
        ratings.filter(ofLine).map(({ rate }) => rate),
      ]
      const [waits, services] = [own.filter(time => time.kind === 'wait'), own.filter(time => time.kind === 'service')]
      return {
        name,
        opened: some.length,
        statuses: Object.keys(STATUS).map(status => some.filter(life => life.status === status).length),
        times: [meanSeconds(waits), waits.length, meanSeconds(services), services.length],
        rate: mean(rates),
        rates: rates.length,
        hours: Array.from({ length: 24 }, (_, hour) => some.filter(life => world.hourOf(life.created) === hour).length),
      }
    }
    const none = by === 'queue' ? 'Sem fila' : 'Sem atendente'
    const nameOf = (id: number | null) =>
      id === null ? none : by === 'queue' ? (queues.get(id) ?? '') : (people.get(id)?.name ?? '')
    const rows = [...ids]
      .toSorted((one, other) =>
        one === null || other === null
          ? one === null
            ? 1
            : -1
          : nameOf(one).localeCompare(nameOf(other)) || one - other,
      )
      .map(id => line(nameOf(id), one => one[by] === id))
    return { rows: [...rows, line('Total', () => true)] }
  }

  return {
    expected: (report: string): Rows => expected[report]?.() ?? {},
    readable: (read: ReadSheets): Rows => readable(read),
  }
}

type Named = { readonly id: number; readonly name: string }

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function counts(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, name => name)].map(([name, some]) => [name, some.length]))
}

/** A sheet in the words of the slow way. */
function readable(read: ReadSheets): Rows {
  const { Atendimentos, Contatos, Filas, Pessoas, Resumo = [] } = read
  const hours = read['Por hora de abertura'] ?? []
  if (Atendimentos) return ticketRows(Atendimentos.slice(1), Resumo)
  if (Contatos)
    return {
      rows: Contatos.slice(1).map(([name, , tickets, received, sent, first, last, rate, rates]) => ({
        ...{ name, tickets, received, sent, first: parseWallClock(first), last: parseWallClock(last), rate, rates },
      })),
    }
  return {
    rows: (Filas ?? Pessoas ?? []).slice(1).map((row, at) => {
      const [name, opened] = row
      const [tme, waits, tma, services, rate, rates] = row.slice(8)
      return {
        ...{
          name,
          opened,
          statuses: row.slice(2, 8),
          times: [parseSeconds(tme), waits, parseSeconds(tma), services],
          rate,
          rates,
        },
        hours: hours[at + 1]?.slice(1),
      }
    }),
  }
}

function ticketRows(rows: readonly (readonly unknown[])[], sums: readonly (readonly unknown[])[]): Rows {
  const totalOf = (label: string) => sums.find(([first]) => first === label)?.[1]
  const block = (title: string) => {
    const from = sums.findIndex(([first]) => first === title) + 1
    const rest = sums.slice(from)
    const to = rest.findIndex(row => row.every(cell => cell === null))
    return Object.fromEntries(rest.slice(0, to < 0 ? undefined : to).map(([name, n]) => [name, n]))
  }
  return {
    rows: rows.map(([id, , contact, , queue, user, , status, opened, accepted, closed, wait, service, rate]) => ({
      ...{
        id,
        contact,
        queue,
        user,
        status,
        opened: parseWallClock(opened),
        accepted: parseWallClock(accepted),
        closed: parseWallClock(closed),
      },
      wait: status === 'Aguardando' && accepted === null && wait !== null ? 'waiting' : parseSeconds(wait),
      ...{ service: parseSeconds(service), rate },
    })),
    all: totalOf('Total'),
    tme: parseSeconds(totalOf('TME · espera média')),
    tma: parseSeconds(totalOf('TMA · atendimento')),
    mean: totalOf('Nota média'),
    ...{ statuses: block('Por situação'), queues: block('Por fila'), people: block('Por pessoa') },
  }
}

/** Of a span of time as sheets count it. */
export function parseSeconds(cell: unknown): number | null {
  return typeof cell === 'number' ? Math.round(cell * 86_400) : null
}

/** `2026-11-24 14:26` of a day as sheets count them. */
export function parseWallClock(cell: unknown): string | null {
  if (typeof cell !== 'number') return null
  return new Date(Math.round((cell - 25_569) * 86_400) * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
