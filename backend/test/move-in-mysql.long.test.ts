// Another desk's MySQL by its address (docs/decisions/0327), against a real MariaDB; where the machine has none, `move-in.test.ts` reads its dump.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDatabase } from '../src/operations/move-in/read.ts'
import type { SourceRow } from '../src/operations/move-in/records.ts'
import { chatwoot } from '../src/operations/move-in/sources/chatwoot.ts'
import { whaticket } from '../src/operations/move-in/sources/whaticket.ts'
import { createLogger } from '../src/platform/logger.ts'
import { waitUntil } from './until.ts'

const log = createLogger({ logLevel: 'silent' })
const MESSAGES = 2500
/** More than two pages, whose numbers stand in another order as text. */
const MEMBERS = 2500
/** As the community's own migrations make them; a fork's table without a key, and one of another character set. */
const SCHEMA = `
  create table Contacts (id int auto_increment primary key, name varchar(255), number varchar(255), isGroup tinyint(1), createdAt datetime) charset utf8mb4;
  create table Messages (id varchar(255) primary key, body text, ack int, fromMe tinyint(1), ticketId int, createdAt datetime(6), updatedAt timestamp(6)) charset utf8mb4;
  create table UserQueues (userId int, queueId int, createdAt datetime, primary key (userId, queueId));
  create table TicketTags (ticketId int, tagId int);
  create table QuickAnswers (id int auto_increment primary key, shortcut text, message text) charset latin1;
  insert into Contacts values (1, 'Zé 😀 ''aspas'' \\\\ barra', '5531984507712', 0, '0000-00-00 00:00:00'), (2, 'Grupo', '120363041234567890', 1, '2022-06-01 09:00:00');
  insert into UserQueues values (1, 1, now()), (1, 2, now()), (2, 1, now());
  insert into TicketTags values (1, 1), (1, 1), (2, 1);
  insert into QuickAnswers values (1, 'ola', 'Olá, coração!');
  insert into Messages select concat(if(seq % 2, 'a', 'B'), seq), concat('texto ', seq), 3, seq % 2, 1, '2022-06-01 09:00:10.25', '2022-06-01 09:00:10'
    from seq_1_to_${MESSAGES}`

/** Null: this machine has none. */
const mariadb = Bun.which('mariadbd') === null ? null : await startMariadb()
const ABSENT: Mariadb = { address: '', run: async () => {}, kill: () => {} }

interface Mariadb {
  readonly address: string
  readonly run: (statements: string) => Promise<void>
  readonly kill: () => void
}

/** A server of its own for this file, on a port of the machine alone. */
async function startMariadb(): Promise<Mariadb> {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-mariadb-'))
  const [data, port] = [join(folder, 'data'), await findPort()]
  const own = ['--no-defaults', `--datadir=${data}`, '--user=root']
  const install = ['mariadb-install-db', ...own, '--auth-root-authentication-method=normal', '--skip-test-db']
  expect(await Bun.spawn(install, { stdout: 'ignore', stderr: 'ignore' }).exited).toBe(0)
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const sign = [
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=nowhere.example',
    '-days',
    '2',
  ]
  expect(
    await Bun.spawn([...sign, '-keyout', key, '-out', certificate], { stdout: 'ignore', stderr: 'ignore' }).exited,
  ).toBe(0)
  const listen = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'sock')}`]
  const tls = [`--ssl-key=${key}`, `--ssl-cert=${certificate}`]
  const child = Bun.spawn(['mariadbd', ...own, ...listen, ...tls, '--sql-mode='], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  afterAll(async () => {
    child.kill('SIGKILL')
    await child.exited
    await rm(folder, { recursive: true, force: true })
  })
  const client = ['mariadb', '--no-defaults', `--socket=${join(folder, 'sock')}`, '--default-character-set=utf8mb4']
  const run = async (statements: string) => {
    const { exitCode, stderr } = Bun.spawnSync(client, { stdin: new TextEncoder().encode(statements) })
    if (exitCode !== 0) throw new Error(stderr.toString())
  }
  await waitUntil(
    'the database answers',
    () =>
      run('select 1').then(
        () => true,
        () => false,
      ),
    30_000,
  )
  await run(`
    create database empty; create database desk charset latin1; use desk; ${SCHEMA};
    create user reader@'%' identified by 'p@ss'; grant select on desk.* to reader@'%'; grant select on empty.* to reader@'%';`)
  return { address: `mysql://reader:p%40ss@127.0.0.1:${port}/desk`, run, kill: () => child.kill('SIGKILL') }
}

