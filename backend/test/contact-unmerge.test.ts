// A merge is undone (decisions-2 §22).
import { describe, expect, test } from 'bun:test'
import { type Contact, parseSettings, type Ticket } from '@balcao/contract'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { sweepMerges } from '../src/desk/contacts/unmerge.ts'
import { findViewer } from '../src/policy/users/viewer.ts'
import { type Refusal, startContactMergeDesk } from './contact-merge-desk.ts'
import { makeContact, makeMessage, makePerson, makeTicket } from './desk-world.ts'
import { countRounds } from './rounds.ts'
import { createSeededRandom } from './seeded-random.ts'
import { verifyEvents } from './verify-events.ts'

const { db, sql, queue, shop, office, marinaId, brunaId, bruna, marina, aCustomer, merge, contact } =
  await startContactMergeDesk()

const undo = (id: number, person = bruna) =>
  person.call<{ contact: Contact; other: Contact } & Refusal>('DELETE', `/contacts/merges/${id}`)

/** Everything that is known of some contacts, but how often and when it was changed. */
async function everythingOf(...ids: number[]) {
  const all = sql`any(${ids}::int[])`
  const own = sql`any(array(select id from ticket where contact_id = ${all}))`
  const [row] = await sql`
    select
      (select jsonb_agg(to_jsonb(c) - '{updated_at,version}'::text[] order by id) from contact c where id = ${all} or merged_into = ${all}) as contacts,
      (select jsonb_agg(to_jsonb(i) order by kind, value) from contact_identity i where contact_id = ${all}) as names,
      (select jsonb_agg(to_jsonb(g) order by contact_id, tag_id) from contact_tag g where contact_id = ${all}) as tags,
      (select jsonb_agg(to_jsonb(r) order by contact_id, queue_id) from contact_redirect r where contact_id = ${all}) as redirects,
      (select jsonb_agg(to_jsonb(h) order by contact_id, whatsapp_id) from contact_channel h where contact_id = ${all}) as channels,
      (select jsonb_agg(to_jsonb(s) order by schedule_id, contact_id) from schedule_contact s where contact_id = ${all}) as schedules,
      (select jsonb_agg(to_jsonb(r) - 'id' order by send_id, contact_id) from send_recipient r where contact_id = ${all}) as sends,
      (select jsonb_agg(to_jsonb(t) - '{updated_at,version,message_seq,last_message,last_message_id,last_message_type,last_message_from_me,last_message_state,last_message_at}'::text[]
        order by id) from ticket t where contact_id = ${all}) as tickets,
      (select jsonb_agg(to_jsonb(m) - '{version,raw}'::text[] order by id) from message m where ticket_id = ${own} and media_type <> 'system') as messages,
      (select jsonb_agg(to_jsonb(f) order by ticket_id, user_id) from ticket_follower f where ticket_id = ${own}) as followers,
      (select jsonb_agg(to_jsonb(p) order by id) from protocol p where ticket_id = ${own}) as protocols,
      (select jsonb_agg(to_jsonb(r) order by id) from rating r where ticket_id = ${own}) as ratings,
      (select jsonb_agg(to_jsonb(o) order by id) from outbox o where contact_id = ${all}) as outbox`
  return row
}

