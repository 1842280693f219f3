// Moving in from other desks (docs/decisions/0319): what comes of each source, with odd rows, once and as a whole.
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { MoveIn, MoveInSource } from '@balcao/contract'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { foldFigures } from '../src/insight/figures/days.ts'
import { copyIn, runOnSession } from '../src/operations/backup/session.ts'
import { beginMove, goOn, stopMove, undoMove } from '../src/operations/move-in/begin.ts'
import { createEmptyDatabase } from './database.ts'
import { makeQueue } from './desk-world.ts'
import { startMoveInDesk } from './move-in-desk.ts'
import { verifyFigures } from './verify-figures.ts'
import { verifySpans } from './verify-spans.ts'

const { db, sql, here, asker, marinaId, settle, as } = await startMoveInDesk()
const sales = await makeQueue(db, 'Vendas')
await sql`insert into user_queue (user_id, queue_id) values (${marinaId}, ${sales})`

async function read(source: MoveInSource, file: string = source, company?: string): Promise<MoveIn> {
  const from = { dump: join(import.meta.dir, `fixtures/move-in/${file}.sql`) }
  return settle(await beginMove(here, asker, { source, from, company, openTag: 'Em andamento' }))
}

async function bring(source: MoveInSource, company?: string): Promise<MoveIn> {
  const { id, state } = await read(source, source, company)
  expect(state).toBe('ready')
  await goOn(here, asker, id)
  return settle(id)
}

/** Puts the blocks of a dump into tables of texts. */
async function loadDump(url: string, path: string): Promise<void> {
  const text = await Bun.file(path).text()
  await runOnSession(url, undefined, async client => {
    for (const [, table, columns = '', rows] of text.matchAll(
      /^COPY (public\.\S+) \(([^)]*)\) FROM stdin;\n(.*?)^\\\.$/gms,
    )) {
      await client.query(
        `create table ${table} (${columns
          .split(', ')
          .map(column => `${column} text`)
          .join(', ')})`,
      )
      await copyIn(client, `copy ${table} from stdin`, new Blob([rows ?? '']).stream())
    }
  })
}

/** Everything that a move can write, to be compared. */
async function listEverything() {
  return {
    contacts: await sql`select name, number, is_group, email from contact order by id`,
    identities: await sql`select kind, value from contact_identity order by kind, value`,
    tickets:
      await sql`select id, status, contact_id, queue_id, user_id, message_seq, last_message, closed_at from ticket order by id`,
    messages: await sql`select ticket_id, seq, body, from_me, state, media_type, quoted_id from message order by id`,
    users: await sql`select name, active, profile from "user" order by id`,
    queues: await sql`select name, color from queue order by id`,
    tags: await sql`select t.contact_id, g.name from contact_tag t join tag g on g.id = t.tag_id order by t.contact_id, g.name`,
    ratings: await sql`select ticket_id, user_id, rate, at from rating order by id`,
    answers: await sql`select shortcut, message from quick_answer order by id`,
    spans: await sql`select ticket_id, status, begun_at, ended_at from ticket_span order by id`,
  }
}

async function listRatings(contact: string) {
  const rows = await sql<{ rate: number; at: string; user: string | null }[]>`
    select r.rate, r.at, u.name as "user" from rating r join contact c on c.id = r.contact_id left join "user" u on u.id = r.user_id
    where c.name = ${contact} order by r.at`
  return rows.map(row => ({ ...row, at: new Date(row.at).toISOString() }))
}

