// Whether a desk has what another one had, row by row: how many of each kind, and a sum of all that is compared of them.
import type postgres from 'postgres'

type Cells = readonly (string | null | undefined)[]

/** Of each kind how many there are, and a sum that is the same in any order. */
export class MoveLedger {
  readonly kinds = new Map<string, { count: number; sum: bigint }>()

  add(kind: string, cells: Cells): void {
    const { count, sum } = this.kinds.get(kind) ?? { count: 0, sum: 0n }
    const row = BigInt(Bun.hash(JSON.stringify(cells.map(cell => cell ?? null))))
    this.kinds.set(kind, { count: count + 1, sum: (sum + row) & WHOLE })
  }

  /** Throws where the other one has more, less or something else. */
  expectSame(other: MoveLedger, step: string): void {
    for (const kind of new Set([...this.kinds.keys(), ...other.kinds.keys()])) {
      const [mine, theirs] = [this.kinds.get(kind) ?? NONE, other.kinds.get(kind) ?? NONE]
      if (mine.count !== theirs.count) throw new Error(`${step}: ${theirs.count} of ${mine.count} rows of ${kind}`)
      if (mine.sum !== theirs.sum) throw new Error(`${step}: what stands in the ${mine.count} rows of ${kind} differs`)
    }
  }
}

const WHOLE = (1n << 64n) - 1n
const NONE = { count: 0, sum: 0n }

type DumpRow = Readonly<Record<string, string | null | undefined>>

/** Of a row of the dump what names it, what it belongs to, its words and its times. Tickets are closed: their last change was their end. */
const DUMP_CELLS: Readonly<Record<string, (row: DumpRow) => Cells>> = {
  Users: row => [row.id, row.name],
  Queues: row => [row.id, row.name],
  Contacts: row => [row.id, row.name, row.number],
  Tickets: row => [row.id, row.contactId, row.queueId, row.userId, toTime(row.createdAt), toTime(row.updatedAt)],
  Messages: row => [row.id, row.ticketId, row.body, row.fromMe, row.quotedMsgId, toTime(row.createdAt)],
}

function toTime(value: string | null | undefined): string | null {
  return value?.slice(0, 19).replace(' ', 'T') ?? null
}

/** Passes the lines of a dump on, and writes down what they say. */
export function* recordDump(lines: Iterable<string>, ledger: MoveLedger): Generator<string> {
  let block: { readonly table: string; readonly columns: readonly string[] } | null = null
  for (const line of lines) {
    const [, table, columns = ''] = /^COPY public\."(\w+)" \((.*)\) FROM stdin;/.exec(line) ?? []
    if (table !== undefined) block = { table, columns: columns.replaceAll('"', '').split(', ') }
    else if (line.startsWith('\\.')) block = null
    else if (block) {
      const cells = line.slice(0, -1).split('\t')
      const row = Object.fromEntries(block.columns.map((name, at) => [name, cells[at] === '\\N' ? null : cells[at]]))
      const compared = DUMP_CELLS[block.table]?.(row)
      if (compared) ledger.add(block.table, compared)
    }
    yield line
  }
}

/** The same of what a move brought to a desk. Rows that customers wrote meanwhile are no part of it. */
export async function readMoved(sql: postgres.Sql, moveInId: number): Promise<MoveLedger> {
  const ledger = new MoveLedger()
  const origin = sql`(select origin from move_in where id = ${moveInId})`
  const from = (kind: string) =>
    sql`(select own_id, ltrim(key, '0') as key from move_in_link where kind = ${kind} and origin = ${origin})`
  const time = (column: string) => sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`
  const own = (column: string) => sql`substr(${sql(column)}, length(${origin}) + 2)`
  const reads = {
    Users: sql`select l.key, u.name from ${from('user')} l join "user" u on u.id = l.own_id`,
    Queues: sql`select l.key, q.name from ${from('queue')} l join queue q on q.id = l.own_id`,
    Contacts: sql`select l.key, c.name, c.number from ${from('contact')} l join contact c on c.id = l.own_id`,
    Tickets: sql`
      select l.key, c.key as contact, q.key as queue, u.key as agent, ${time('t.created_at')} as begun, ${time('t.closed_at')} as ended
      from ${from('ticket')} l join ticket t on t.id = l.own_id left join ${from('contact')} c on c.own_id = t.contact_id
        left join ${from('queue')} q on q.own_id = t.queue_id left join ${from('user')} u on u.own_id = t.user_id`,
    Messages: sql`
      select ${own('m.client_id')} as id, l.key, m.body, case when m.from_me then 't' else 'f' end as ours, ${own('a.client_id')} as quoted,
        ${time('m.at')} as written
      from ${from('ticket')} l join message m on m.ticket_id = l.own_id left join message a on a.id = m.quoted_id`,
  }
  for (const [kind, read] of Object.entries(reads))
    for await (const rows of read.values().cursor(PAGE)) for (const cells of rows) ledger.add(kind, cells)
  return ledger
}

const PAGE = 5000