describe('decisions-2 §22: DELETE /contacts/merges/{id}', () => {
  test('gives everything back as it was, over many random pairs, and tells every screen', async () => {
    const random = createSeededRandom(2200)
    const tagIds = (
      await sql<{ id: number }[]>`
      insert into tag (name, color) select 'Marca ' || g, '#123456' from generate_series(1, 4) g returning id`
    ).map(({ id }) => id)
    const [schedule] = await sql<{ id: number }[]>`
      insert into schedule (message, recurrence, send_time) values ('Bom dia', 'every_day', '08:00') returning id`
    const sends = (
      await sql<{ id: number }[]>`
      insert into send (due_at, state, body, recipients) select now() + g * interval '1 second', 'running', 'Oi', '{}' from generate_series(1, 3) g returning id`
    ).map(({ id }) => id)
    const viewer = await findViewer(db, marinaId)
    if (!viewer) throw new Error('nobody')
    const carlaId = await makePerson(db, { name: 'Carla', profile: 'user' })
    for (let round = 0; round < countRounds({ all: 12, few: 4 }); round++) {
      const ids = [
        await aCustomer('Primeira'),
        random.chance(0.5) ? await aCustomer('Segunda') : await makeContact(db, random.chance(0.5) ? '' : 'Só LID'),
      ]
      for (const [at, contactId] of ids.entries()) {
        const here = <T>(list: readonly T[]) => list.filter(() => random.chance(0.5))
        await sql`insert into contact_tag (contact_id, tag_id) select ${contactId}, unnest(${here(tagIds)}::int[])`
        if (random.chance(0.5))
          await sql`insert into contact_redirect values (${contactId}, ${queue}, ${random.pick([brunaId, marinaId])})`
        if (random.chance(0.5)) await sql`insert into schedule_contact values (${schedule?.id ?? 0}, ${contactId})`
        for (const send of here(sends))
          await sql`insert into send_recipient (send_id, contact_id, state) values (${send}, ${contactId}, ${random.pick(['waiting', 'handed', 'excluded'])})`
        for (const whatsappId of here([shop, office]))
          await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at, greeted_at, timer)
            values (${contactId}, ${whatsappId}, ${`${contactId}@lid`},
            now() - ${random.upTo(1000)} * interval '1 minute', ${random.pick(['2026-01-01', null])}, ${random.pick([86400, 0, null])})`
        await sql`insert into contact_identity (kind, value, contact_id) values ('lid', ${`${contactId}0`}, ${contactId})`
        if (random.chance(0.3))
          await sql`update contact set opted_out_at = '2026-11-01', sends_said_at = '2026-11-01', resposta_automatica = false where id = ${contactId}`
        for (const whatsappId of [shop, office]) {
          for (const status of here([
            'closed',
            random.pick(['open', 'pending', 'paused', 'bot', 'nps'] as const),
          ] as const)) {
            const userId = status === 'pending' || status === 'bot' ? null : random.pick([brunaId, marinaId])
            const ticket = await makeTicket(db, {
              contactId,
              whatsappId,
              status,
              queueId: queue,
              userId,
              unread: random.upTo(3),
            })
            const followers = here([brunaId, marinaId, carlaId]).filter(id => id !== userId)
            if (['open', 'pending', 'paused'].includes(status))
              await sql`insert into ticket_follower (ticket_id, user_id) select ${ticket}, unnest(${followers}::int[])`
            const message = await makeMessage(db, ticket, `de ${at}`)
            await sql`update message set author_id = contact_id, provider_id = ${random.chance(0.5) ? `P${whatsappId}${status === 'closed'}` : `Q${message}`} where id = ${message}`
            if (['open', 'pending'].includes(status) && random.chance(0.6))
              await sql`
                update ticket set answer_since = now() - make_interval(mins => ${1 + random.upTo(50)}),
                  answered_at = case when ${random.chance(0.5)}::boolean then now() - interval '1 day' end where id = ${ticket}`
            if (random.chance(0.4))
              await sql`insert into protocol (protocolo, ticket_id, contact_id) values (${`2026${ticket}`}, ${ticket}, ${contactId})`
            if (random.chance(0.4))
              await sql`insert into rating (ticket_id, contact_id, whatsapp_id, rate) values (${ticket}, ${contactId}, ${whatsappId}, 5)`
            if (random.chance(0.4))
              await sql`insert into outbox (whatsapp_id, contact_id, message_id, operation, payload, state) values (${whatsappId}, ${contactId}, ${message}, 'message', '{}', 'done')`
          }
        }
      }
      const [into = 0, from = 0] = ids
      const before = await everythingOf(into, from)
      let made = 0
      const settings = parseSettings({})
      await verifyEvents(
        db,
        settings,
        [viewer],
        'merging',
        async () => {
          const { status, body } = await merge(into, from, marina)
          expect([status, body.contact?.id]).toEqual([200, into])
          made = body.merge.id
        },
        { only: 'tickets' },
      )
      const [left] = await sql<{ n: number }[]>`
        select (select count(*)::int from ticket where contact_id = ${from}) + (select count(*)::int from message where contact_id = ${from})
          + (select count(*)::int from contact_identity where contact_id = ${from}) + (select count(*)::int from send_recipient where contact_id = ${from}) as n`
      expect(left?.n).toBe(0)
      await verifyEvents(
        db,
        settings,
        [viewer],
        'taking it back',
        async () => {
          const { status, body } = await undo(made, marina)
          expect([status, body.contact?.id, body.other?.id]).toEqual([200, into, from])
        },
        { only: 'tickets' },
      )
      expect(await everythingOf(into, from)).toEqual(before)
    }
  })

  test('leaves with the first what came since', async () => {
    const [into, from] = [await aCustomer('Fica'), await aCustomer('Volta')]
    const own = await makeTicket(db, { contactId: from, whatsappId: office, status: 'closed', queueId: queue })
    const { body } = await merge(into, from)
    const since = await makeTicket(db, {
      contactId: into,
      whatsappId: shop,
      status: 'open',
      queueId: queue,
      userId: brunaId,
    })
    const message = await makeMessage(db, since, 'Depois')
    const [tag] = await sql<
      { id: number }[]
    >`insert into tag (name, color) values ('Desde então', '#1F8FB5') returning id`
    await bruna.call('PUT', `/contacts/${into}`, { name: 'Fica mesmo', email: 'novo@fica.example', tagIds: [tag?.id] })
    const { body: undone } = await undo(body.merge.id)
    expect(undone.contact).toMatchObject({
      id: into,
      name: 'Fica mesmo',
      email: 'novo@fica.example',
      tags: [{ name: 'Desde então' }],
    })
    expect(undone.other).toMatchObject({ id: from, name: 'Volta', tags: [] })
    const rows = await sql`select id, contact_id from ticket where id in (${own}, ${since}) order by id`
    expect([...rows]).toEqual([
      { id: own, contact_id: from },
      { id: since, contact_id: into },
    ])
    expect([...(await sql`select contact_id from message where id = ${message}`)]).toEqual([{ contact_id: into }])
    expect(undone.other.numbers).toHaveLength(2)
    expect(undone.contact.numbers.filter(number => undone.other.numbers.includes(number))).toEqual([])
  })

  test('who waits goes on waiting: the ticket that ends counts as no answer, and taken back both wait as they did', async () => {
    const [into, from] = [await aCustomer('Espera'), await aCustomer('Esperava antes')]
    const place = { whatsappId: shop, status: 'pending', queueId: queue } as const
    const older = await makeTicket(db, { contactId: into, ...place })
    const younger = await makeTicket(db, { contactId: from, ...place })
    await sql`update ticket set answer_since = '2026-11-02 12:00Z' where id = ${older}`
    await sql`update ticket set answer_since = '2026-11-01 12:00Z' where id = ${younger}`
    await sql`update ticket set answer_due_at = '2026-11-03' where id = ${younger}`
    const readWaits = async () => [
      ...(await sql`select answer_since::date::text as day from ticket where id in (${older}, ${younger}) order by id`),
    ]
    const { body } = await merge(into, from)
    expect(await readWaits()).toEqual([{ day: '2026-11-01' }, { day: null }])
    await undo(body.merge.id)
    expect(await readWaits()).toEqual([{ day: '2026-11-02' }, { day: '2026-11-01' }])
    expect(await sql`select 1 from ticket_answer where ticket_id in (${older}, ${younger})`).toHaveLength(0)
  })

  test('a ticket that was closed for it is live again with a line, but not where somebody has another by now', async () => {
    for (const isBusy of [false, true]) {
      const [into, from] = [await aCustomer('Mais velho'), await aCustomer('Mais novo')]
      const older = await makeTicket(db, {
        contactId: into,
        whatsappId: shop,
        status: 'open',
        queueId: queue,
        userId: brunaId,
      })
      const younger = await makeTicket(db, {
        contactId: from,
        whatsappId: shop,
        status: 'paused',
        queueId: queue,
        userId: brunaId,
      })
      const { body } = await merge(into, from)
      if (isBusy) await sql`update ticket set closed_at = closed_at + interval '1 second' where id = ${younger}`
      await undo(body.merge.id)
      const rows = await sql`select id, status, contact_id from ticket where id in (${older}, ${younger}) order by id`
      expect([...rows]).toEqual([
        { id: older, status: 'open', contact_id: into },
        { id: younger, status: isBusy ? 'closed' : 'paused', contact_id: from },
      ])
      const lines =
        await sql`select system->>'code' as code from message where ticket_id = ${younger} and media_type = 'system' order by id`
      expect(lines.map(({ code }) => code)).toEqual(isBusy ? ['merged'] : ['merged', 'unmerged'])
    }
  })

  test('whoever had it and is no longer active does not get it back: it waits', async () => {
    const gone = await makePerson(db, { name: 'Foi-se', profile: 'user', queueIds: [queue] })
    const [into, from] = [await aCustomer('A'.repeat(3)), await aCustomer('B'.repeat(3))]
    await makeTicket(db, { contactId: into, whatsappId: shop, status: 'pending', queueId: queue })
    const younger = await makeTicket(db, {
      contactId: from,
      whatsappId: shop,
      status: 'open',
      queueId: queue,
      userId: gone,
    })
    const { body } = await merge(into, from, marina)
    await sql`update "user" set active = false where id = ${gone}`
    await undo(body.merge.id)
    const { body: ticket } = await bruna.call<Ticket>('GET', `/tickets/${younger}`)
    expect([ticket.status, ticket.userId]).toEqual(['pending', null])
  })

  test('nor does who lost its queue meanwhile; what waits for a rating stays with whoever resolved it', async () => {
    const moved = await makePerson(db, { name: 'Mudou de fila', profile: 'user', queueIds: [queue] })
    const again: unknown[] = []
    for (const status of ['open', 'nps'] as const) {
      const [into, from] = [await aCustomer(`Fica ${status}`), await aCustomer(`Vai ${status}`)]
      await makeTicket(db, { contactId: into, whatsappId: shop, status: 'pending', queueId: queue })
      const younger = await makeTicket(db, { contactId: from, whatsappId: shop, status, queueId: queue, userId: moved })
      const { body } = await merge(into, from, marina)
      await sql`delete from user_queue where user_id = ${moved}`
      expect((await undo(body.merge.id, marina)).status).toBe(200)
      await sql`insert into user_queue (user_id, queue_id) values (${moved}, ${queue})`
      again.push(...(await sql`select status, user_id, queue_id from ticket where id = ${younger}`))
    }
    expect(again).toEqual([
      { status: 'pending', user_id: null, queue_id: queue },
      { status: 'nps', user_id: moved, queue_id: queue },
    ])
  })

  test('opted out while they were one, both are: nobody knows whose word it was', async () => {
    const [into, from] = [await aCustomer('Não pediu'), await aCustomer('Pediu para sair')]
    const { body } = await merge(into, from)
    await sql`update contact set opted_out_at = '2026-11-20', sends_said_at = '2026-11-20' where id = ${into}`
    await undo(body.merge.id)
    const rows = await sql`
      select id, opted_out_at::date::text as out, sends_said_at::date::text as wish from contact where id in (${into}, ${from}) order by id`
    expect([...rows]).toEqual([
      { id: into, out: '2026-11-20', wish: '2026-11-20' },
      { id: from, out: '2026-11-20', wish: '2026-11-20' },
    ])
  })

  test('who said it again under the name of one that had said it before is opted out too; who takes them again alone is not', async () => {
    const [into, from] = [await aCustomer('Já tinha pedido'), await aCustomer('Pediu depois')]
    await sql`update contact set opted_out_at = '2026-11-01', sends_said_at = '2026-11-01' where id = ${into}`
    const { body } = await merge(into, from)
    await sql`update contact set sends_said_at = '2026-11-20' where id = ${into}`
    await undo(body.merge.id)
    const outs = async () => [
      ...(await sql`select opted_out_at::date::text as out from contact where id in (${into}, ${from}) order by id`),
    ]
    expect(await outs()).toEqual([{ out: '2026-11-01' }, { out: '2026-11-01' }])
    const { body: again } = await merge(into, from)
    await sql`update contact set opted_out_at = null, sends_said_at = '2026-11-25' where id = ${into}`
    await undo(again.merge.id)
    expect(await outs()).toEqual([{ out: null }, { out: '2026-11-01' }])
  })

  test('the latest first: one of before, and one whose contact was merged itself, have to wait', async () => {
    const [a, b, c, d] = [
      await aCustomer('Ana'),
      await aCustomer('Bia'),
      await aCustomer('Caio'),
      await aCustomer('Davi'),
    ]
    const before = await everythingOf(a, b, c, d)
    const first = (await merge(b, c)).body.merge.id
    const second = (await merge(b, d)).body.merge.id
    const third = (await merge(a, b)).body.merge.id
    expect((await undo(first)).body.error).toBe('ERR_MERGED_AGAIN')
    expect((await undo(second)).body.error).toBe('ERR_MERGED_AGAIN')
    expect((await contact(c)).id).toBe(a)
    expect((await undo(third)).status).toBe(200)
    expect((await contact(c)).id).toBe(b)
    expect((await undo(first)).body.error).toBe('ERR_MERGED_AGAIN')
    expect((await undo(second)).status).toBe(200)
    expect((await undo(first)).status).toBe(200)
    expect(await everythingOf(a, b, c, d)).toEqual(before)
  })

  test('twice at once: once', async () => {
    const [into, from] = [await aCustomer('Par'), await aCustomer('Ímpar')]
    const { body } = await merge(into, from)
    const answers = await Promise.all([undo(body.merge.id), undo(body.merge.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await undo(body.merge.id)).body.error).toBe('ERR_NO_MERGE_FOUND')
  })

  test('after the one that stayed was deleted there is nothing to take back', async () => {
    const [into, from] = [await aCustomer('Sai'), await aCustomer('Sai junto')]
    const { body } = await merge(into, from)
    expect((await bruna.call('DELETE', `/contacts/${into}`)).status).toBe(204)
    expect((await undo(body.merge.id)).body.error).toBe('ERR_NO_MERGE_FOUND')
    expect(await sql`select 1 from contact where id in (${into}, ${from})`).toHaveLength(0)
  })

  test('when a provider has told meanwhile that the one that stayed is somebody else, it stands', async () => {
    const [older, into, from] = [await aCustomer('Mais antigo'), await aCustomer('Do meio'), await aCustomer('Último')]
    const { body } = await merge(into, from)
    await db.transaction(tx => mergeContacts(tx, older, into))
    expect((await undo(body.merge.id)).body.error).toBe('ERR_MERGED_AGAIN')
    expect((await contact(from)).id).toBe(older)
  })

  test('who wrote since under the one’s address wrote as that one: both have their own address again', async () => {
    const [into, from] = [await aCustomer('Endereço um'), await aCustomer('Endereço dois')]
    await sql`insert into contact_channel values (${into}, ${shop}, 'um@lid', '2026-01-01', null), (${from}, ${shop}, 'dois@lid', '2026-02-01', null)`
    const { body } = await merge(into, from)
    await sql`update contact_channel set jid = 'dois@lid', last_inbound_at = '2026-03-01' where contact_id = ${into}`
    await undo(body.merge.id)
    const rows = await sql`
      select contact_id, jid, last_inbound_at::date::text as at from contact_channel where contact_id in (${into}, ${from}) order by contact_id`
    expect([...rows]).toEqual([
      { contact_id: into, jid: 'um@lid', at: '2026-01-01' },
      { contact_id: from, jid: 'dois@lid', at: '2026-03-01' },
    ])
  })

  test('a number that was left since goes back as one it had', async () => {
    const [into, from] = [await aCustomer('Tem'), await aCustomer('Tinha')]
    const { numbers: own } = await contact(from)
    const { body } = await merge(into, from)
    await sql`update contact_identity set kind = 'former' where contact_id = ${into} and value = any(${own}::text[])`
    const { body: undone } = await undo(body.merge.id)
    expect([undone.other.number, undone.other.numbers.toSorted()]).toEqual([null, own.toSorted()])
  })

  test('into a send that is over nobody comes any more', async () => {
    const [into, from] = [await aCustomer('Recebe'), await aCustomer('Recebia')]
    const [send] = await sql<{ id: number }[]>`
      insert into send (due_at, state, body, recipients) values (now(), 'running', 'Bom dia', '{}') returning id`
    const id = send?.id ?? 0
    await sql`insert into send_recipient (send_id, contact_id, state) values (${id}, ${into}, 'waiting'), (${id}, ${from}, 'waiting')`
    const { body } = await merge(into, from)
    await sql`update send_recipient set state = 'handed' where send_id = ${id}`
    await sql`update send set state = 'done' where id = ${id}`
    await undo(body.merge.id)
    const rows =
      await sql`select contact_id, state, reason from send_recipient where send_id = ${id} order by contact_id`
    expect([...rows]).toEqual([
      { contact_id: into, state: 'handed', reason: null },
      { contact_id: from, state: 'excluded', reason: 'merged' },
    ])
  })

  test('takes nobody out of an erasure that waits', async () => {
    const [into, from] = [await aCustomer('Pediu'), await aCustomer('É a mesma')]
    const { body } = await merge(into, from)
    const [row] = await sql<{ id: number }[]>`
      insert into privacy_erasure (contact_id, due_at, reason) values (${into}, now() + interval '7 days', 'pediu') returning id`
    expect((await undo(body.merge.id)).body.error).toBe('ERR_ERASURE_WAITING')
    expect((await contact(from)).id).toBe(into)
    await sql`delete from privacy_erasure where id = ${row?.id ?? 0}`
    expect((await undo(body.merge.id)).status).toBe(200)
  })

  test('is forgotten after thirty days', async () => {
    const [into, from] = [await aCustomer('Ontem'), await aCustomer('Anteontem')]
    const { body } = await merge(into, from)
    await sql`update contact_merge set at = now() - interval '29 days 23 hours' where id = ${body.merge.id}`
    await sweepMerges(db)
    expect(await sql`select 1 from contact_merge where id = ${body.merge.id}`).toHaveLength(1)
    await sql`update contact_merge set at = now() - interval '30 days 1 second' where id = ${body.merge.id}`
    expect((await undo(body.merge.id)).body.error).toBe('ERR_NO_MERGE_FOUND')
    expect(await sweepMerges(db)).toBe(1)
    expect((await contact(from)).id).toBe(into)
  })
})
