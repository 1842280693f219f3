// The report of tickets as a document.
import type { TicketStatus } from '@balcao/contract'
import type { DocumentBlock, Row } from '@balcao/formats/pdf/document'
import type { DeferredRows } from '@balcao/formats/subprocess/lines'
import { computeMeanSeconds } from '../figures/read.ts'
import { formatCutNotice, type ReportContext } from './context.ts'
import { formatDuration } from './formatter.ts'
import { sortShares, type TicketTotals, type TotalShare } from './ticket-totals.ts'
import { STATUS_ORDER } from './words.ts'

/** Among the figures only where there are some. */
const RARE = ['paused', 'bot', 'nps'] as const satisfies readonly TicketStatus[]

/** So many shares have a bar of their own; the rest is one. */
const BARS = 5

export function* renderTicketBlocks(
  context: ReportContext,
  totals: TicketTotals,
  shownCount: number,
  lines: DeferredRows,
): Generator<DocumentBlock> {
  const { words, shown } = context
  const { all, statuses, waits, waitMs, services, serviceMs } = totals
  const count = (status: TicketStatus) => shown.number(statuses.get(status) ?? 0)
  yield {
    kind: 'figures',
    figures: [
      { label: words.tickets, value: shown.number(all) },
      { label: words.statuses.closed, value: count('closed') },
      { label: words.statuses.open, value: count('open') },
      { label: words.statuses.pending, value: count('pending') },
      // They add up to all, so that nobody looks for the others.
      ...RARE.filter(status => statuses.has(status)).map(status => ({
        label: words.statuses[status],
        value: count(status),
      })),
      { label: words.meanWait, value: formatDuration(computeMeanSeconds(waitMs, waits)) },
      { label: words.meanService, value: formatDuration(computeMeanSeconds(serviceMs, services)) },
    ],
  }
  if (all > 0)
    yield {
      kind: 'charts',
      charts: [
        daysChart(context, totals),
        {
          chart: 'shares',
          title: words.byQueue,
          weight: 3,
          bars: toBars(sortShares(totals.queues, words.noQueue), words.others),
        },
        {
          chart: 'shares',
          title: words.byPerson,
          weight: 3,
          bars: toBars(sortShares(totals.people, words.nobody), words.others),
        },
      ],
    }
  yield { kind: 'heading', text: words.tables.ticket, aside: words.orders.ticket }
  if (shownCount < all) yield { kind: 'paragraph', text: formatCutNotice(context, shownCount, all), quiet: true }
  yield {
    kind: 'table',
    columns: [
      { head: words.number, under: words.protocol, weight: 15 },
      { head: words.contact, under: words.phone, weight: 18 },
      { head: words.queue, under: words.person, weight: 13 },
      { head: words.status, under: words.connection, weight: 13 },
      { head: words.opened, weight: 12, align: 'right' },
      { head: words.accepted, weight: 9, align: 'right' },
      { head: words.closed, weight: 10, align: 'right' },
      { head: words.wait, weight: 9, align: 'right' },
      { head: words.service, weight: 9, align: 'right' },
      { head: words.rating, weight: 5, align: 'right' },
    ],
    rows: lines,
    empty: words.empty,
  }
  yield { kind: 'heading', text: words.summary }
  yield* sumsTable(
    words.byStatus,
    STATUS_ORDER.map(status => ({ name: words.statuses[status], n: statuses.get(status) ?? 0 })),
  )
  yield* sumsTable(words.byQueue, sortShares(totals.queues, words.noQueue))
  yield* sumsTable(words.byPerson, sortShares(totals.people, words.nobody))
  yield { kind: 'paragraph', text: words.ticketNote, quiet: true }

  function* sumsTable(
    head: string,
    shares: readonly { readonly name: string; readonly n: number }[],
  ): Generator<DocumentBlock> {
    if (all === 0) return
    const columns = [
      { head, weight: 4 },
      { head: words.tickets, weight: 1, align: 'right' as const },
    ]
    const rows = shares.map(({ name, n }): Row => [name, shown.number(n)])
    yield { kind: 'table', columns, rows, totals: [words.total, shown.number(all)] }
  }
}

function toBars(shares: readonly TotalShare[], others: string) {
  const some = shares.length > BARS ? shares.slice(0, BARS - 1) : shares
  const rest = shares.slice(some.length).reduce((sum, { n }) => sum + n, 0)
  const bars = some.map(({ name, n, color }) => ({ label: name, value: n, ...(color === '' ? {} : { color }) }))
  return rest > 0 ? [...bars, { label: others, value: rest }] : bars
}

/** Days a chart has room for; of longer periods it shows months, the last of them. */
const DAYS = 31
const MONTHS = 24

function daysChart({ which, words }: ReportContext, { days }: TicketTotals) {
  const all = listDays(which.period.first, which.period.last, DAYS)
  if (all)
    return {
      ...{ chart: 'bars' as const, title: words.byDay, weight: 6 },
      bars: all.map(day => ({ label: day.slice(8), value: days.get(day) ?? 0 })),
    }
  const months = new Map<string, number>()
  for (const [day, n] of days) months.set(day.slice(0, 7), (months.get(day.slice(0, 7)) ?? 0) + n)
  const some = [...months].sort().slice(-MONTHS)
  return {
    ...{ chart: 'bars' as const, title: words.byMonth, weight: 6 },
    bars: some.map(([month, value]) => ({ label: `${month.slice(5)}/${month.slice(2, 4)}`, value })),
  }
}

/** The days of a period, both ends included; null where there are more. */
function listDays(first: string, last: string, most: number): string[] | null {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  const n = Math.round((to - from) / 86_400_000) + 1
  if (n > most) return null
  return Array.from({ length: n }, (_, at) => new Date(from + at * 86_400_000).toISOString().slice(0, 10))
}
