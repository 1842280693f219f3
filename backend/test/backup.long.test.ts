// decisions-2 §20 Backup: one snapshot of every table with its files, encrypted with a key, verified and restored; what is no good is said
// and changes nothing; and a desk that was restored says nothing to anybody by itself.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'
import { type S3, startS3 } from '@balcao/simulator/s3/s3'
import { sql as raw } from 'drizzle-orm'
import { listBackupAlarms, readBackupState } from '../src/operations/backup/alarm.ts'
import { createBackup } from '../src/operations/backup/create.ts'
import { createDailyBackup } from '../src/operations/backup/daily.ts'
import type { BackupFault } from '../src/operations/backup/fault.ts'
import { createFileSink, openFileSource } from '../src/operations/backup/folder.ts'

const SUFFIX = '.tar'

import { startServer } from '../src/app/server.ts'
import { getBucket } from '../src/desk/media/bucket.ts'
import { getMediaPath } from '../src/desk/media/folder.ts'
import { openMedia, removeMedia, storeMedia } from '../src/desk/media/store.ts'
import { createInboxBatcher } from '../src/messaging/inbox/batcher.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { sends } from '../src/messaging/sends/table.ts'
import { restoreInstallation } from '../src/operations/backup/installation.ts'
import { fingerprintDataKey } from '../src/operations/backup/key.ts'
import { openSink, openSource } from '../src/operations/backup/open-storage.ts'
import { restoreBackup } from '../src/operations/backup/restore.ts'
import { removeScratchDatabases } from '../src/operations/backup/scratch.ts'
import { pickSecrets, putSecrets } from '../src/operations/backup/secrets.ts'
import { createStaging } from '../src/operations/backup/staging.ts'
import { formatBackupName } from '../src/operations/backup/storage.ts'
import { backups } from '../src/operations/backup/table.ts'
import { verifyBackup } from '../src/operations/backup/verify.ts'
import { type Config, readConfig } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/client.ts'
import { isProcessAlive } from '../src/platform/database/embedded.ts'
import { runWithDatabase } from '../src/platform/database/installation.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { AppError } from '../src/platform/http/errors.ts'
import { createApiToken, splitStoredToken } from '../src/policy/settings/api-token.ts'
import { createEmptyDatabase, createTestDatabase } from './database.ts'
import { createBrowser } from './desk-server.ts'
import { DATA_KEY, makePerson, makeQueue, PASSWORD, toEmail } from './desk-world.ts'
import { makeMessageEvent, makePeer } from './inbox-world.ts'
import { makeOutgoingFixture } from './outgoing-world.ts'
import { takeRounds } from './rounds.ts'
import { createSmallDisk } from './small-disk.ts'
import { waitUntil } from './until.ts'

const KEY = 'uma chave de cópias que é comprida'
const MANY = 3000
/** The command by hand. */
const BACKUP = [...buildCommand('cli/src/main.ts'), 'backup']
const LANG = 'en_US.UTF-8'
const { db, url } = await createTestDatabase()
/** Nothing is ever brought into it. */
const stillEmpty = await createEmptyDatabase()
const sql = getSql(db)
const home = await mkdtemp(join(tmpdir(), 'balcao-backup-test-'))
const dataDir = join(home, 'data')
const config = configOf(dataDir)
const place = { db, dataDir }

function configOf(folder: string, env: Record<string, string> = {}): Config {
  return readConfig({ DATA_DIR: folder, DATA_KEY, ...env })
}

const queueId = await makeQueue(db, 'Vendas')
const userId = await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [queueId] })
const world = await makeOutgoingFixture(db, 3)
const [ticket] = world.tickets
await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, provider_id, from_me, body, state)
    select ${ticket?.id ?? 0}, ${ticket?.contactId ?? 0}, ${world.whatsappId}, n, now(), 'P' || n, n % 2 = 0,
      ${'Linha um\nlinha dois\t\\ e ção '} || n, case when n % 2 = 0 then 'sent' else 'received' end
    from generate_series(1, ${MANY}) n`
await sql`update ticket set message_seq = ${MANY} where id = ${ticket?.id ?? 0}`
/** Files that the desk holds. */
const fileIds = [await aFile(3_000_000), await aFile(10), await aPicture()]
await sql`update message set media_id = ${fileIds[0] ?? ''} where seq = 1 and ticket_id = ${ticket?.id ?? 0}`
await world.write(1, 'Ainda não saiu')
await sql`insert into setting (key, value) values ('closeCron', 'enabled')`
const encrypted = await backUp('encrypted', KEY)
const plain = await backUp('plain', null)

afterAll(() => rm(home, { recursive: true, force: true }))

/** The scratch databases of this one bear it in their names: other desks are on the same server. */
async function readOid(): Promise<string> {
  const [row] = await sql<{ oid: string }[]>`select oid::text from pg_database where datname = current_database()`
  return row?.oid ?? ''
}

async function aFile(size: number): Promise<string> {
  const bytes = new Uint8Array(size).map((_, at) => (at * 31) % 251)
  const { id } = await storeMedia(place, one(bytes), { name: 'planta.bin', most: size })
  await sql`update media set owner = 'message', ticket_id = ${world.tickets[0]?.id ?? 0} where id = ${id}`
  return id
}

/** One that has a small picture beside it. */
async function aPicture(): Promise<string> {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  return (await storeMedia(place, one(png), { name: 'foto.png', most: png.length })).id
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function backUp(name: string, key: string | null, more: { signal?: AbortSignal; gentle?: boolean } = {}) {
  const where = join(home, `${name}${SUFFIX}`)
  const sink = () => createFileSink(where)
  const { version } = config
  return createBackup({
    where,
    databaseUrl: url,
    dataDir,
    bucket: null,
    version,
    secrets: pickSecrets(config),
    key,
    sink,
    ...more,
  })
}

/** Restores into a database and a folder of its own. */
async function restoreInto(
  path: string,
  key: string | null,
  { env = {}, folder = join(home, `restored-${crypto.randomUUID()}`), into = undefined as string | undefined } = {},
) {
  const target = into ? undefined : await createEmptyDatabase()
  const databaseUrl = into ?? target?.url ?? ''
  const { dataKey } = readConfig({ DATA_DIR: folder, ...env })
  const source = await openFileSource(path)
  const result = restoreBackup({
    ...{ source, key, databaseUrl, dataDir: folder, hasBucket: false, dataKey, dataKeyIsGiven: 'DATA_KEY' in env },
  })
  return { result, folder, target, databaseUrl }
}

/** The code of the fault that something ends with. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was wrong',
    (error: BackupFault) => error.code ?? String(error),
  )
}

/** Every table with its rows in an order of their own, as one sum. */
async function sumsOf(of: Db): Promise<Record<string, string>> {
  const tables = await getSql(of)<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`
  const sums: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await of.execute<{ sum: string }>(
      raw`select count(*) || ' ' || coalesce(md5(string_agg(t::text, e'\n' order by t::text collate "C")), '') as sum from ${raw.identifier(name)} t`,
    )
    sums[name] = row?.sum ?? ''
  }
  return sums
}

