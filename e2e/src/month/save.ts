// The rows of a company that lived, as they stand at the end of each of seven days: so a month can end on any day of the week.
import type postgres from 'postgres'

/** Made anew where they are loaded, or of no meaning behind the day they were for. */
const LEFT_OUT = [
  ...['live_event', 'raw_event', 'outbox', 'refresh_token', 'socket_token', 'sign_in_failure', 'job', 'job_error'],
  ...['push_cursor', 'push_subscription', 'whatsapp_status', 'whatsapp_command', 'whatsapp_auth', 'digested'],
  ...['work_span', 'figure_calendar', 'figure_count', 'figure_day', 'figure_change', 'figure_contact'],
  ...['figure_message', 'figure_message_day', 'figure_message_until'],
]

export interface SavedMonth {
  /** The midnight at which it ends. */
  readonly end: string
  readonly tables: readonly { readonly name: string; readonly rows: readonly Readonly<Record<string, unknown>>[] }[]
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

/** What they have in common is packed once. */
export async function saveMonths(path: string, months: readonly SavedMonth[]): Promise<void> {
  const text = months.map(month => JSON.stringify(month)).join('\n')
  await Bun.write(path, Bun.zstdCompressSync(text, { level: 22 }))
}

export async function readMonths(path: string): Promise<SavedMonth[]> {
  const text = new TextDecoder().decode(Bun.zstdDecompressSync(await Bun.file(path).arrayBuffer()))
  return text.split('\n').map((line): SavedMonth => JSON.parse(line))
}
