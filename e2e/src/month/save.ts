// The rows of a company that lived, as they stand at the end of each of seven days: so a month can end on any day of the week.
import type postgres from 'postgres'

/** Made anew where they are loaded, or of no meaning behind the day they were for. */
const LEFT_OUT = [
  ...['live_event', 'raw_event', 'outbox', 'refresh_token', 'socket_token', 'sign_in_failure', 'job', 'job_error'],
  ...['push_cursor', 'push_subscription', 'whatsapp_status', 'whatsapp_command', 'whatsapp_auth', 'digested'],
  ...['work_span', 'figure_calendar', 'figure_count', 'figure_day', 'figure_change', 'figure_contact'],
  ...['figure_message', 'figure_message_day', 'figure_message_until'],
]

type Rows = readonly Readonly<Record<string, unknown>>[]

export interface SavedMonth {
  /** The midnight at which it ends. */
  readonly end: string
  readonly tables: readonly { readonly name: string; readonly rows: Rows }[]
}

/** A day later: which rows of the day before are gone or changed, by their places, and those that came. */
interface SavedDay {
  readonly end: string
  readonly tables: readonly { readonly name: string; readonly gone: readonly number[]; readonly rows: Rows }[]
}

/** Everything that is to be loaded again. */
export async function readRows(sql: postgres.Sql, end: Date): Promise<SavedMonth> {
  const names = await sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all(${LEFT_OUT}::text[]) order by relname`
  const tables: SavedMonth['tables'][number][] = []
  for (const { name } of names) {
    const rows = await sql.unsafe<{ row: Record<string, unknown> }[]>(`select to_jsonb(t) as row from "${name}" t`)
    if (rows.length > 0) tables.push({ name, rows: rows.map(({ row }) => row) })
  }
  return { end: end.toISOString(), tables }
}

/** What one has in common with the one that ends a day earlier stands once. */
export async function saveMonths(path: string, months: readonly SavedMonth[]): Promise<void> {
  let before: SavedMonth | undefined
  const days = months.map(month => {
    const day = toSavedDay(month, before)
    // As it will be read: places are those of its order.
    before = addDay(before, day)
    return JSON.stringify(day)
  })
  const text = days.join('\n')
  await Bun.write(path, Bun.zstdCompressSync(text, { level: 22 }))
}

/** The one that ends at such an instant. */
export async function readMonth(path: string, isWanted: (end: number) => boolean): Promise<SavedMonth | undefined> {
  const text = new TextDecoder().decode(Bun.zstdDecompressSync(await Bun.file(path).arrayBuffer()))
  let month: SavedMonth | undefined
  for (const line of text.split('\n')) {
    const day: SavedDay = JSON.parse(line)
    month = addDay(month, day)
    if (isWanted(Date.parse(month.end))) return month
  }
  return undefined
}

function toSavedDay({ end, tables }: SavedMonth, before: SavedMonth | undefined): SavedDay {
  const rowsBefore = new Map(before?.tables.map(({ name, rows }) => [name, rows]))
  const rowsNow = new Map(tables.map(({ name, rows }) => [name, rows]))
  const names = [...new Set([...rowsBefore.keys(), ...rowsNow.keys()])]
  return {
    end,
    tables: names.map(name => ({ name, ...compareRows(rowsBefore.get(name) ?? [], rowsNow.get(name) ?? []) })),
  }
}

/** Some tables have the same row twice. */
function compareRows(before: Rows, now: Rows): { readonly gone: readonly number[]; readonly rows: Rows } {
  const left = new Map<string, number>()
  const isTaken = (row: Rows[number]) => {
    const text = JSON.stringify(row)
    const n = left.get(text) ?? 0
    left.set(text, Math.max(0, n - 1))
    return n > 0
  }
  for (const row of now) left.set(JSON.stringify(row), (left.get(JSON.stringify(row)) ?? 0) + 1)
  const gone = before.flatMap((row, at) => (isTaken(row) ? [] : [at]))
  return { gone, rows: now.filter(isTaken) }
}

function addDay(month: SavedMonth | undefined, { end, tables }: SavedDay): SavedMonth {
  const rowsBefore = new Map(month?.tables.map(({ name, rows }) => [name, rows]))
  return {
    end,
    tables: tables.map(({ name, gone, rows }) => {
      const places = new Set(gone)
      return { name, rows: [...(rowsBefore.get(name) ?? []).filter((_, at) => !places.has(at)), ...rows] }
    }),
  }
}
