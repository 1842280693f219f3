// A send stops by itself, and where its messages go (decisions §6, decisions-2 §15).
import { describe, expect, test } from 'bun:test'
import { receiveEvents } from '../src/messaging/inbox/receive.ts'
import { claimDue } from '../src/messaging/outbox/claim.ts'
import { giveUpWaiting } from '../src/messaging/outbox/give-up.ts'
import { settle } from '../src/messaging/outbox/settle.ts'
import { storeStatus } from '../src/messaging/owner/status.ts'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { owned, type SendFixture, startSendEngine } from './send-engine-world.ts'

const { db, sql, aWorld, aSend, hand, stateOf, state, eventsOf, wentOut } = await startSendEngine()

const newsOf = async ({ whatsappId }: SendFixture) => {
  const [row] = await sql<
    { news: { code: string; name?: string }[] }[]
  >`select news from whatsapp where id = ${whatsappId}`
  return (row?.news ?? []).map(({ code, name }) => [code, name])
}

describe('decisions §6: a send stops by itself', () => {
  test('when more than 10 % of the last 50 failed, at least five; the administrators are told, and the log says so', async () => {
    const world = await aWorld(12)
    const id = await aSend(world)
    for (let n = 0; n < 5; n++) {
      expect(await hand(world)).toBe(0)
      await wentOut('failed')
    }
    expect(await state(id)).toEqual(['running', null])
    await sql`truncate live_event`
    expect(await hand(world)).toBeNull()
    expect(await stateOf(id)).toMatchObject({ state: 'stopped', reason: 'failures', sent: 5 })
    expect(await newsOf(world)).toEqual([['send_stopped', 'failures']])
    expect((await eventsOf('envioMassa')).map(one => JSON.parse(one.payload).envioMassaId)).toEqual([id])
    expect(await sql`select action, params, entity_id, user_id from log_entry`).toMatchObject([
      { action: 'send.stop', params: { reason: 'failures' }, entity_id: id, user_id: null },
    ])
  })

  test('not for four, nor for five of fifty', async () => {
    const world = await aWorld(52)
    const id = await aSend(world)
    for (let n = 0; n < 51; n++) {
      expect(await hand(world)).toBe(0)
      await wentOut([3, 9, 20, 33, 49].includes(n) ? 'failed' : 'sent')
    }
    expect(await state(id)).toEqual(['running', null])
  })

  test('resumed it does not repeat who failed, and the failures of before do not stop it again', async () => {
    const world = await aWorld(14)
    const id = await aSend(world)
    for (let n = 0; n < 5; n++) {
      await hand(world)
      await wentOut('failed')
    }
    await hand(world)
    const now = new Date().toISOString()
    await sql`update send set state = 'running', state_reason = null, resumed_at = ${now} where id = ${id}`
    for (let n = 0; n < 5; n++) {
      expect(await hand(world)).toBe(0)
      await wentOut('failed')
    }
    expect(await hand(world)).toBeNull()
    expect(await state(id)).toEqual(['stopped', 'failures'])
    const rows =
      await sql`select count(*)::int as n, count(distinct contact_id)::int as contacts from message where from_me and whatsapp_id = ${world.whatsappId}`
    expect(rows).toMatchObject([{ n: 10, contacts: 10 }])
  })

  test.each([
    ['131048', 'blocked'],
    ['368', 'blocked'],
    ['no_file', 'file_gone'],
  ])('at once when a message says %s: %s', async (code, reason) => {
    const world = await aWorld(3)
    const id = await aSend(world)
    await hand(world)
    await wentOut('failed', code)
    expect(await hand(world)).toBeNull()
    expect(await state(id)).toEqual(['stopped', reason])
    expect(await newsOf(world)).toEqual([['send_stopped', reason]])
  })

  test('resumed after a block, the message that told of it does not stop it again', async () => {
    const world = await aWorld(3)
    const id = await aSend(world)
    await hand(world)
    await wentOut('failed', '131048')
    await hand(world)
    await sql`update send set state = 'running', state_reason = null, resumed_at = ${new Date().toISOString()} where id = ${id}`
    expect(await hand(world)).toBe(0)
    await wentOut('sent')
    expect(await hand(world)).toBe(0)
    expect(await state(id)).toEqual(['done', null])
  })

  test('when the phone is banned: all sends of the connection, also one that is calculated, and no other’s', async () => {
    const [world, other] = [await aWorld(2), await aWorld(2)]
    const [running, beside] = [await aSend(world), await aSend(other)]
    const [waits, paused] = [await aSend(world), await aSend(world)]
    await sql`update send set state = 'waiting', state_reason = 'daily_cap', not_before = now() + interval '9 hours' where id = ${waits}`
    await sql`update send set state = 'paused' where id = ${paused}`
    const [row] = await sql<{ id: number }[]>`
      insert into send (due_at, body, recipients, whatsapp_id) values (now(), 'x', '{}', ${world.whatsappId}) returning id`
    const trouble = {
      code: '403',
      reason: 'banned',
      since: '',
      attempt: 0,
      nextTryAt: null,
      next: 'ask_support',
    } as const
    await storeStatus(db, owned(world), { type: 'status', status: 'DISCONNECTED', trouble })
    expect(await state(running)).toEqual(['stopped', 'blocked'])
    expect(await state(row?.id ?? 0)).toEqual(['stopped', 'blocked'])
    expect(await state(waits)).toEqual(['stopped', 'blocked'])
    // Whoever paused one goes on with it, or does not.
    expect(await state(paused)).toEqual(['paused', null])
    expect(await state(beside)).toEqual(['running', null])
    expect(await newsOf(world)).toEqual([['send_stopped', 'blocked']])
  })

  test('when Meta holds the account back', async () => {
    const world = await aWorld(2, 'cloud_api')
    const id = await aSend(world)
    await receiveEvents(db, { id: world.whatsappId }, [
      { type: 'news', id: 'n1', at: Date.now(), code: 'limit_lowered' },
    ])
    expect(await state(id)).toEqual(['running', null])
    await receiveEvents(db, { id: world.whatsappId }, [
      { type: 'news', id: 'n2', at: Date.now(), code: 'account_restricted' },
    ])
    expect(await state(id)).toEqual(['stopped', 'blocked'])
  })

  test('with its connection, even where somebody had paused it', async () => {
    const world = await aWorld(2)
    const [running, paused] = [await aSend(world), await aSend(world)]
    await sql`update send set state = 'paused' where id = ${paused}`
    await db.transaction(tx => giveUpWaiting(tx, world.whatsappId))
    for (const id of [running, paused]) expect(await state(id)).toEqual(['stopped', 'connection_deleted'])
  })
})