async function filesIn(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(join(folder, 'media'), { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile()) {
      const bytes = await readFile(join(entry.parentPath, entry.name))
      found[entry.name] = Bun.hash(bytes).toString(16)
    }
  return found
}

/** A way to a database that is cut once, just after this word of a client has gone through. */
async function cutAt(to: string, word: string) {
  const { hostname, port } = new URL(to)
  let cuts = 0
  const front = createServer(near => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) socket.on('error', () => socket.destroy())
    near.on('data', bytes => {
      const isIt = cuts === 0 && bytes.length < 100 && bytes.includes(word)
      if (isIt) cuts++
      far.write(bytes, () => isIt && near.destroy())
    })
    far.on('data', bytes => near.write(bytes))
    near.on('close', () => far.destroySoon())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>(done => front.listen(0, '127.0.0.1', done))
  const at = front.address()
  const url = new URL(to)
  url.host = `127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`
  return { url: url.href, cuts: () => cuts, stop: () => front.close() }
}

/** What a restore may leave otherwise than it was kept: all that would go out, and who was here (`disarm.ts`). */
const CALMED = [
  'backup',
  'live_event',
  'message',
  'open_page',
  'outbox',
  'privacy_erasure',
  'push_cursor',
  'push_subscription',
  'refresh_token',
  'setting',
  'socket_token',
  'ticket',
  'user',
  'webhook',
  'webhook_cursor',
  'webhook_delivery',
  'webhook_event',
  'whatsapp',
  'whatsapp_command',
  'whatsapp_status',
]

describe('§20 a backup', () => {
  test('is restored whole: every row of every table, every file', async () => {
    const { result, folder, target } = await restoreInto(encrypted.where, KEY)
    const { manifest } = await result
    expect(manifest.tables.find(({ name }) => name === 'public.message')?.rows).toBe(MANY + 1)
    expect(manifest.files).toMatchObject({ count: 3, gone: 0, missing: [], damaged: [] })
    expect(await filesIn(folder)).toEqual(await filesIn(dataDir))
    expect(JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))).toEqual({ ...pickSecrets(config) })
    expect(Object.keys(await filesIn(folder)).some(name => name.endsWith('.thumb'))).toBe(true)
    if (!target) throw new Error('There is no target')
    const [before, after] = [await sumsOf(db), await sumsOf(target.db)]
    expect(Object.keys(after)).toEqual(Object.keys(before))
    expect(Object.keys(before).filter(name => before[name] !== after[name] && !CALMED.includes(name))).toEqual([])
    const bodies = (of: Db) => getSql(of)`select id, seq, body, provider_id, search_text from message order by id`
    expect([...(await bodies(target.db))]).toEqual([...(await bodies(db))])
    // What stands behind the rows is there too: keys, references, triggers, numbers that go on.
    const made = (of: Db) => getSql(of)`
      select conname as name from pg_constraint where connamespace = 'public'::regnamespace
      union all select indexname from pg_indexes where schemaname = 'public'
      union all select tgname from pg_trigger where tgenabled = 'O' and not tgisinternal order by 1`
    expect([...(await made(target.db))]).toEqual([...(await made(db))])
    const next = (of: Db) => getSql(of)<{ id: number }[]>`insert into contact (name) values ('Depois') returning id`
    const [[theirs], [ours]] = [await next(target.db), await next(db)]
    expect(theirs?.id).toBe(ours?.id ?? 0)
    // Whatever the umask was.
    expect((await stat(join(folder, 'media'))).mode & 0o777).toBe(0o700)
  })

  test('is restored whole though the line is lost just after the last word', async () => {
    const target = await createEmptyDatabase()
    const front = await cutAt(target.url, 'commit\0')
    const { result, folder } = await restoreInto(encrypted.where, KEY, { into: front.url })
    await result
    expect(front.cuts()).toBe(1)
    expect(await filesIn(folder)).toEqual(await filesIn(dataDir))
    expect((await getSql(target.db)`select 1 from message limit 1`).length).toBe(1)
    front.stop()
  })

  test('lays the secrets that were there beside, each time under another name', async () => {
    const folder = await mkdtemp(join(home, 'secrets-'))
    const secrets = pickSecrets(config)
    const names: (string | null)[] = []
    for (const jwtSecret of ['one', 'two', 'three']) {
      names.push((await putSecrets(folder, { ...secrets, jwtSecret })).replaced)
      await Bun.sleep(2)
    }
    expect(names[0]).toBeNull()
    const manifests = await Promise.all(names.slice(1).map(name => Bun.file(name ?? '').json()))
    expect(manifests.map(({ jwtSecret }) => jwtSecret)).toEqual(['one', 'two'])
  })

  test('says nothing of secrets that the restore itself had made', async () => {
    const folder = await mkdtemp(join(home, 'secrets-'))
    const secrets = pickSecrets(config)
    await putSecrets(folder, { ...secrets, jwtSecret: 'just made' })
    const put = await putSecrets(folder, secrets, false)
    expect([put.replaced, await readdir(folder)]).toEqual([null, ['secrets.json']])
    await put.undo()
    expect(await readdir(folder)).toEqual([])
  })

  test('by the command into an empty folder: no secrets were there, though it makes some as it begins', async () => {
    const folder = await mkdtemp(join(home, 'empty-'))
    const target = await createEmptyDatabase()
    const left: unknown[] = []
    const result = await restoreInstallation(
      { DATA_DIR: folder, DATABASE_URL: target.url, BALCAO_BACKUP_KEY: KEY },
      { file: encrypted.where, warnOfLeftovers: error => left.push(error) },
    )
    expect(left).toEqual([])
    expect(result.replaced).toBeNull()
    expect((await readdir(folder)).filter(name => name.startsWith('secrets'))).toEqual(['secrets.json'])
  })

  test('that fails at its end leaves the secrets of the desk that lives there, and none where there were none', async () => {
    for (const text of takeRounds(['{"dataKey":"the key of the desk that lives here"}', null], 1)) {
      const folder = await mkdtemp(join(home, 'living-'))
      if (text !== null) await writeFile(join(folder, 'secrets.json'), text)
      const target = await createEmptyDatabase()
      const mediaPath = join(folder, 'media', 'ab', 'abcdefghijkl')
      const restoring = restoreBackup({
        ...{ source: await openFileSource(encrypted.where), key: KEY, databaseUrl: target.url, dataDir: folder },
        ...{ hasBucket: false, dataKey: 'the key of the desk that lives here', dataKeyIsGiven: false },
        // Somebody comes first.
        progress({ step }) {
          if (step !== 'upgrade') return
          mkdirSync(dirname(mediaPath), { recursive: true })
          writeFileSync(mediaPath, 'somebody else’s')
        },
      })
      expect(await codeOf(restoring)).toBe('BACKUP_FOLDER_NOT_EMPTY')
      const secrets = (await readdir(folder)).filter(name => name.startsWith('secrets'))
      expect(secrets).toEqual(text === null ? [] : ['secrets.json'])
      if (text !== null) expect(await readFile(join(folder, 'secrets.json'), 'utf8')).toBe(text)
    }
  })

  test('that is restored takes away what a restore left that died, and nothing of one that lives however long', async () => {
    const folder = await mkdtemp(join(home, 'staging-'))
    using living = createStaging(folder, 'restore', 10)
    const dead = join(folder, 'media.restoring-dead')
    const before = new Date(Date.now() - 2 * 3_600_000)
    for (const path of [living.path, dead]) {
      await mkdir(join(path, 'ab'), { recursive: true })
      await utimes(path, before, before)
    }
    await waitUntil('it was seen', async () => (await stat(living.path)).mtimeMs > before.getTime() + 3_600_000)
    const { result } = await restoreInto(encrypted.where, KEY, { folder })
    await result
    const left = (await readdir(folder)).filter(name => name.startsWith('media.'))
    expect(left).toEqual([basename(living.path)])
  })

  test('is verified in a scratch database, with and without a key', async () => {
    const both = [
      [encrypted, KEY],
      [plain, null],
    ] as const
    for (const [made, key] of takeRounds(both, 1)) {
      const source = await openFileSource(made.where)
      const { manifest } = await verifyBackup({ source, key, dataDir: home, serverUrl: url })
      expect(manifest).toEqual(made.manifest)
    }
    const beside = sql`select from pg_database where datname like ${`balcao_verify_${await readOid()}_%`}`
    expect((await beside).length).toBe(0)
  })

  test('is not verified on a server where the role may not make a database: said so', async () => {
    const role = `reader_${crypto.randomUUID().slice(0, 8)}`
    await sql.unsafe(`create role ${role} login password 'segredo'`)
    const serverUrl = new URL(url)
    Object.assign(serverUrl, { username: role, password: 'segredo' })
    const source = await openFileSource(plain.where)
    const verifying = verifyBackup({ source, key: null, dataDir: home, serverUrl: serverUrl.href })
    expect(await codeOf(verifying)).toBe('BACKUP_NO_SCRATCH')
    await sql.unsafe(`drop role ${role}`)
  })

  test('tells nothing in the clear when it is encrypted, and brings the secrets along only then', async () => {
    const bytes = await readFile(encrypted.where)
    for (const word of ['linha dois', 'Marina', 'contact', DATA_KEY]) expect(bytes.includes(word)).toBe(false)
    expect(await codeOf((await restoreInto(plain.where, null)).result)).toBe('BACKUP_OTHER_DATA_KEY')
    const otherKey = { DATA_KEY: 'another key that is long enough' }
    expect(await codeOf((await restoreInto(encrypted.where, KEY, { env: otherKey })).result)).toBe(
      'BACKUP_DATA_KEY_GIVEN',
    )
  })

  test('is of one instant, while customers write on and files come and go', async () => {
    const ending = new AbortController()
    let taken = 0
    const taker = createInboxBatcher(
      db,
      { id: world.whatsappId },
      { taken: () => {}, failed: error => ending.abort(error) },
    )
    const writing = (async () => {
      for (let n = 0; !ending.signal.aborted; n++) {
        await taker.take([makeMessageEvent(makePeer({ pn: '5531987654321' }), `Durante ${n}`, { id: `DURING${n}` })])
        taken++
        if (n % 20 === 0) {
          const id = await aFile(1000 + n)
          if (n % 40 === 0) await removeMedia(place, [id])
        }
      }
    })()
    await waitUntil('customers write', () => taken > 20)
    const made = await backUp('during', KEY, { gentle: true })
    const atEnd = taken
    ending.abort('done')
    await writing
    await taker.stop()
    const { result, target } = await restoreInto(made.where, KEY)
    const { manifest } = await result
    expect(manifest.files.missing).toEqual([])
    if (!target) throw new Error('There is no target')
    const of = getSql(target.db)
    const [held] = await of<{ during: number; contiguous: boolean }[]>`
      select count(*)::int as during, count(*) = coalesce(max(substr(provider_id, 7)::int + 1), 0) as contiguous
      from message where provider_id like 'DURING%'`
    expect(held?.during).toBeGreaterThan(20)
    expect(held?.during).toBeLessThanOrEqual(atEnd)
    expect(held?.contiguous).toBe(true)
    // Every message has its raw event, and every ticket the number of its last message: nothing is half there.
    const half = await of`
      select 1 from message m where provider_id like 'DURING%' and not exists (select 1 from raw_event r where r.whatsapp_id = m.whatsapp_id and r.key like '%' || m.provider_id || '%')
      union all select 1 from ticket t where t.message_seq < (select max(seq) from message m where m.ticket_id = t.id)`
    expect(half.length).toBe(0)
  })

  test('says which files are lost or were changed on the disk, and is made all the same', async () => {
    const [lost = '', changed = ''] = [await aFile(2000), await aFile(2001)]
    await rm(getMediaPath(dataDir, lost))
    await writeFile(getMediaPath(dataDir, changed), 'something else')
    const { manifest } = await backUp('damaged-files', KEY)
    expect(manifest.files).toMatchObject({ missing: [lost], damaged: [changed] })
    await removeMedia(place, [lost, changed])
  })
})