describe('a move from Ticketz, of one of two companies', () => {
  test('asks which company is meant', async () => {
    const { state, error, preview } = await read('ticketz')
    expect([state, error]).toEqual(['failed', 'ERR_MOVE_IN_COMPANY'])
    expect(preview?.companies).toEqual([
      { key: '1', name: 'Casa da Ração' },
      { key: '2', name: 'Outra Loja' },
    ])
  })

  test('says what would come and what cannot, and writes nothing', async () => {
    const before = await listEverything()
    const { state, preview } = await read('ticketz', 'ticketz', '1')
    expect(state).toBe('ready')
    expect(Object.fromEntries(preview?.kinds.map(({ kind, count, left }) => [kind, [count, left]]) ?? [])).toEqual({
      ...{ user: [2, 1], queue: [2, 0], tag: [1, 1], contact: [6, 1], quickAnswer: [1, 1] },
      ...{ ticket: [4, 2], rating: [2, 1], message: [7, 2] },
    })
    expect(preview?.faults.map(({ kind, fault, count }) => `${kind} ${fault} ${count}`).sort()).toEqual([
      'contact numberUnreadable 1',
      'message ticketMissing 2',
      'quickAnswer textMissing 1',
      'rating ticketMissing 1',
      'tag nameMissing 1',
      'ticket contactMissing 1',
      'ticket contactMissing 1',
      'user emailMissing 1',
    ])
    expect(preview?.openTickets).toBe(3)
    expect(await listEverything()).toEqual(before)
  })

  test('brings conversations with their times and words, closed', async () => {
    const { state, counts } = await bring('ticketz', '1')
    expect([state, counts.ticket, counts.message, counts.contact]).toEqual(['done', 4, 7, 5])
    const tickets = await sql<
      {
        key: string
        name: string
        at: string
        accepted: string | null
        closed: string
        queue: number | null
        user: number | null
        last: string
      }[]
    >`
      select l.key, c.name, t.created_at as at, t.accepted_at as accepted, t.closed_at as closed, t.queue_id as queue, t.user_id as user, t.last_message as last
      from move_in_link l join ticket t on t.id = l.own_id join contact c on c.id = t.contact_id where l.kind = 'ticket' order by l.key`
    const iso = (text: string | null) => text && new Date(text).toISOString()
    expect(
      tickets.map(({ name, at, accepted, closed, last }) => [name, iso(at), iso(accepted), iso(closed), last]),
    ).toEqual([
      ['Padaria Estrela', '2024-03-01T12:00:00.000Z', '2024-03-01T12:09:00.000Z', '2024-03-01T13:00:00.000Z', ''],
      ['Padaria Estrela', '2024-03-02T09:00:00.000Z', null, '2024-03-02T10:00:00.000Z', 'do futuro'],
      ['Grupo Bairro', '2024-03-01T10:00:00.000Z', null, '2024-03-01T12:00:00.123Z', 'no grupo'],
      ['Zé 😀 \\ tab aqui', '2024-03-03T09:00:00.000Z', null, '2024-03-03T09:00:00.000Z', ''],
    ])
    expect([tickets[0]?.queue, tickets[0]?.user, tickets[1]?.user]).toEqual([sales, marinaId, null])
    const messages = await sql<
      { body: string; quoted: string | null; state: string; media: string; deleted: boolean }[]
    >`
      select m.body, q.body as quoted, m.state, m.media_type as media, m.is_deleted as deleted from message m left join message q on q.id = m.quoted_id
      join contact c on c.id = m.contact_id where c.name = 'Padaria Estrela' order by m.at, m.ticket_id, m.seq`
    expect([...messages]).toEqual([
      { body: 'Bom dia!\nTem ração?', quoted: null, state: 'received', media: 'chat', deleted: false },
      { body: 'Tem sim, Marina aqui.', quoted: 'Bom dia!\nTem ração?', state: 'read', media: 'chat', deleted: false },
      { body: '', quoted: null, state: 'delivered', media: 'image', deleted: false },
      { body: 'apagada', quoted: null, state: 'received', media: 'chat', deleted: true },
      { body: 'de quem saiu', quoted: null, state: 'sent', media: 'chat', deleted: false },
      { body: 'do futuro', quoted: null, state: 'received', media: 'chat', deleted: false },
    ])
    await verifySpans(db, 'a move')
  })

  test('brings what customers answered to the survey, of whom they rated', async () => {
    expect(await listRatings('Padaria Estrela')).toEqual([
      { rate: 2, at: '2024-03-01T13:01:00.000Z', user: 'Nova Pessoa' },
      { rate: 5, at: '2024-03-02T10:01:00.000Z', user: null },
    ])
  })

  test('doubles nobody, lets nobody in, and marks whom it found in the middle of a conversation', async () => {
    const contacts = await sql<{ name: string; number: string | null; is_group: boolean }[]>`
      select name, number, is_group from contact order by id`
    expect(contacts.map(({ name, number, is_group }) => [name, number, is_group])).toEqual([
      ['Padaria Estrela', '5531984507712', false],
      ['Grupo Bairro', null, true],
      ['Conta sem número', null, false],
      ['Zé 😀 \\ tab aqui', '5551987654321', false],
      ['Grupo antigo', null, true],
    ])
    expect(
      (await sql`select value from contact_identity where kind = 'lid' order by value`).map(row => row.value),
    ).toEqual(['158392934358280', '999992934358280'])
    const [fresh] = await sql`select active, profile, must_change_password from "user" where name = 'Nova Pessoa'`
    expect(fresh).toEqual({ active: false, profile: 'user', must_change_password: true })
    expect((await sql`select 1 from "user" where name like 'M%rina'`).length).toBe(1)
    expect((await sql`select color from queue where name = 'Entrega'`)[0]?.color).toBe('#ff0000')
    const tagged =
      await sql`select c.name, g.name as tag from contact_tag t join contact c on c.id = t.contact_id join tag g on g.id = t.tag_id order by 1, 2`
    expect(tagged.map(({ name, tag }) => `${name}: ${tag}`)).toEqual([
      'Grupo Bairro: Em andamento',
      'Padaria Estrela: Em andamento',
      'Padaria Estrela: VIP',
      'Zé 😀 \\ tab aqui: Em andamento',
      'Zé 😀 \\ tab aqui: VIP',
    ])
  })

  test('sends nothing and tells nobody of single ones', async () => {
    expect((await sql`select count(*)::int as n from outbox`)[0]?.n).toBe(0)
    expect((await sql`select count(*)::int as n from ticket where status <> 'closed'`)[0]?.n).toBe(0)
    const events = await sql<{ event: string }[]>`select distinct payload::jsonb->>'event' as event from live_event`
    expect(events.map(({ event }) => event).filter(event => /ticket|message|notif/i.test(event ?? ''))).toEqual([])
  })

  test('changes nothing when it is brought again', async () => {
    const before = await listEverything()
    const { state, counts } = await bring('ticketz', '1')
    expect([state, counts.ticket ?? 0, counts.message ?? 0, counts.contact ?? 0]).toEqual(['done', 0, 0, 0])
    expect(await listEverything()).toEqual(before)
  })

  test('figures of the past are those of the tickets', async () => {
    await refreshCalendar(db, new Date())
    await foldFigures(db)
    await verifyFigures(db, 'after a move', [
      { firstDate: '2024-01-01', lastDate: '2024-12-31' },
      { firstDate: '2024-03-01', lastDate: '2024-03-01', queueId: sales },
    ])
  })

  test('is seen by whom the policy lets see it', async () => {
    const marina = await as('Marina')
    const { body } = await marina.call<{ tickets: unknown[] }>('GET', '/tickets?status=closed&showAll=true')
    expect(body.tickets).toHaveLength(3)
  })
})