describe('decisions-2 §15: where a message goes', () => {
  test('into the live ticket, or into the last closed one, or a new closed one, where it rings for nobody', async () => {
    const world = await aWorld(3)
    const [live, closed, none] = world.ids
    await sql`update ticket set status = 'closed', closed_at = now() where contact_id = ${closed ?? 0}`
    await sql`delete from ticket where contact_id = ${none ?? 0}`
    await aSend(world)
    for (let n = 0; n < 3; n++) {
      expect(await hand(world)).toBe(0)
      await wentOut('sent')
    }
    const rows = await sql`
      select t.contact_id, t.status, t.unread_messages, count(m.id)::int as messages from ticket t join message m on m.ticket_id = t.id
      where t.contact_id = any(${world.ids}::int[]) group by t.id order by t.contact_id`
    expect(rows).toMatchObject([
      { contact_id: live, status: 'open', unread_messages: 0, messages: 1 },
      { contact_id: closed, status: 'closed', unread_messages: 0, messages: 1 },
      { contact_id: none, status: 'closed', unread_messages: 0, messages: 1 },
    ])
    expect(await sql`select distinct automatic from message where whatsapp_id = ${world.whatsappId}`).toMatchObject([
      { automatic: true },
    ])
  })

  test('with every placeholder filled in for each contact', async () => {
    const world = await aWorld(2)
    await sql`update contact set name = 'Lúcia' where id = ${world.ids[0] ?? 0}`
    await aSend(world, { body: '{{ms}}, {{name}} ({{number}}), {{date}} {{time}} {{constructor}}' })
    await hand(world)
    const [message] = await sql`select body from message where contact_id = ${world.ids[0] ?? 0}`
    expect(message?.body).toMatch(
      /^(Bom dia|Boa tarde|Boa noite), Lúcia \(55319\d+\), \d\d\/\d\d\/\d{4} \d\d:\d\d \{\{constructor\}\}$/,
    )
  })
})