describe('a backup as versions up to 7.1 wrote it', () => {
  const OLD = {
    encrypted: join(import.meta.dir, 'fixtures/form-1-encrypted.backup'),
    plain: join(import.meta.dir, 'fixtures/form-1-plain.backup'),
  }

  test('is verified and restored, rows and files', async () => {
    const forms = [
      [OLD.encrypted, KEY, {}],
      [OLD.plain, null, { DATA_KEY }],
    ] as const
    for (const [path, key, env] of takeRounds(forms, 1)) {
      const verified = await verifyBackup({ source: await openFileSource(path), key, dataDir: home, serverUrl: url })
      expect(verified.manifest.tables.find(({ name }) => name === 'public.message')?.rows).toBe(30)
      const { result, folder, target } = await restoreInto(path, key, { env })
      const { manifest } = await result
      expect(manifest).toEqual(verified.manifest)
      if (!target) throw new Error('There is no target')
      const of = getSql(target.db)
      expect([...(await of`select body from message where seq = 30`)]).toEqual([
        { body: 'Linha um\nlinha dois\t\\ e ção 30' },
      ])
      const [file] = await of<{ id: string }[]>`select id from media`
      expect(await readFile(getMediaPath(folder, file?.id ?? ''), 'utf8')).toBe('o boleto de antes\n')
    }
  })
})