describe('other sources', () => {
  test('Whaticket on MySQL: texts that look like statements are texts, and broken bytes break nothing', async () => {
    const { state, counts } = await bring('whaticket')
    expect([state, counts.ticket, counts.message, counts.contact]).toEqual(['done', 1, 2, 2])
    const rows = await sql<{ body: string; at: string; state: string }[]>`
      select m.body, m.at, m.state from message m join contact c on c.id = m.contact_id where c.name like 'D%vila%' order by m.seq`
    expect(rows.map(({ body, at, state }) => [body, new Date(at).toISOString(), state])).toEqual([
      ["INSERT INTO `Users` VALUES (9,'x','x@x.example');\nsegunda linha", '2022-06-01T12:00:10.000Z', 'received'],
      ['Ol\\á "aspas"', '2022-06-01T12:05:00.000Z', 'read'],
    ])
    expect((await sql`select 1 from "user" where email_hash is not null and name = 'x'`).length).toBe(0)
    expect((await sql`select message from quick_answer where shortcut = 'ola'`)[0]?.message).toBe('Ol\ufffd!')
    expect((await sql`select count(*)::int as n from queue where name = 'Vendas'`)[0]?.n).toBe(1)
    // Of three marks there: "Satisfeito", "Muito satisfeito".
    expect((await listRatings("D'Ávila; (matriz)")).map(({ rate, user }) => [rate, user])).toEqual([
      [4, 'Rafael'],
      [5, 'Rafael'],
    ])
  })

  test('Chatwoot: answers, comments and several files of one message', async () => {
    const { state, counts } = await bring('chatwoot')
    expect([state, counts.ticket, counts.message, counts.contact]).toEqual(['done', 1, 4, 2])
    const rows = await sql`
      select m.body, m.media_type, m.media->>'name' as file, q.body as quoted, u.name as "user" from message m
        left join message q on q.id = m.quoted_id left join "user" u on u.id = m.user_id
        join contact c on c.id = m.contact_id where c.name = 'Ana Luz' order by m.seq`
    expect(rows.map(row => [row.body, row.media_type, row.file, row.quoted, row.user])).toEqual([
      ['Oi, meus óculos?', 'chat', null, null, null],
      ['Prontos!', 'image', '000000000001.jpg', 'Oi, meus óculos?', 'Lia'],
      ['', 'application', 'Nota fiscal.pdf', null, 'Lia'],
      ['ligar amanhã', 'comment', null, null, 'Lia'],
    ])
    expect((await sql`select 1 from "user" where name like 'Estranha%'`).length).toBe(0)
    expect(await listRatings('Ana Luz')).toEqual([{ rate: 4, at: '2025-02-03T15:00:00.000Z', user: 'Lia' }])
  })

  test.each(['whaticket', 'chatwoot'] as const)('%s changes nothing when it is brought again', async source => {
    const before = await listEverything()
    const { state, counts } = await bring(source)
    expect([state, counts.ticket ?? 0, counts.message ?? 0, counts.contact ?? 0]).toEqual(['done', 0, 0, 0])
    expect(await listEverything()).toEqual(before)
  })

  test('a file in which there is nothing is refused in words', async () => {
    const from = { dump: join(import.meta.dir, 'fixtures/form-1-plain.backup') }
    const { state, error } = await settle(await beginMove(here, asker, { source: 'chatwoot', from, openTag: 'x' }))
    expect([state, error]).toEqual(['failed', 'ERR_MOVE_IN_UNREADABLE'])
  })

  test('a database at an address is the same as its dump: nothing comes twice', async () => {
    const { url } = await createEmptyDatabase()
    await loadDump(url, join(import.meta.dir, 'fixtures/move-in/ticketz.sql'))
    const before = await listEverything()
    const from = { address: url }
    const { id, preview } = await settle(
      await beginMove(here, asker, { source: 'ticketz', from, company: '1', openTag: 'Em andamento' }),
    )
    expect(preview?.kinds.map(({ count }) => count)).toEqual([2, 2, 1, 6, 1, 4, 2, 7])
    expect((await sql`select address from move_in where id = ${id}`)[0]?.address).toBeNull()
    await goOn(here, asker, id)
    expect((await settle(id)).counts).toMatchObject({ ticket: 0, message: 0, contact: 0 })
    expect(await listEverything()).toEqual(before)
  })

  test('an address where nobody answers, and a file that another machine has, are refused in words', async () => {
    for (const [from, fault] of [
      [{ address: 'postgres://nobody:x@127.0.0.1:9/nothing' }, 'ERR_MOVE_IN_UNREACHABLE'],
      [{ address: 'mysql://nobody:x@127.0.0.1:9/nothing' }, 'ERR_MOVE_IN_UNREACHABLE'],
      [{ dump: '/nowhere/dump.sql' }, 'ERR_MOVE_IN_ELSEWHERE'],
    ] as const) {
      const { state, error } = await settle(await beginMove(here, asker, { source: 'ticketz', from, openTag: 'x' }))
      expect([state, error]).toEqual(['failed', fault])
    }
  })
})