describe('decisions-2 §15: who is left out when it is his turn', () => {
  test('whose words are too long once they are filled in, with the reason; the others get theirs', async () => {
    const world = await aWorld(2, 'cloud_api')
    const [long = 0, short = 0] = world.ids
    await sql`update contact set name = ${'Lúcia '.repeat(8)} where id = ${long}`
    await sql`update contact set name = 'Ana' where id = ${short}`
    const id = await aSend(world, { body: `${'x'.repeat(4080)} {{name}}` })
    expect(await hand(world)).toBe(0)
    expect([...(await sql`select contact_id, state, reason from send_recipient order by contact_id`)]).toEqual([
      { contact_id: long, state: 'excluded', reason: 'ERR_TEXT_TOO_LONG' },
      { contact_id: short, state: 'handed', reason: null },
    ])
    expect(await stateOf(id)).toMatchObject({ state: 'done', sent: 1 })
  })
})

describe('decisions-2 §15: agents’ own messages always go first', () => {
  const claimed = async (world: SendFixture) =>
    (await claimDue(db, owned(world), 9)).map(({ payload }) => ('text' in payload ? payload.text : ''))

  test('a message of a send that waits to be tried again holds up nothing that is said to its contact', async () => {
    const world = await aWorld(1)
    await aSend(world, { body: 'de muitos' })
    await hand(world)
    await sql`update outbox set next_at = now() + interval '5 minutes'`
    await world.write(0, 'de um atendente')
    await world.write(0, 'e mais uma')
    expect(await claimed(world)).toEqual(['de um atendente'])
    // One of a contact at a time, and in their order; behind them the send's.
    await sql`update outbox set next_at = now() - interval '1 second' where state = 'queued'`
    expect(await claimed(world)).toEqual([])
    await sql`update outbox set state = 'done', done_at = now() where state = 'sending'`
    expect(await claimed(world)).toEqual(['e mais uma'])
    await sql`update outbox set state = 'done', done_at = now() where state = 'sending'`
    expect(await claimed(world)).toEqual(['de muitos'])
  })

  test('due at the same moment the agent’s goes first, and only it', async () => {
    const world = await aWorld(1)
    await aSend(world, { body: 'de muitos' })
    await hand(world)
    await world.write(0, 'de um atendente')
    expect(await claimed(world)).toEqual(['de um atendente'])
  })

  test('what is on its way is waited for, and what is done to a message of a send comes after it', async () => {
    const world = await aWorld(1)
    await aSend(world, { body: 'de muitos' })
    await hand(world)
    await sql`insert into outbox (whatsapp_id, contact_id, message_id, operation, payload)
      select whatsapp_id, contact_id, message_id, 'revoke', '{"type":"revoke"}' from outbox`
    expect(await claimed(world)).toEqual(['de muitos'])
    await world.write(0, 'de um atendente')
    expect(await claimed(world)).toEqual([])
    await sql`update outbox set state = 'done', done_at = now() where state = 'sending'`
    expect(await claimed(world)).toEqual([''])
  })
})