describe('what is no good is said, and nothing is changed', () => {
  const target = stillEmpty
  const databaseUrl = target.url
  const folder = join(home, 'stays-empty')

  async function refused(path: string, key: string | null): Promise<string> {
    const { result } = await restoreInto(path, key, { folder, into: databaseUrl, env: { DATA_KEY } })
    const code = await codeOf(result)
    const left = await getSql(target.db)`
      select relname from pg_class c join pg_namespace n on n.oid = relnamespace where nspname in ('public', 'drizzle') and relkind = 'r'`
    expect(left.length).toBe(0)
    expect((await readdir(folder)).filter(name => name.startsWith('media'))).toEqual([])
    return code
  }

  async function changed(name: string, from: string, change: (bytes: Buffer) => Uint8Array): Promise<string> {
    const path = join(home, name)
    await writeFile(path, change(await readFile(from)))
    return path
  }

  test('without its key, with another one, with one that is too short', async () => {
    expect(await refused(encrypted.where, null)).toBe('BACKUP_KEY_NEEDED')
    expect(await refused(encrypted.where, `${KEY}!`)).toBe('BACKUP_KEY_WRONG')
    expect(await refused(plain.where, KEY)).toBe('BACKUP_KEY_UNUSED')
    expect(await codeOf(backUp('short', 'curta'))).toBe('BACKUP_KEY_SHORT')
  })

  test('cut anywhere: in the head, in the middle, before the last byte', async () => {
    const { length } = await readFile(plain.where)
    const cuts = [
      [encrypted, KEY, 60],
      [encrypted, KEY, length / 2],
      [plain, null, length - 1],
    ] as const
    for (const [from, key, at] of takeRounds(cuts, 2)) {
      const cut = await changed('cut', from.where, bytes => bytes.subarray(0, at))
      expect([at, await refused(cut, key)]).toEqual([at, 'BACKUP_CUT'])
    }
    const empty = await changed('cut', plain.where, () => new Uint8Array())
    expect(await refused(empty, null)).toBe('BACKUP_NOT_ONE')
  })

  test('with one byte changed, or something behind its end', async () => {
    for (const from of takeRounds([encrypted, plain], 1)) {
      const key = from === encrypted ? KEY : null
      const flipped = await changed('flipped', from.where, bytes => {
        const at = bytes.length >> 1
        bytes[at] = (bytes[at] ?? 0) ^ 1
        return bytes
      })
      // A length that was changed may lead behind the end.
      expect(['BACKUP_DAMAGED', 'BACKUP_CUT']).toContain(await refused(flipped, key))
    }
    // As few as one byte, or what looks like the length of another part.
    for (const more of takeRounds(['x', 'more', '\0\0\0\x20 a part that ends too early'], 1))
      for (const from of [encrypted, plain]) {
        const longer = await changed('longer', from.where, bytes => Buffer.concat([bytes, Buffer.from(more)]))
        expect([more, await refused(longer, from === encrypted ? KEY : null)]).toEqual([more, 'BACKUP_DAMAGED'])
      }
    const other = await changed('other', plain.where, () => Buffer.from('PK\x03\x04 a sheet, say'))
    expect(await refused(other, null)).toBe('BACKUP_NOT_ONE')
  })

  test('a folder instead of a file', async () => {
    await expect(openFileSource(home)).rejects.toMatchObject({ code: 'BACKUP_NO_PLACE', params: { why: 'EISDIR' } })
  })

  test('of a newer version, by its form or by its tables', async () => {
    const form = await changed('form', plain.where, bytes => {
      bytes.write('3', bytes.indexOf('"form":2') + '"form":'.length)
      return bytes
    })
    expect(await refused(form, null)).toBe('BACKUP_NEWER')
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 9999999999999)`
    const tomorrow = await backUp('tomorrow', KEY)
    await sql`delete from drizzle.__drizzle_migrations where hash = 'of tomorrow'`
    expect(await refused(tomorrow.where, KEY)).toBe('BACKUP_NEWER')
    const source = await openFileSource(tomorrow.where)
    expect(await codeOf(verifyBackup({ source, key: KEY, dataDir: home, serverUrl: url }))).toBe('BACKUP_NEWER')
  })

  test('a database in which there is nothing to keep', async () => {
    const sink = () => createFileSink(join(home, `nothing${SUFFIX}`))
    const { version } = config
    const options = {
      databaseUrl,
      dataDir,
      bucket: null,
      version,
      secrets: pickSecrets(config),
      key: KEY,
      where: 'nothing',
      sink,
    }
    expect(await codeOf(createBackup(options))).toBe('BACKUP_NOTHING')
    expect((await readdir(home)).filter(name => name.startsWith('nothing'))).toEqual([])
  })

  test('a database that is not empty, and a folder with files', async () => {
    const before = await sumsOf(db)
    const own = await mkdtemp(join(home, 'own-'))
    const into = await restoreInto(encrypted.where, KEY, { folder: own, into: url })
    expect(await codeOf(into.result)).toBe('BACKUP_NOT_EMPTY')
    expect(await sumsOf(db)).toEqual(before)
    const mediaPath = join(own, 'media', 'ab', 'abcdefghijkl')
    await mkdir(dirname(mediaPath), { recursive: true })
    await writeFile(mediaPath, 'somebody else’s')
    const beside = await restoreInto(encrypted.where, KEY, { folder: own, into: databaseUrl })
    expect(await codeOf(beside.result)).toBe('BACKUP_FOLDER_NOT_EMPTY')
    expect(await readFile(mediaPath, 'utf8')).toBe('somebody else’s')
  })

  test('a folder of files that is a link: said before anything is read, and the link stays', async () => {
    const [own, other] = [await mkdtemp(join(home, 'own-')), await mkdtemp(join(home, 'other-'))]
    await symlink(other, join(own, 'media'))
    const into = await restoreInto(encrypted.where, KEY, { folder: own })
    expect(await codeOf(into.result)).toBe('BACKUP_FOLDER_APART')
    expect([await readlink(join(own, 'media')), await readdir(other)]).toEqual([other, []])
  })

  test('a full disk for what is only for a while: said, with where', async () => {
    const temporary = join(home, 'temporary')
    await mkdir(temporary)
    const program = [...BACKUP, 'create', join(home, 'never')]
    const child = Bun.spawn(['prlimit', '--fsize=0:unlimited', ...program], {
      env: { ...process.env, LANG, TMPDIR: temporary, DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY },
      stderr: 'pipe',
    })
    expect(await new Response(child.stderr).text()).toContain(`There is no room in ${temporary}`)
    expect((await readdir(home)).filter(name => name.startsWith('never'))).toEqual([])
  })

  test('ended in the middle, writing and restoring: nothing is left, and the next one goes', async () => {
    const ending = new AbortController()
    const begun = Promise.withResolvers<void>()
    const writing = createBackup({
      ...{ databaseUrl: url, dataDir, bucket: null, version: config.version, secrets: pickSecrets(config), key: KEY },
      where: 'ended',
      sink: () => createFileSink(join(home, `ended${SUFFIX}`)),
      signal: ending.signal,
      progress: () => begun.resolve(),
    })
    writing.catch(() => {})
    await begun.promise
    ending.abort(new Error('Ctrl+C'))
    await expect(writing).rejects.toThrow('Ctrl+C')
    expect((await readdir(home)).filter(name => name.startsWith('ended'))).toEqual([])
    const [row] = await db.select().from(backups).orderBy(raw`id desc`).limit(1)
    expect(row).toMatchObject({ state: 'failed' })

    const restoring = new AbortController()
    const { dataKey } = config
    const result = restoreBackup({
      ...{
        source: await openFileSource(encrypted.where),
        key: KEY,
        databaseUrl,
        dataDir: folder,
        hasBucket: false,
        dataKey,
      },
      dataKeyIsGiven: true,
      signal: restoring.signal,
      progress: ({ step }) => step === 'indexes' && restoring.abort(new Error('Ctrl+C')),
    })
    await expect(result).rejects.toThrow('Ctrl+C')
    await waitUntil('the database is empty again', async () => {
      const [row] = await getSql(target.db)<{ n: number }[]>`
        select count(*)::int as n from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
      return row?.n === 0
    })
    expect((await readdir(folder)).filter(name => name.startsWith('media'))).toEqual([])
    await backUp('after', KEY)
  })

  test('on a disk that becomes full: it says so, and nothing of it is left', async () => {
    const id = await aFile(1)
    await writeFile(getMediaPath(dataDir, id), crypto.getRandomValues(new Uint8Array(65_536)))
    for (let n = 0; n < 320; n++)
      await appendFile(getMediaPath(dataDir, id), crypto.getRandomValues(new Uint8Array(65_536)))
    const full = join(home, 'small')
    const disk = await createSmallDisk(full)
    const under = disk.under.length > 0 ? disk.under : ['prlimit', `--fsize=${8 * 1024 * 1024}:unlimited`]
    const path = join(full, `full${SUFFIX}`)
    const child = Bun.spawn(
      [...under, ...['sh', '-c', `"$@"; code=$?; ls -A '${full}'; exit $code`, 'sh'], ...[...BACKUP, 'create', path]],
      {
        cwd: join(import.meta.dir, '../..'),
        env: { ...process.env, LANG, DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY, BALCAO_BACKUP_KEY: KEY },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const [out, trouble] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    expect([await child.exited, out]).toEqual([1, ''])
    expect(trouble).toContain('There is no room in')
    await removeMedia(place, [id])
  })

  test('verified and restored on a disk without room for the database: said, with where, and nothing of it is left', async () => {
    for (const command of ['verify', 'restore']) {
      const small = join(home, `small-${command}`)
      const program = [...BACKUP, command, encrypted.where]
      const { DATABASE_URL: _, ...outside } = process.env
      const child = Bun.spawn(['prlimit', `--fsize=${4 * 1024 * 1024}:unlimited`, ...program], {
        env: { ...outside, LANG, DATA_DIR: small, BALCAO_BACKUP_KEY: KEY },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const trouble = await new Response(child.stderr).text()
      expect([command, await child.exited, trouble]).toEqual([
        ...[command, 1, `✗ There is no room in ${small}; nothing of it was left there.\n`],
      ])
      expect((await readdir(small)).filter(name => name.startsWith('verify'))).toEqual([])
    }
  })

  test('verified where the disk has no more room than is kept free, before its first row or in the middle: it is said, and nothing is left', async () => {
    for (const looks of [0, 1]) {
      const small = await mkdtemp(join(home, 'kept-free-'))
      let left = looks
      const verifying = verifyBackup({
        ...{ source: await openFileSource(plain.where), key: null, dataDir: small },
        async ensureSpace() {
          if (left-- <= 0) throw new AppError('ERR_NO_SPACE')
        },
      })
      expect([looks, await codeOf(verifying), await readdir(small)]).toEqual([looks, 'BACKUP_NO_SPACE', []])
    }
  })

  test('killed while it is verified: the next backup removes its server and all it had written', async () => {
    const folder = await mkdtemp(join(home, 'killed-'))
    const env = { ...process.env, LANG, DATABASE_URL: url, DATA_DIR: folder, DATA_KEY, BALCAO_BACKUP_KEY: KEY }
    const child = Bun.spawn([...BACKUP, 'verify', encrypted.where], { env, stdio: ['ignore', 'ignore', 'ignore'] })
    let pid = 0
    await waitUntil('its server runs', async () => {
      const name = (await readdir(folder)).find(each => each.startsWith('verify-')) ?? ''
      const inside = join(folder, name, 'postgres')
      const where = await readFile(join(inside, 'location'), 'utf8').catch(() => inside)
      const lines = await readFile(join(where.trim(), 'cluster/postmaster.pid'), 'utf8').catch(() => '')
      pid = Number(lines.split('\n')[0])
      return pid > 0
    })
    child.kill('SIGKILL')
    await child.exited
    const create = [...BACKUP, 'create', join(folder, 'next.tar.age')]
    const names = async () => (await readdir(folder)).filter(name => name.startsWith('verify-'))
    // It may live: its machine was held still for a moment.
    expect([await Bun.spawn(create, { env }).exited, (await names()).length]).toEqual([0, 1])
    const [name = ''] = await names()
    const before = new Date(Date.now() - 2 * 3_600_000)
    await utimes(join(folder, name), before, before)
    await rm(join(folder, 'next.tar.age'))
    expect([await Bun.spawn(create, { env }).exited, await names(), isProcessAlive(pid)]).toEqual([0, [], false])
  })

  test('killed while it is verified beside the desk’s database: its database goes, and none that is wanted or another desk’s', async () => {
    const oid = await readOid()
    const make = (oid: string, end: string) => sql.unsafe(`create database balcao_verify_${oid}_${end}`)
    for (const end of ['dead0000', 'alive000']) await make(oid, end)
    await make('1', 'dead0000')
    const living = await sql.reserve()
    await living`select pg_advisory_lock(hashtextextended(${`balcao_verify_${oid}_alive000`}, 0))`
    expect(await removeScratchDatabases(url)).toBe(1)
    const left = await sql<{ name: string }[]>`
      select datname as name from pg_database where datname ~ '^balcao_verify_.*_(dead|alive)000' order by split_part(datname, '_', 4)`
    expect(left.map(({ name }) => name)).toEqual([`balcao_verify_${oid}_alive000`, 'balcao_verify_1_dead0000'])
    living.release()
    for (const { name } of left) await sql.unsafe(`drop database ${name}`)
  })

  test('on a database whose disk becomes full: that is said, not that it went away', async () => {
    const full = Object.assign(new Error('could not extend file "base/1"'), { code: '53100' })
    const working = runWithDatabase({ databaseUrl: url, dataDir: home }, () => Promise.reject(full))
    await expect(working).rejects.toMatchObject({ code: 'full', why: full.message })
  })

  test('two at a time: the second says so', async () => {
    const begun = Promise.withResolvers<void>()
    const first = createBackup({
      ...{
        databaseUrl: url,
        dataDir,
        bucket: null,
        version: config.version,
        secrets: pickSecrets(config),
        key: KEY,
        gentle: true,
      },
      where: 'first',
      sink: () => createFileSink(join(home, `first${SUFFIX}`)),
      progress: () => begun.resolve(),
    })
    await begun.promise
    expect(await codeOf(backUp('second', KEY))).toBe('BACKUP_RUNNING')
    await first
    expect((await readdir(home)).some(name => name.startsWith('second'))).toBe(false)
    expect(await codeOf(backUp('first', KEY))).toBe('BACKUP_THERE')
  })
})

describe('a restored desk', () => {
  test('serves, and says nothing to anybody by itself: what was on its way, due or begun waits for people', async () => {
    const [, second, third] = world.tickets
    await world.write(2, 'No caminho')
    await sql`update outbox set state = 'sending', epoch = 1 where id = (select max(id) from outbox)`
    await sql`update message set state = 'sending' where id = (select message_id from outbox where state = 'sending')`
    await sql`update whatsapp set status = 'CONNECTED', wanted = true where id = ${world.whatsappId}`
    await sql`insert into refresh_token (user_id, family, hash, expires_at) values (${userId}, 'aparelho', ${crypto.randomUUID()}, now() + interval '30 days')`
    await sql`insert into schedule (title, message, recurrence, send_time, next_run_at, user_id)
      values ('Devido', 'Oi', 'daily', '09:00', now() - interval '1 minute', ${userId}), ('Amanhã', 'Oi', 'daily', '09:00', now() + interval '1 day', ${userId})`
    const recipients = { allContacts: true, contactsIds: [], tagsIds: [] }
    await db.insert(sends).values({
      dueAt: raw`now()`,
      whatsappId: world.whatsappId,
      state: 'running',
      body: 'Promoção',
      recipients,
      userId,
    })
    await sql`insert into job (kind, user_id, params, state) values ('contacts.export', ${userId}, '{}', 'running')`
    await sql`update ticket set status = 'bot' where id = ${third?.id ?? 0}`
    await sql`insert into typebot_session (ticket_id, session_id) values (${third?.id ?? 0}, 'lá')`
    await sql`insert into setting (key, value) values ('queueCron', 'enabled'), ('userCron', ${String(userId)}) on conflict (key) do update set value = excluded.value`
    await sql`insert into privacy_erasure (contact_id, user_id, due_at) values (1, ${userId}, now() - interval '1 minute')`
    await sql`insert into privacy_erasure (contact_id, user_id, due_at, state) values (2, ${userId}, now() - interval '1 minute', 'running')`
    // One token that is good, one whose day is over, and the one of the settings.
    const named = createApiToken()
    const single = createApiToken()
    await sql`insert into api_token (name, hint, hash, scopes, user_id, per_minute, expires_at) values
      ('Loja', 'abcd', ${splitStoredToken(named.stored).hash}, '{send}', ${userId}, 60, null), ('Antigo', 'efgh', 'x', '{send}', ${userId}, 60, now())`
    await sql`insert into setting (key, value) values ('userApiToken', ${single.stored})`
    const made = await backUp('calm', KEY)

    const { result, folder, target, databaseUrl } = await restoreInto(made.where, KEY)
    const { calmed } = await result
    expect(calmed).toEqual({
      ...{
        connections: 1,
        unsure: 2,
        sends: 1,
        schedules: 1,
        jobs: 1,
        flows: 1,
        erasures: 1,
        tokens: 2,
        idleClosing: true,
      },
    })
    if (!target) throw new Error('There is no target')
    const of = getSql(target.db)
    // Whoever waits has waited since the backup: nobody is given out by the clock.
    expect(
      await of`select key, value from setting where key in ('closeCron', 'queueCron', 'userCron') order by key`,
    ).toMatchObject([
      { key: 'closeCron', value: 'disabled' },
      { key: 'queueCron', value: 'disabled' },
      { key: 'userCron', value: '' },
    ])
    // Who asked may have changed their mind since; what has begun cannot be taken back.
    expect(await of`select contact_id, state, held from privacy_erasure order by contact_id`).toMatchObject([
      { contact_id: 1, state: 'held', held: 'restored' },
      { contact_id: 2, state: 'running', held: null },
    ])
    const server = await startServer({
      env: {
        DATABASE_URL: databaseUrl,
        DATA_DIR: folder,
        PORT: '0',
        LOG_LEVEL: 'silent',
        GRAPH_URL: 'http://127.0.0.1:9',
        WHATSAPP_WEB_URL: 'ws://127.0.0.1:9',
      },
    })
    try {
      expect(server.firstOwner).toBeNull()
      const person = createBrowser(server.url)
      const signedIn = await person.call<{ token: string }>('POST', '/auth/login', {
        email: toEmail('Marina'),
        password: PASSWORD,
      })
      expect(signedIn.status).toBe(200)
      person.token = signedIn.body.token
      // Either may have been revoked since, because somebody had it who should not.
      for (const token of [named.token, single.token]) {
        const sent = { number: '5511987654321', body: 'Oi' }
        const answer = await fetch(`${server.url}/api/messages/send`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(sent),
        })
        expect([answer.status, (await answer.json()).error]).toEqual([401, 'ERR_SESSION_EXPIRED'])
      }
      const file = await person.call('GET', `/media/${fileIds[0]}`)
      expect(file.status).toBe(200)
      expect(await openMedia({ db: target.db, dataDir: folder }, fileIds[0] ?? '')).not.toBeNull()
      const page = await person.call<{ messages: unknown[] }>('GET', `/messages/${second?.id}`)
      expect(page.status).toBe(200)

      // The worker's first looks at what is due have been and gone.
      await waitUntil('the jobs work', async () => {
        const [row] = await of<
          { there: boolean }[]
        >`select to_regclass('graphile_worker._private_jobs') is not null as there`
        return row?.there ?? false
      })
      const owned = {
        whatsappId: world.whatsappId,
        epoch:
          (await of<{ epoch: number }[]>`select epoch::int as epoch from whatsapp where id = ${world.whatsappId}`)[0]
            ?.epoch ?? 0,
      }
      expect(await claimDue(target.db, owned, 10)).toEqual([])
      const states = await of`select body, state from message where from_me and state <> 'sent' order by id`
      expect([...states]).toEqual([
        { body: 'Ainda não saiu', state: 'unknown' },
        { body: 'No caminho', state: 'unknown' },
      ])
      expect([
        ...(await of`select state, wanted, status, trouble->>'reason' as reason from whatsapp cross join send where whatsapp.id = ${world.whatsappId}`),
      ]).toEqual([{ state: 'stopped', wanted: false, status: 'DISCONNECTED', reason: 'restored' }])
      expect([...(await of`select title, state from schedule order by id`)]).toEqual([
        { title: 'Devido', state: 'paused' },
        { title: 'Amanhã', state: null },
      ])
      expect((await of`select 1 from refresh_token where family = 'aparelho'`).length).toBe(0)
      // An administrator who says that the old server is off takes the connection up again: then it runs, and what waited for people still waits.
      const restart = (query: string) =>
        person.call('POST', `/whatsapp/restart/${query}`, { whatsappId: world.whatsappId })
      expect((await restart('')).body.error).toBe('ERR_WAPP_RESTORED')
      expect((await restart('?oldServerIsOff=true')).status).toBe(200)
      expect([...(await of`select wanted from whatsapp where id = ${world.whatsappId}`)]).toEqual([{ wanted: true }])
      expect((await of`select 1 from outbox where state in ('queued', 'sending')`).length).toBe(0)
    } finally {
      await server.stop()
    }
  })
})

describe('the daily backup', () => {
  const folder = join(home, 'daily')
  const parts = {
    db,
    config: configOf(dataDir, {
      ...{ BACKUP_DIR: folder, BALCAO_BACKUP_KEY: KEY, BACKUP_KEEP_DAYS: '2' },
      // Half a day from now, by São Paulo's clocks: the day of backups does not end while this runs.
      BACKUP_AT: new Date(Date.now() + 9 * 3_600_000).toISOString().slice(11, 16),
    }),
    log: { info() {}, error: console.error },
  }
  const DAY = 24 * 3_600_000

  beforeAll(async () => {
    await db.delete(backups)
  })

  test('is made once a day, and again after a failure; what has had its time goes, but never the newest three', async () => {
    const now = Date.now()
    const made = await createDailyBackup(parts, new Date(now))
    expect(made?.where.startsWith(folder)).toBe(true)
    expect(await createDailyBackup(parts, new Date(now))).toBeNull()
    expect(await createDailyBackup(parts, new Date(now + DAY))).not.toBeNull()
    const old = (await readdir(folder))[0] ?? ''
    for (const days of [1, 2, 3, 4, 5]) {
      const stamp = new Date(now - days * DAY).toISOString().slice(0, 19).replaceAll(':', '-')
      await cp(join(folder, old), join(folder, old.replace(/\d{4}-\d\d-\d\dT.*Z/, `${stamp}Z`)))
    }
    await writeFile(join(folder, 'balcao-0000ffff-2020-01-01T00-00-00Z.backup'), 'another desk’s')
    await db.update(backups).set({ at: new Date(now - DAY).toISOString() })
    expect(await createDailyBackup(parts, new Date(now + 1000))).not.toBeNull()
    const left = await readdir(folder)
    expect(left.length).toBe(5)
    expect(left.some(name => name.includes('0000ffff'))).toBe(true)
  })

  test('that is older than two days rings with administrators, and stands in /ready', async () => {
    expect(await listBackupAlarms(db, parts.config)).toEqual([])
    await db.update(backups).set({ at: new Date(Date.now() - 2 * DAY - 1000).toISOString() })
    const [good] = await db.select().from(backups).where(raw`state = 'done'`).orderBy(raw`id desc`).limit(1)
    await db
      .insert(backups)
      .values({ place: 'x', daily: true, encrypted: true, state: 'failed', error: 'BACKUP_NO_SPACE' })
    const at = good?.at ?? ''
    expect(await listBackupAlarms(db, parts.config)).toEqual([{ code: 'backup_old', at, reason: 'BACKUP_NO_SPACE' }])
    expect(await readBackupState(db, parts.config)).toEqual({ goodAt: at, failed: 'BACKUP_NO_SPACE', late: true })
    // Nobody is told where none are made.
    expect(await listBackupAlarms(db, config)).toEqual([])
  })

  test('is not the copy that somebody takes away by hand, nor one that a wrong clock dated ahead', async () => {
    const rows = [
      { daily: true, at: new Date(Date.now() - 3 * DAY).toISOString() },
      { daily: false, at: new Date().toISOString() },
      { daily: true, at: new Date(Date.now() + 365 * DAY).toISOString() },
    ]
    await db.delete(backups)
    for (const row of rows) await db.insert(backups).values({ place: 'x', encrypted: true, state: 'done', ...row })
    expect(await readBackupState(db, parts.config)).toMatchObject({ goodAt: rows[0]?.at, late: true })
    expect(await createDailyBackup(parts)).not.toBeNull()
  })

  test('makes its folder once: when that is gone it is a disk that is not mounted, and nothing is written in its place', async () => {
    await db.delete(backups)
    const mount = join(home, 'usb')
    const onDisk = { ...parts, config: { ...config, backup: { ...config.backup, to: { folder: mount } } } }
    expect(await createDailyBackup(onDisk)).not.toBeNull()
    await rm(mount, { recursive: true })
    expect(await createDailyBackup(onDisk, new Date(Date.now() + DAY))).toBeNull()
    expect([existsSync(mount), (await readBackupState(db, onDisk.config))?.failed]).toEqual([false, 'BACKUP_NO_FOLDER'])
    await db.delete(backups)
  })

  test('is written by a process of its own, which leaves nothing when who asked for it ends or is killed', async () => {
    await db.delete(backups)
    const before = await readdir(folder)
    const states = async () => (await db.select().from(backups)).map(({ state }) => state)
    const locked = await db.$client.reserve()
    await locked`begin`
    await locked`lock table message in access exclusive mode`
    const waits = async () => {
      const waiting = await db.$client`
        select 1 from pg_stat_activity where application_name = 'balcao-backup' and wait_event_type = 'Lock'
          and datname = current_database()`
      return waiting.length > 0
    }
    const ending = new AbortController()
    const writing = createDailyBackup(parts, new Date(Date.now() + DAY / 4), ending.signal)
    await waitUntil('it waits for a table', waits)
    ending.abort(new Error('the server ends'))
    expect(await writing).toBeNull()
    expect([await readdir(folder), await states()]).toEqual([before, ['failed']])
    await db.delete(backups)
    await waitUntil('its session is over', async () => !(await waits()))

    const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY, BACKUP_DIR: folder }
    const asker = Bun.spawn(buildCommand('backend/test/backup-process.ts'), { env })
    await waitUntil('the next one waits for the table', waits)
    expect((await readdir(folder)).length).toBe(before.length + 1)
    asker.kill('SIGKILL')
    await waitUntil('it is noted', async () => (await states()).join() === 'failed')
    expect(await readdir(folder)).toEqual(before)
    await locked`rollback`
    locked.release()
    await db.delete(backups)
  })

  const installation = fingerprintDataKey(DATA_KEY).slice(0, 8)

  /** A folder with one of each day from so many days ago to so many, and the parts that keep them. */
  async function fillFolder({ days: [from, to], keepDays }: { days: readonly [number, number]; keepDays: number }) {
    await db.delete(backups)
    const folder = await mkdtemp(join(home, 'filled-'))
    const own = configOf(dataDir, { BACKUP_DIR: folder, BALCAO_BACKUP_KEY: KEY, BACKUP_KEEP_DAYS: String(keepDays) })
    for (let ago = from; ago <= to; ago++)
      await writeFile(join(folder, formatBackupName(installation, new Date(Date.now() - ago * DAY), true)), 'old')
    const words: string[] = []
    const log = { info() {}, error: (_: object, text: string) => void words.push(text) }
    const names = async () => (await readdir(folder)).filter(name => name.endsWith('.tar.age')).sort()
    return { folder, names, words, parts: { db, config: own, log } }
  }

  test('clears its folder of what has had its time, although it cannot be made itself', async () => {
    const full = await fillFolder({ days: [1, 20], keepDays: 2 })
    const at = new Date()
    await mkdir(join(full.folder, `${formatBackupName(installation, at, true)}.part`))
    expect(await createDailyBackup(full.parts, at)).toBeNull()
    expect([full.words, (await full.names()).length]).toEqual([['the daily backup failed'], 3])
  })

  test('clears it, too, when none could be made for many days', async () => {
    const full = await fillFolder({ days: [20, 26], keepDays: 10 })
    const at = new Date(Date.now() - 2 * 3_600_000).toISOString()
    await db.insert(backups).values({ place: 'x', encrypted: true, daily: true, state: 'failed', error: 'died', at })
    expect(await createDailyBackup(full.parts)).not.toBeNull()
    expect((await full.names()).length).toBe(3)
  })

  test('removes no more than two when the clock is weeks ahead', async () => {
    const ahead = await fillFolder({ days: [1, 14], keepDays: 14 })
    const before = await ahead.names()
    expect(await createDailyBackup(ahead.parts, new Date(Date.now() + 40 * DAY))).not.toBeNull()
    const left = await ahead.names()
    expect(before.filter(name => !left.includes(name)).length).toBeLessThanOrEqual(2)
  })

  test('is made although old ones cannot be removed: that is said by itself', async () => {
    const stuck = await fillFolder({ days: [1, 5], keepDays: 1 })
    const [oldest = ''] = await stuck.names()
    await rm(join(stuck.folder, oldest))
    await mkdir(join(stuck.folder, oldest, 'kept'), { recursive: true })
    expect(await createDailyBackup(stuck.parts)).not.toBeNull()
    expect(new Set(stuck.words)).toEqual(new Set(['old backups could not be removed']))
    await db.delete(backups)
  })
})

