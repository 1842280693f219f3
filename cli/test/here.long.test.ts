// Commands of the server's machine on a database that is not this version's: said plainly in three languages, and nothing is touched.
import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupCode } from '@balcao/backend/operations/backup/fault'
import { startS3 } from '@balcao/simulator/s3/s3'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../backend/test/database.ts'
import { DATA_KEY, makePerson, toEmail } from '../../backend/test/desk-world.ts'
import { takeRounds } from '../../backend/test/rounds.ts'
import { waitUntil } from '../../backend/test/until.ts'
import en from '../locales/backup/en.json'
import es from '../locales/backup/es.json'
import pt from '../locales/backup/pt.json'
import { CTRL_C, createMachine, runInPipe, runInTerminal } from './terminal.ts'

const [empty, older, newer] = [await createEmptyDatabase(), await createEmptyDatabase(), await createTestDatabase()]
const ours = await createTestDatabase()
await older.db.$client`create schema drizzle`
await older.db
  .$client`create table drizzle.__drizzle_migrations as select 1 as id, 'x' as hash, 1::bigint as created_at`
await newer.db
  .$client`insert into drizzle.__drizzle_migrations (hash, created_at) select 'x', max(created_at) + 1 from drizzle.__drizzle_migrations`
const machine = await createMachine()
afterAll(machine.leave)

const BACKUP = join(machine.folder, 'desk.backup')
/** Roles are the whole server's. */
const ROLE = `test_${crypto.randomUUID().slice(0, 8)}`
const FILES = ['files', 'move']
const COMMANDS = [['reset-password', 'marina@saojose.example'], FILES, ['backup', 'create', BACKUP]]

async function runHere({ url }: Pick<TestDatabase, 'url'>, words: readonly string[], lang = 'pt_BR.UTF-8') {
  const env = { DATABASE_URL: url, DATA_DIR: join(machine.folder, 'data'), DATA_KEY, LANG: lang }
  const { err, code } = await runInPipe(machine, words, { env })
  return { err, code }
}

describe('decisions-2 §21: a command of the server’s machine', () => {
  const WORDS = [
    ['where there is no desk', empty, 'Não há um Balcão neste banco de dados.'],
    ['on tables of an older version', older, 'As tabelas são de uma versão anterior.'],
    ['on tables of a newer version', newer, 'As tabelas são de uma versão mais nova.'],
  ] as const
  for (const [where, database, words] of WORDS)
    test(`${where} says so and does nothing`, async () => {
      const before = await listTables(database)
      for (const command of takeRounds(COMMANDS, 1)) {
        const { err, code } = await runHere(database, command)
        expect([command[0], code, err.split('\n').length, err.includes(words)]).toEqual([command[0], 1, 2, true])
      }
      expect(await listTables(database)).toEqual(before)
      expect(await readdir(machine.folder)).not.toContain('desk.backup')
    })

  test('that moves files while the store hangs answers Ctrl+C at once in words, and ends', async () => {
    const s3 = await startS3()
    s3.hang()
    const env = { DATABASE_URL: ours.url, DATA_DIR: join(machine.folder, 'data'), DATA_KEY, ...s3.env }
    using seen = runInTerminal(machine, FILES, { env })
    await waitUntil('it asks the store', () => s3.requests.length > 0)
    seen.type(CTRL_C)
    await seen.until('Terminando: o arquivo a caminho tem três segundos.')
    expect([await seen.ended(), seen.isAsBefore()]).toEqual([130, true])
    await s3.stop()
  })

  test('in a folder where no desk is makes none there', async () => {
    const folder = join(machine.folder, 'elsewhere')
    for (const command of COMMANDS) {
      const { err, code } = await runInPipe(machine, command, { env: { DATA_DIR: folder } })
      expect([command[0], code, err]).toEqual([command[0], 1, expect.stringContaining('É o banco certo')])
      expect(existsSync(folder)).toBe(false)
    }
  })

  test('speaks the reader’s language, and programs are told by a code', async () => {
    const words = ['reset-password', 'marina@saojose.example']
    expect((await runHere(empty, words, 'en_US.UTF-8')).err).toStartWith('✗ There is no Balcão in this database.')
    expect((await runHere(empty, words, 'es_AR.UTF-8')).err).toStartWith('✗ No hay un Balcão en esta base de datos.')
    const { err } = await runHere(newer, [...words, '--json'])
    expect(JSON.parse(err)).toMatchObject({ error: 'database.newer' })
  })

  test('that gives a password to somebody who is deactivated says that they cannot sign in with it', async () => {
    const id = await makePerson(ours.db, { name: 'Caio', profile: 'user' })
    const reset = () => runHere(ours, ['reset-password', toEmail('Caio')])
    expect(await reset()).toEqual({ code: 0, err: '' })
    await ours.db.$client`update "user" set active = false where id = ${id}`
    expect(await reset()).toEqual({ code: 0, err: expect.stringContaining('desativada') })
  })

  test('finds its database by PGPASSWORD, whatever letters the password has', async () => {
    const password = `p@ss/w#rd:%41?&'"$1 ção`
    const sql = ours.db.$client
    await sql.unsafe(`create role ${ROLE} login superuser password '${password.replaceAll("'", "''")}'`)
    ours.beforeDrop(async () => void (await sql.unsafe(`drop role ${ROLE}`)))
    const address = new URL(ours.url)
    address.username = ROLE
    address.password = ''
    const env = { DATABASE_URL: address.href, PGPASSWORD: password, DATA_DIR: join(machine.folder, 'data'), DATA_KEY }
    for (const words of [['migrate'], ['files'], ['backup', 'create', BACKUP]]) {
      const { code, err } = await runInPipe(machine, words, { env })
      expect([words[0], code, err]).toEqual([words[0], 0, expect.not.stringContaining('✗')])
    }
    const wrong = await runInPipe(machine, ['migrate'], { env: { ...env, PGPASSWORD: 'another' } })
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('O banco de dados não pode ser usado')])
  })

  test('does not migrate what is newer, and says when the database does not answer, without its password', async () => {
    expect(await runHere(newer, ['migrate'])).toMatchObject({ code: 1, err: expect.stringContaining('mais nova') })
    const { err, code } = await runHere({ url: 'postgres://balcao:segredo@127.0.0.1:1/balcao' }, ['migrate'])
    expect([code, err]).toEqual([1, '✗ O banco de dados não pode ser usado: connect ECONNREFUSED 127.0.0.1:1\n'])
  })
})

