// Every statement written by hand is one that the migrated database takes, and its rows are what the sources say they are: whoever
// renames a column, or makes one that may be null, is told where it is read. What goes through Drizzle the compiler knows from the
// tables, and those are as migrated.
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { runMigrations } from 'graphile-worker'
import { createTestDatabase } from './database.ts'
import { openDescriber } from './raw-sql/describe.ts'
import { findExpressionFaults, findStatementFaults } from './raw-sql/faults.ts'
import { openSources } from './raw-sql/project.ts'
import { findRowsByPlace, findRowsHandedOn } from './raw-sql/unordered.ts'

const SOURCES = join(import.meta.dir, '../src')
const { db, url, beforeDrop } = await createTestDatabase()

const sources = await openSources()
await runMigrations({ connectionString: url })
const describing = await openDescriber(url)
afterAll(() => sources.close())
beforeDrop(() => describing.close())

test('every statement of the back end is taken by the database and has the columns it says, null only where it says so', async () => {
  expect(await findStatementFaults(sources, describing, 'src')).toEqual([])
}, 600_000)

test('what stands by hand inside a query of the builder is taken by the database and is what it says', async () => {
  expect(await findExpressionFaults(sources, describing, 'src')).toEqual([])
}, 300_000)

test('a statement that says anything else is found', async () => {
  const faults = await findStatementFaults(sources, describing, 'test/raw-sql')
  expect(faults.map(fault => fault.split('\n')[0]?.replace(/.*?:\d+ /, ''))).toEqual([
    'is refused: PostgresError: column "identifier" does not exist',
    'has no column "queue_id"',
    '"id" is string, not number',
    '"queue_id" may be null',
    '"name" may be null',
    '"first" may be null',
    'does not say what "name" is',
    'is refused: PostgresError: column "state" does not exist',
    '"name" is string, not number',
  ])
  const ofExpressions = await findExpressionFaults(sources, describing, 'test/raw-sql')
  expect(ofExpressions.map(fault => fault.split('\n')[0]?.replace(/.*?:\d+ /, ''))).toEqual([
    'is refused: PostgresError: column x.owner_id does not exist',
    '"it" is number, not string',
  ])
}, 300_000)

