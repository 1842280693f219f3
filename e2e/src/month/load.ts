// A month that was lived once, moved by whole weeks so that it ends yesterday: days of the week stay what they were.
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseScene } from '@balcao/backend/app/seed/company'
import { makeFile } from '@balcao/backend/app/seed/files'
import {
  type CompanyOptions,
  idsByName,
  type SeededIds,
  type SeedPerson,
  toCloudColumns,
} from '@balcao/backend/app/seed/rows'
import type { PastCompany, SeedOptions } from '@balcao/backend/app/seed/seed'
import { getMediaPath } from '@balcao/backend/desk/media/folder'
import type { Tx } from '@balcao/backend/platform/database/client'
import { getSql } from '@balcao/backend/platform/database/raw'
import { seal } from '@balcao/backend/platform/seal'
import { toInstant, toWallClock } from '@balcao/contract'
import { readMonth, type SavedMonth } from './save.ts'
import { MONTH } from './story.ts'
import { TEAM } from './team.ts'

export const TIMEZONE = 'America/Sao_Paulo'
const DAY = 86_400_000
const ROWS = join(import.meta.dir, 'rows.json.zst')

/** For `seedDemo`: the company has lived a month before today, with five people. */
export const PAST_MONTH: PastCompany = { people: TEAM, scene: parseScene(MONTH.scene), load: loadMonth }

/**
 * Fills empty tables; figures are left to be counted from the rows. Triggers rest meanwhile: what they write is among the rows. Columns
 * that are new since the month was lived take their defaults.
 */
async function loadMonth(
  tx: Tx,
  people: readonly SeedPerson[],
  dataKey: string,
  { cloud, dataDir }: SeedOptions,
): Promise<SeededIds> {
  const today = toInstant({ ...toWallClock(new Date(), TIMEZONE), hour: 0, minute: 0 }, TIMEZONE).getTime()
  const month = await readMonth(ROWS, end => toDays(today - end) % 7 === 0)
  if (!month) throw new Error('No month ends on this day of the week')
  await loadRows(tx, month, toDays(today - Date.parse(month.end)))
  const files = new Map<string, Uint8Array>()
  for (const { id, name } of await getSql(tx)<{ id: string; name: string }[]>`select id, name from media`) {
    const file = files.get(name) ?? makeFile(name)
    files.set(name, file)
    await writeFile(getMediaPath(dataDir, id), file)
  }
  return takeOver(tx, people, dataKey, cloud)
}

/** Whole ones, also where a clock was changed between. */
function toDays(ms: number): number {
  return Math.round(ms / DAY)
}

async function loadRows(tx: Tx, { tables }: SavedMonth, days: number): Promise<void> {
  const columns = await listColumns(tx)
  await getSql(tx)`set local session_replication_role = replica`
  for (const { name, rows } of tables) {
    const [first = {}] = rows
    const known = columns.filter(one => one.table === name && one.key in first)
    await loadTable(tx, name, known, moveProtocols(JSON.stringify(rows), days), days)
  }
  await getSql(tx)`set local session_replication_role = origin`
}

interface Column {
  readonly table: string
  readonly key: string
  readonly name: string
  readonly type: string
  readonly isCounter: boolean
}

async function listColumns(tx: Tx): Promise<readonly Column[]> {
  return getSql(tx)<Column[]>`
    select c.relname::text as table, a.attname::text as key, quote_ident(a.attname) as name, a.atttypid::regtype::text as type,
      a.attidentity <> '' as "isCounter"
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`
}

async function loadTable(tx: Tx, table: string, columns: readonly Column[], rows: string, days: number): Promise<void> {
  const sql = getSql(tx)
  const names = columns.map(({ name }) => name).join(', ')
  const moved = columns.map(({ name, type }) => {
    if (type === 'timestamp with time zone') return `${name} + interval '${days} days'`
    return type === 'date' ? `${name} + ${days}` : name
  })
  // Migrations fill some; files of today's conversations are there already.
  if (table !== 'media') await sql.unsafe(`delete from "${table}"`)
  await sql.unsafe(
    `insert into "${table}" (${names}) overriding system value
     select ${moved.join(', ')} from jsonb_populate_recordset(null::"${table}", $1::text::jsonb)`,
    [rows],
  )
  const counter = columns.find(({ isCounter }) => isCounter)
  if (counter)
    await sql.unsafe(
      `select setval(pg_get_serial_sequence('"${table}"', '${counter.key}'), (select max(${counter.name}) from "${table}"))`,
    )
}

/** Their numbers begin with the day they were given on. */
function moveProtocols(rows: string, days: number): string {
  return rows.replace(/\b2026(0[345])(\d\d)(\d{6})\b/g, (_, month: string, day: string, number: string) => {
    const then = new Date(Date.UTC(2026, Number(month) - 1, Number(day) + days))
    return then.toISOString().slice(0, 10).replaceAll('-', '') + number
  })
}

async function writeFile(path: string, file: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await Bun.write(path, file)
}

/** Its people get the passwords of today, its connections what they are reached by. */
async function takeOver(
  tx: Tx,
  people: readonly SeedPerson[],
  dataKey: string,
  cloud: CompanyOptions['cloud'],
): Promise<SeededIds> {
  const sql = getSql(tx)
  for (const { name, email, emailHash, hash } of people)
    await sql`
      update "user" set email_sealed = ${seal(dataKey, email)}, email_hash = ${emailHash}, password_hash = ${hash} where name = ${name}`
  if (cloud) {
    const { number, config } = toCloudColumns(dataKey, cloud)
    await sql`update whatsapp set number = ${number}, config = ${JSON.stringify(config)}::text::jsonb where api = 'cloud_api'`
  }
  const ids = idsByName(await sql<NamedRow[]>`select id, name from "user"`)
  return {
    users: new Map(people.map(({ key, name }) => [key, ids.get(name) ?? 0])),
    queues: idsByName(await sql<NamedRow[]>`select id, name from queue`),
    tags: idsByName(await sql<NamedRow[]>`select id, name from tag`),
    connections: idsByName(await sql<NamedRow[]>`select id, name from whatsapp`),
  }
}

interface NamedRow {
  readonly id: number
  readonly name: string
}