function findPort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function readAll(address: string, source = whaticket, meanwhile?: () => Promise<void>) {
  const tables: Record<string, SourceRow[]> = {}
  await readDatabase({ log }, address, source, new AbortController().signal, async ({ table, rows }) => {
    await meanwhile?.()
    tables[table] = [...(tables[table] ?? []), ...rows]
  })
  return tables
}

describe.skipIf(mariadb === null)('a database at an address', () => {
  const { address, run, kill } = mariadb ?? ABSENT

  test('rows come as a dump has them: emoji, other character sets, instants, yes and no', async () => {
    const { Contacts = [], QuickAnswers, UserQueues, TicketTags, Messages = [] } = await readAll(address)
    expect(Contacts).toEqual([
      { id: '1', name: "Zé 😀 'aspas' \\ barra", number: '5531984507712', isGroup: '0' },
      { id: '2', name: 'Grupo', number: '120363041234567890', isGroup: '1' },
    ])
    expect(QuickAnswers).toEqual([{ id: '1', shortcut: 'ola', message: 'Olá, coração!' }])
    expect([UserQueues?.length, TicketTags?.length]).toEqual([3, 3])
    expect(new Set(Messages.map(({ id }) => id)).size).toBe(MESSAGES)
    expect(Messages).toHaveLength(MESSAGES)
    const [message = {}] = Messages
    expect(whaticket.tables.Messages?.toRecord(message)).toMatchObject({ record: { at: '2022-06-01T12:00:10.250Z' } })
    expect(message.updatedAt).toBe('2022-06-01 06:00:10.000000')
  })

  test('every row of more than a page comes once, whether its key is of numbers, of two of them, or of text sorted by bytes', async () => {
    await run(`
      create database large; grant select on large.* to reader@'%'; use large;
      create table Contacts (id int auto_increment primary key, name varchar(255));
      create table UserQueues (userId int, queueId int, primary key (userId, queueId));
      create table Messages (id varchar(255) collate utf8mb4_bin primary key, body text) charset utf8mb4;
      insert into Contacts select seq, concat('Contato ', seq) from seq_1_to_${MEMBERS};
      insert into UserQueues select seq % 50, seq from seq_1_to_${MEMBERS};
      insert into Messages select concat(if(seq % 2, 'a', 'B'), seq), 'texto' from seq_1_to_${MEMBERS}`)
    const { Contacts = [], UserQueues = [], Messages = [] } = await readAll(address.replace('/desk', '/large'))
    const numbers = Array.from({ length: MEMBERS }, (_, n) => n + 1)
    expect(Contacts.map(({ id }) => Number(id))).toEqual(numbers)
    expect(UserQueues.map(({ queueId }) => Number(queueId)).toSorted((one, other) => one - other)).toEqual(numbers)
    expect(Messages).toHaveLength(MEMBERS)
    expect(new Set(Messages.map(({ id }) => id)).size).toBe(MEMBERS)
  })

  test('what is written meanwhile is not seen', async () => {
    let n = 0
    const { Messages } = await readAll(address, whaticket, () =>
      run(`use desk; insert into Messages (id, body) values ('z-meanwhile-${n++}', 'x')`),
    )
    expect(Messages).toHaveLength(MESSAGES)
  })

  test('a wrong password, a database that is not there, or none of a desk', async () => {
    for (const wrong of [address.replace('p%40ss', 'x'), address.replace('/desk', '/nothing')])
      await expect(readAll(wrong)).rejects.toThrow('ERR_MOVE_IN_UNREACHABLE')
    expect(await readAll(address.replace('/desk', '/empty'))).toEqual({})
    expect(await readAll(address, chatwoot)).toEqual({})
  })

  test('TLS as the address says', async () => {
    expect((await readAll(`${address}?ssl-mode=REQUIRED`)).Contacts).toHaveLength(2)
    expect((await readAll(`${address}?ssl-mode=DISABLED`)).Contacts).toHaveLength(2)
    for (const mode of ['VERIFY_CA', 'VERIFY_IDENTITY', 'nonsense'])
      await expect(readAll(`${address}?ssl-mode=${mode}`)).rejects.toThrow('ERR_MOVE_IN_UNREACHABLE')
  })

  test('a server that dies in the middle is told of in words', async () => {
    const reading = readAll(address, whaticket, async () => kill())
    await expect(reading).rejects.toThrow('ERR_MOVE_IN_UNREACHABLE')
  })
})
