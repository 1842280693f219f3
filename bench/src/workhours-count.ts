// What a day at the desk left: every message in the database, on the customers' phones and at the sockets it concerned.
import type { MessageMark } from './agents.ts'
import type { BenchDesk } from './desk.ts'
import { waitUntil } from './measure.ts'
import type { BenchTeam, WorkingDay } from './workhours-day.ts'

export interface WorkdayCount {
  readonly messages: number
  readonly lost: readonly MessageMark[]
  readonly doubled: readonly string[]
  /** Answers that are not on the customer's phone, or not once. */
  readonly notOnPhones: readonly MessageMark[]
  /** A conversation's first message and an agent of its team whose socket was not told. */
  readonly unheardFirst: number
  /** A message and the agent who has the conversation, whose socket was not told. */
  readonly unheardOwn: number
  /** Times a socket came back or had to begin afresh: nothing was broken on purpose. */
  readonly broken: number
  readonly unclosed: number
  readonly waiting: number
}

const PATIENCE_S = 120

/** Waits for what is on its way, and counts. */
export async function countDay(
  { sql }: BenchDesk,
  { written, first }: WorkingDay,
  teams: readonly BenchTeam[],
  shown: ReadonlyMap<string, number>,
): Promise<WorkdayCount> {
  const agents = teams.flatMap(team => team.agents)
  const answers = written.flatMap(({ mark }) => (mark.startsWith('OUT') ? mark : []))
  const unheardFirst = () =>
    first.reduce((sum, { mark, team }) => sum + team.agents.filter(agent => agent.heard(mark) === 0).length, 0)
  const ofOutbox = async () => {
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from outbox where state in ('queued', 'sending')`
    return row?.n ?? 0
  }
  const isAll = async () => unheardFirst() === 0 && answers.every(mark => shown.has(mark)) && (await ofOutbox()) === 0
  await waitUntil(isAll, PATIENCE_S, 'all of it is through').catch(() => {})
  const rows = await sql<{ body: string; n: number }[]>`
    select body, count(*)::int as n from message where body ~ '^(IN|OUT)-\\d+\\.$' group by body`
  const stored = new Map(rows.map(({ body, n }) => [body, n]))
  const [open] = await sql<{ n: number }[]>`select count(*)::int as n from ticket where status <> 'closed'`
  return {
    messages: written.length,
    lost: written.flatMap(({ mark }) => (stored.has(mark) ? [] : mark)),
    doubled: rows.filter(({ n }) => n > 1).map(({ body }) => body),
    notOnPhones: answers.filter(mark => shown.get(mark) !== 1),
    unheardFirst: unheardFirst(),
    unheardOwn: written.reduce((sum, { mark, by }) => sum + by.filter(agent => agent.heard(mark) === 0).length, 0),
    broken: agents.reduce((sum, { line }) => sum + line.returns + line.resets, 0),
    unclosed: open?.n ?? 0,
    waiting: await ofOutbox(),
  }
}