describe('a move is stopped, gone on with, and undone', () => {
  test('what was stopped goes on to the same end', async () => {
    const { id } = await read('whaticket')
    // It waits for its first rows until it has been stopped.
    await sql.begin(async tx => {
      await tx`lock table move_in_row in access exclusive mode`
      await goOn(here, asker, id)
      await stopMove(here, id)
    })
    expect((await settle(id)).state).toBe('stopped')
    await goOn(here, asker, id)
    expect((await settle(id)).state).toBe('done')
  })

  test('the tag of those who were being served came with the move that needed it, and goes with it', async () => {
    const made = await sql`
      select g.name from move_in_link l join tag g on g.id = l.own_id where l.kind = 'tag' and l.key = 'open' and l.is_new`
    expect([...made]).toEqual([{ name: 'Em andamento' }])
  })

  test('all that came goes, as long as nobody worked on it', async () => {
    const [move] = await sql<
      { id: number }[]
    >`select move_in_id as id from move_in_link where origin like 'chatwoot:%' limit 1`
    const id = move?.id ?? 0
    const [ticket] = await sql<
      { id: number }[]
    >`select own_id::int as id from move_in_link where move_in_id = ${id} and kind = 'ticket'`
    await sql`update ticket set version = version + 1 where id = ${ticket?.id ?? 0}`
    await expect(undoMove(here, asker, id)).rejects.toThrow('ERR_MOVE_IN_IN_USE')
    await sql`update ticket set version = 1 where id = ${ticket?.id ?? 0}`
    const before = (await sql`select count(*)::int as n from contact`)[0]?.n
    await undoMove(here, asker, id)
    expect((await settle(id)).state).toBe('undone')
    expect((await sql`select 1 from contact where name = 'Ana Luz'`).length).toBe(0)
    expect(await listRatings('Ana Luz')).toEqual([])
    expect((await sql`select 1 from "user" where name = 'Lia'`).length).toBe(0)
    expect((await sql`select 1 from queue where name = 'Balcão de óculos'`).length).toBe(0)
    expect((await sql`select count(*)::int as n from contact`)[0]?.n).toBe(before - 2)
    await foldFigures(db)
    await verifyFigures(db, 'after it was undone', [{ firstDate: '2025-01-01', lastDate: '2025-12-31' }])
  })
})