describe('§20: what is wrong with a backup is said in the reader’s language, all of it', () => {
  /** Each language has every sentence: the compiler looks. */
  const SAID: readonly Record<BackupCode, string>[] = [pt.fault, en.fault, es.fault]
  const FOUND = ['O banco de dados não está vazio', 'The database is not empty', 'La base de datos no está vacía']
  const WHY = ['não é uma pasta', 'it is no folder', 'no es una carpeta']

  const languages = ['pt_BR.UTF-8', 'en_US.UTF-8', 'es_AR.UTF-8'].map((lang, at) => [lang, at] as const)
  test.each(takeRounds(languages, 1))(
    'in %s: a place that cannot be used, a database and a folder that are not empty, a changed byte',
    async (lang, at) => {
      const folder = join(machine.folder, `sayings-${at}`)
      const archive = join(folder, 'desk.backup')
      const noDisk = await runHere(ours, ['backup', 'create', archive], lang)
      const gone = SAID[at]?.BACKUP_NO_FOLDER.replace('{{where}}', folder)
      expect([noDisk.code, noDisk.err, existsSync(folder)]).toEqual([1, `✗ ${gone}\n`, false])
      await mkdir(folder)
      expect((await runHere(ours, ['backup', 'create', archive], lang)).code).toBe(0)
      const inFile = await runHere(ours, ['backup', 'create', join(archive, 'below.backup')], lang)
      expect([inFile.code, inFile.err]).toEqual([1, expect.stringContaining(`${archive} `)])
      expect(inFile.err).toContain(WHY[at] ?? '')
      const full = await runHere(ours, ['backup', 'restore', archive], lang)
      expect([full.code, full.err]).toEqual([1, expect.stringContaining(FOUND[at] ?? '')])
      expect(full.err).toMatch(/\w+\.\w+\. /)
      await Bun.write(join(machine.folder, 'data/media/ab/abc'), 'x')
      const files = await runHere(empty, ['backup', 'restore', archive], lang)
      await rm(join(machine.folder, 'data/media'), { recursive: true })
      const sentence = SAID[at]?.BACKUP_FOLDER_NOT_EMPTY.replace('{{where}}', join(machine.folder, 'data/media'))
      expect([files.code, files.err]).toEqual([1, `✗ ${sentence}\n`])
      const bytes = Buffer.from(await Bun.file(archive).arrayBuffer())
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      await Bun.write(archive, bytes)
      const changed = await runHere(empty, ['backup', 'restore', archive], lang)
      expect([changed.code, changed.err]).toEqual([1, expect.stringMatching(/\((#\d+|byte \d+|public\.\w+)\)/)])
      expect(await listTables(empty)).toEqual([])
    },
    60_000,
  )
})

describe('a database that goes away in the middle of a command of the server’s machine', () => {
  const LOST = '✗ O banco de dados caiu no meio: '
  const media = 'lock table media in access exclusive mode'
  /** Whoever makes the first tables waits; everybody can read and sign in. */
  const NO_SCHEMA = 'lock table pg_catalog.pg_namespace in share mode'
  const cases: readonly (readonly [readonly string[], 'ours' | 'empty', string])[] = [
    [['backup', 'create', join(machine.folder, 'lost.backup')], 'ours', media],
    [['files'], 'ours', media],
    [['reset-password', 'ana@saojose.example'], 'ours', 'lock table "user" in access exclusive mode'],
    [['migrate'], 'empty', NO_SCHEMA],
    [['backup', 'restore', BACKUP], 'empty', NO_SCHEMA],
  ]
  test.each(takeRounds(cases, 2))(
    '%p says so, ends with 1 and leaves nothing',
    async (words, which, lock) => {
      if (words[1] === 'restore') await runHere(ours, ['backup', 'create', BACKUP])
      const database = which === 'ours' ? ours : empty
      const locked = await database.db.$client.reserve()
      await locked`begin`
      await locked.unsafe(lock)
      const running = runHere(database, words)
      // Asked on another line: within a transaction the list stays as it was.
      const { $client: sql } = database.db
      const waiting = () =>
        sql`select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      await waitUntil('it waits', async () => (await waiting()).length > 0)
      await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      const { code, err } = await running
      await locked`rollback`
      locked.release()
      expect([code, err]).toEqual([1, expect.stringContaining(LOST)])
      expect(await listTables(empty)).toEqual([])
      expect((await readdir(machine.folder)).filter(name => name.startsWith('lost'))).toEqual([])
    },
    60_000,
  )
})

async function listTables({ db }: TestDatabase): Promise<unknown> {
  return await db.$client`select schemaname, relname from pg_stat_user_tables order by 1, 2`
}