test('no statement is sent past these templates and the query builder', async () => {
  const found: string[] = []
  for (const file of new Bun.Glob('**/*.ts').scanSync(SOURCES)) {
    const text = await Bun.file(join(SOURCES, file)).text()
    // A conversion of a recording is none.
    for (const [call] of text.matchAll(/(?<!conversion)\.(?:unsafe|execute)\(/g)) found.push(`${file}: ${call}`)
    // Locks and the worker's own tables are asked of other connections.
    for (const [call] of text.matchAll(
      /\.query\([^)]*\b(?:from|into|update|join) (?!graphile_worker|pg_|held|drizzle)\(?\w.*/g,
    ))
      found.push(`${file}: ${call}`)
  }
  // Tables of another desk's MySQL, LISTEN, which takes no parameters, and the files of the migrations.
  expect(found.sort()).toEqual([
    'operations/move-in/read/mysql.ts: .unsafe(',
    'platform/database/migrate.ts: .unsafe(',
    'platform/database/notices.ts: .unsafe(',
  ])
})

test('rows that a change gives back are ordered, or found by what they say', async () => {
  const found: string[] = []
  for (const file of new Bun.Glob('**/*.ts').scanSync(SOURCES))
    for (const name of findRowsByPlace(await Bun.file(join(SOURCES, file)).text())) found.push(`${file}: ${name}`)
  expect(found).toEqual([])
  const change = 'const rows = await sql`update message set state = 1 returning id`'
  const ordered =
    'const rows = await sql`with m as (update message set state = 1 returning id) select id from m order by id`'
  const uses = [
    'rows.at(-1)',
    'rows.findLast(({ id }) => id)',
    'rows[0]',
    'rows.map((row, at) => at)',
    'rows.map(({ id }, at) => at)',
  ]
  for (const use of uses) expect([use, findRowsByPlace(`${change}\nuse(${use})\n`)]).toEqual([use, ['rows']])
  for (const use of uses) expect(findRowsByPlace(`${ordered}\nuse(${use})\n`)).toEqual([])
  expect(findRowsByPlace(`${change}\nuse(rows.map(({ id, name }) => id))\n`)).toEqual([])
})

test('rows that a change gives back and that go on as a list are ordered, or their order says nothing', async () => {
  const found: string[] = []
  for (const file of new Bun.Glob('**/*.ts').scanSync(SOURCES))
    for (const name of findRowsHandedOn(await Bun.file(join(SOURCES, file)).text())) found.push(`${file}: ${name}`)
  const expected = Object.values(IN_ANY_ORDER).flat()
  expect([...new Set(found)].toSorted()).toEqual(expected.toSorted())
  const change = 'const rows = await sql`update message set state = 1 returning id`'
  for (const use of ['return rows.map(({ id }) => id)', 'await tell(tx, rows)', 'return { refs: [...rows] }'])
    expect([use, findRowsHandedOn(`${change}\n${use}\n`)]).toEqual([use, ['rows']])
  for (const use of [
    'return rows.length > 0',
    'const ids = new Set(toIds(rows))',
    "publishRows(tx, toIds(rows), 'update')",
  ])
    expect([use, findRowsHandedOn(`${change}\n${use}\n`)]).toEqual([use, []])
})

/** Lists of changed rows that go on without an order, by what becomes of them. */
const IN_ANY_ORDER: Readonly<Record<string, readonly string[]>> = {
  'each is told of, logged, deleted or freed by itself': [
    'desk/bot-questions/save.ts: rows',
    'desk/connections/default.ts: rows',
    'desk/contact-sheets/clear.ts: gone',
    'desk/contact-sheets/import-directory.ts: made',
    'desk/contacts/delete.ts: gone',
    'desk/contacts/merge.ts: repeats',
    'desk/contacts/unmerge.ts: rows',
    'desk/jobs/long.ts: changed',
    'desk/messages/mentions.ts: added',
    'desk/quick-answers/save.ts: gone',
    'desk/tags/save.ts: rows',
    'desk/contact-sheets/touch.ts: rows',
    'desk/users/delete.ts: redirected',
    'messaging/outbox/give-up.ts: doubted',
    'messaging/outbox/give-up.ts: waited',
    'messaging/sends/events.ts: rows',
    'messaging/sends/events.ts: schedules',
    'messaging/sends/pace.ts: rows',
    'messaging/sends/stop.ts: stopped',
    'operations/move-in/undo.ts: gone',
    'operations/privacy/begin.ts: emptied',
    'operations/privacy/begin.ts: tickets',
    'operations/privacy/messages.ts: emptied',
    'operations/privacy/messages.ts: gone',
  ],
  'each is found by its key where it goes': [
    'app/seed/rows.ts: known',
    'app/seed/scene.ts: stored',
    'desk/contacts/newcomers.ts: made',
    'messaging/inbox/tickets.ts: opened',
    'operations/move-in/write-contacts.ts: stored',
  ],
  'they are sorted there': ['desk/contacts/live-tickets.ts: rows', 'messaging/webhooks-out/turns.ts: rows'],
  'they are the numbers of one person, all alike': [
    'desk/contacts/merge-by-hand.ts: rows',
    'desk/contacts/numbers.ts: gone',
  ],
  'there is one at most': [
    'desk/media/fetcher.ts: changed',
    'desk/users/locked-out.ts: found',
    'desk/users/sign-up.ts: id',
  ],
}

test('no statement sorts by a cast that has the name of its column: no index serves it, and as text 10 comes before 2', async () => {
  const found: string[] = []
  for (const file of new Bun.Glob('**/*.ts').scanSync(SOURCES))
    for (const name of findCastOrders(await Bun.file(join(SOURCES, file)).text())) found.push(`${file}: ${name}`)
  expect(found).toEqual([])
  const [hidden, seen] = ['order by at, id desc', 'order by at, m.id desc'].map(order =>
    findCastOrders(`sql\`select m.id::float8 as id from message m ${order} limit 5\``),
  )
  expect([hidden, seen]).toEqual([['id'], []])
})

/** A bare name in `order by` is what is selected under it before it is a column. */
function findCastOrders(text: string): string[] {
  const templates = [...text.matchAll(/`[^`]*`/g)].map(([template]) => template)
  return templates.flatMap(template =>
    [...template.matchAll(/\b(\w+)::\w+ as "?\1\b/g)].flatMap(({ 0: cast, 1: name = '', index }) => {
      const orders = template.slice(index + cast.length).matchAll(/order by (.*?)(?: limit | offset |\n|`)/g)
      const bare = new RegExp(`(?<![.\\w"])"?${name}\\b(?!"?[.(])`)
      return [...orders].flatMap(([, order = '']) => (bare.test(order) ? [name] : []))
    }),
  )
}

test('the tables that Drizzle knows are those of the migrations', async () => {
  const columns = await db.$client<{ at: string; type: string; required: boolean }[]>`
    select c.relname || '.' || a.attname as at, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by 1`
  const modules = await Promise.all(
    [...new Bun.Glob('*/*/table.ts').scanSync(SOURCES)].map(async file =>
      Object.values<unknown>(await import(join(SOURCES, file))),
    ),
  )
  const known = modules
    .flat()
    .filter(table => is(table, PgTable))
    .flatMap(table => {
      const { name, columns } = getTableConfig(table)
      return columns.map(column => ({
        at: `${name}.${toSnakeCase(column.name)}`,
        type: column.getSQLType().replace(' (', '('),
        required: column.notNull,
      }))
    })
  expect(known.sort((a, b) => (a.at < b.at ? -1 : 1))).toEqual(
    [...columns].map(({ at, type, required }) => ({ at, type, required })),
  )
})