describe('in a bucket', () => {
  let store: S3
  let parts: Parameters<typeof createDailyBackup>[0]

  beforeAll(async () => {
    store = await startS3()
    const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = store.env
    const env = {
      ...{ BACKUP_S3: `s3://${S3_BUCKET}/mesa/copias`, BALCAO_BACKUP_KEY: KEY, BACKUP_KEEP_DAYS: '1' },
      BACKUP_S3_ENDPOINT: S3_ENDPOINT,
      BACKUP_S3_ACCESS_KEY_ID: S3_ACCESS_KEY_ID,
      BACKUP_S3_SECRET_ACCESS_KEY: S3_SECRET_ACCESS_KEY,
    }
    parts = { db, config: configOf(dataDir, env), log: { info() {}, error() {} } }
    await db.delete(backups)
  })

  afterAll(() => store.stop())

  test('the daily one is whole there and is restored from there, although the line is cut', async () => {
    const made = await createDailyBackup(parts)
    expect(made?.where).toStartWith('s3://arquivos/mesa/copias/balcao-')
    const [key = ''] = [...store.objects.keys()]
    expect(`s3://arquivos/${key}`).toBe(made?.where ?? '')
    const source = await openSource(parts.config.backup, made?.where ?? '')
    expect(source.size).toBe(made?.bytes ?? 0)
    store.cutAfter(20_000)
    const { manifest } = await verifyBackup({ source, key: KEY, dataDir: home, serverUrl: url })
    expect(manifest).toEqual(made?.manifest ?? manifest)
  })

  test('what has had its time goes from there', async () => {
    const [key = ''] = [...store.objects.keys()]
    for (const day of ['01', '02', '03', '04']) {
      const old = key.replace(/\d{4}-\d\d-\d\dT/, `2020-01-${day}T`)
      store.objects.set(old, new Uint8Array(1))
    }
    await db.update(backups).set({ at: '2020-01-05T00:00:00Z' })
    expect(await createDailyBackup(parts, new Date(Date.now() + 1000))).not.toBeNull()
    expect([...store.objects.keys()].filter(name => name.includes('2020-01-')).length).toBe(1)
    expect(store.objects.size).toBe(3)
  })

  test('a store that is away: it fails, nothing is there, and an hour later it is tried again', async () => {
    await db.update(backups).set({ at: '2020-01-05T00:00:00Z' })
    const before = store.objects.size
    store.away(true)
    expect(await createDailyBackup(parts, new Date(Date.now() + 2000))).toBeNull()
    store.away(false)
    expect(store.objects.size).toBe(before)
    expect((await readBackupState(db, parts.config))?.failed).toBe('BACKUP_NO_PLACE')
    expect(await createDailyBackup(parts, new Date(Date.now() + 3000))).toBeNull()
    expect(await createDailyBackup(parts, new Date(Date.now() + 3_700_000))).not.toBeNull()
  })

  test('a file that the bucket keeps is whole in it, though the copy at hand is damaged', async () => {
    const s3 = {
      ...{
        endpoint: store.env.S3_ENDPOINT,
        bucket: store.env.S3_BUCKET,
        prefix: 'mesa/arquivos/',
        region: 'us-east-1',
      },
      ...{ accessKeyId: store.env.S3_ACCESS_KEY_ID, secretAccessKey: store.env.S3_SECRET_ACCESS_KEY },
    }
    const bucket = getBucket(s3)
    const bytes = Buffer.from('o boleto')
    const { id } = await storeMedia({ ...place, bucket }, one(bytes), { name: 'boleto.txt', most: 100 })
    await writeFile(getMediaPath(dataDir, id), 'o bolero')
    const where = join(home, `far-${id}${SUFFIX}`)
    const { manifest } = await createBackup({
      ...{ where, databaseUrl: url, dataDir, bucket, version: config.version, secrets: pickSecrets(config), key: KEY },
      sink: () => createFileSink(where),
    })
    expect(manifest.files).toMatchObject({ missing: [], damaged: [] })
    await removeMedia({ ...place, bucket }, [id])
  })

  test('one that is ended in the middle leaves no object', async () => {
    const before = [...store.objects.keys()]
    const ending = new AbortController()
    const writing = createBackup({
      ...{ databaseUrl: url, dataDir, bucket: null, version: config.version, secrets: pickSecrets(config), key: KEY },
      where: 'ended',
      sink: () => openSink(parts.config.backup, 's3://arquivos/mesa/ended.backup'),
      signal: ending.signal,
      progress: () => ending.abort(new Error('Ctrl+C')),
    })
    await expect(writing).rejects.toThrow('Ctrl+C')
    expect([...store.objects.keys()]).toEqual(before)
  })
})