describe('what changes is told', () => {
  test('that it is known whom it is for', async () => {
    const id = await aSend(await aWorld(2))
    expect((await eventsOf('envioMassa')).map(one => JSON.parse(one.payload))).toMatchObject([
      { action: 'update', envioMassaId: id },
    ])
  })

  test('each message that is handed over, and each that fails', async () => {
    const world = await aWorld(2)
    const id = await aSend(world)
    await hand(world)
    const before = (await eventsOf('envioMassa')).length
    const [claim] = await claimDue(db, owned(world), 1)
    if (!claim) throw new Error('Nothing was due')
    await settle(db, owned(world), claim, { state: 'failed', error: { code: '500', message: '' } })
    const events = await eventsOf('envioMassa')
    expect(events.length).toBe(before + 1)
    const [send] = await sql`select version::int as version from send where id = ${id}`
    expect(JSON.parse(events.at(-1)?.payload)).toMatchObject({ envioMassaId: id, version: send?.version })
  })

  test('a run of a scheduled send in that one’s name', async () => {
    const world = await aWorld(1)
    const [row] = await sql<{ id: number }[]>`
      insert into schedule (message, recurrence, send_time, next_run_at, whatsapp_id) values ('oi', 'once', '', now() - interval '1 second', ${world.whatsappId}) returning id`
    await sql`insert into schedule_contact (schedule_id, contact_id) values (${row?.id ?? 0}, ${world.ids[0] ?? 0})`
    await startDueSchedules({ db, dataDir: '/nowhere' })
    await sql`truncate live_event`
    await hand(world)
    expect(await eventsOf('envioMassa')).toHaveLength(0)
    expect((await eventsOf('agendamento')).map(one => JSON.parse(one.payload).agendamentoId)).toEqual([row?.id])
  })
})

describe('a schedule with something missing', () => {
  const due = async (world: SendFixture, columns: { mediaId?: string; tag?: number }) => {
    const [row] = await sql<{ id: number }[]>`
      insert into schedule (message, recurrence, send_time, next_run_at, whatsapp_id, media_id)
      values ('oi', 'once', '', now() - interval '1 second', ${world.whatsappId}, ${columns.mediaId ?? null}) returning id`
    if (!columns.tag)
      await sql`insert into schedule_contact (schedule_id, contact_id) select ${row?.id ?? 0}, unnest(${world.ids}::int[])`
    return row?.id ?? 0
  }

  test('its file vanished: the run stops and says so, and holds up no other', async () => {
    const world = await aWorld(1)
    const broken = await due(world, { mediaId: 'nowhere' })
    const fine = await due(world, {})
    expect(await startDueSchedules({ db, dataDir: '/nowhere' })).toBe(2)
    const runs = await sql`select schedule_id, state, state_reason from send order by schedule_id`
    expect(runs).toMatchObject([
      { schedule_id: broken, state: 'stopped', state_reason: 'file_gone' },
      { schedule_id: fine, state: 'running', state_reason: null },
    ])
    expect(await newsOf(world)).toEqual([['send_stopped', 'file_gone']])
  })

  test('its tag was deleted: nobody is left, and the administrators are told once', async () => {
    const world = await aWorld(1)
    await due(world, { tag: 1 })
    const place = { db, dataDir: '/nowhere' }
    await Promise.all([startDueSchedules(place), startDueSchedules(place)])
    expect(await sql`select state, state_reason from send`).toMatchObject([
      { state: 'stopped', state_reason: 'no_recipients' },
    ])
    expect(await newsOf(world)).toEqual([['send_stopped', 'no_recipients']])
  })

  test('a group is reached by what is scheduled in its conversation, and not by what goes to many', async () => {
    const world = await aWorld(2)
    const [group = 0] = world.ids
    await sql`update contact set is_group = true, number = null where id = ${group}`
    const alone = await due({ ...world, ids: [group] }, {})
    const many = await due(world, {})
    const [tag] = await sql<
      { id: number }[]
    >`insert into tag (name, color) values (${crypto.randomUUID()}, '#B8860B') returning id`
    const andTag = await due({ ...world, ids: [group] }, {})
    await sql`insert into schedule_tag (schedule_id, tag_id) values (${andTag}, ${tag?.id ?? 0})`
    await startDueSchedules({ db, dataDir: '/nowhere' })
    const rows = await sql`
      select s.schedule_id, r.state, r.reason from send_recipient r join send s on s.id = r.send_id where r.contact_id = ${group} order by 1`
    expect(rows).toMatchObject([
      { schedule_id: alone, state: 'waiting' },
      { schedule_id: many, state: 'excluded', reason: 'group' },
      { schedule_id: andTag, state: 'excluded', reason: 'group' },
    ])
  })
})
