// What settings change of what comes in (spec 2 §4).
import { describe, expect, test } from 'bun:test'
import { mergeContacts } from '../src/desk/contacts/merge.ts'
import { sweepRaw } from '../src/operations/retention.ts'
import type { ChannelEvent, Peer } from '../src/platform/channel/driver.ts'
import { clearSettingsCache } from '../src/policy/settings/read.ts'
import { lucia, number, startInbox } from './inbox-messages.ts'
import { waitUntil } from './until.ts'

const { db, sql, connection, take, text } = await startInbox()

describe('settings decide', () => {
  test('CheckMsgIsGroup: group messages are ignored', async () => {
    await setting('CheckMsgIsGroup', 'enabled')
    const group: Peer = { jid: '120@g.us', group: true }
    const event = text(group, 'no grupo', { author: lucia })
    const now = { chat: group, by: lucia, at: Date.now() }
    const ref = { ...event.ref, participant: lucia.jid }
    const taken = await take(
      event,
      text(lucia, 'fora do grupo'),
      { type: 'unreadable', card: { ...text(group, 'ciphertext', { author: lucia }), mediaType: 'unknown' } },
      { type: 'edit', ref, ...now, body: 'outra coisa no grupo' },
      { type: 'reaction', ref, ...now, fromMe: false, emoji: '👍' },
      { type: 'revoke', ref, ...now },
      { type: 'call', id: 'CG', from: group, video: false, state: 'missed', at: Date.now() },
      { ...text(group, 'de ontem no grupo', { author: lucia }), past: true },
    )
    expect(taken).toMatchObject({ stored: 1, repeated: 0, undigested: 0 })
    for (const table of ['ticket', 'message', 'contact', 'raw_event'])
      expect([table, await number(sql`select count(*)::int as n from ${sql(table)}`)]).toEqual([table, 1])
    const everything = await sql`
      select (select json_agg(raw_event) from raw_event)::text || (select json_agg(live_event) from live_event)::text as words`
    expect(everything[0]?.words).not.toContain('no grupo')
    await waitUntil('the doctor can read how many it was', async () => {
      const [row] = await sql`select count from whatsapp_count where what = 'ignoredGroup'`
      return row?.count === 1
    })
    await setting('CheckMsgIsGroup', 'disabled')
    expect((await take(text(group, 'de novo no grupo', { author: lucia }))).stored).toBe(1)
  })

  test('CheckMsgFromCell: a message typed on the phone is recorded in the live ticket but opens none', async () => {
    await take(text(lucia, 'do celular', { fromMe: true }))
    expect(await number(sql`select count(*)::int as n from ticket`)).toBe(0)
    await take(text(lucia, 'oi'))
    await take(text(lucia, 'respondi do celular', { fromMe: true }))
    const [row] = await sql`select unread_messages, last_message, last_message_from_me from ticket`
    expect(row).toEqual({ unread_messages: 0, last_message: 'respondi do celular', last_message_from_me: true })
    await setting('CheckMsgFromCell', 'disabled')
    await take(
      text({ jid: '5531977770000@s.whatsapp.net', pn: '5531977770000', group: false }, 'abre', { fromMe: true }),
    )
    expect(await number(sql`select count(*)::int as n from ticket`)).toBe(2)
  })

  describe('what was typed on the phone first stands in the conversation once the customer answers', () => {
    const bodies = async () =>
      (await sql`select body from message where not automatic and media_type <> 'system' order by at, seq`).map(
        row => row.body,
      )
    const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000
    const phone = (body: string, minutes: number, more = {}) =>
      text(lucia, body, { fromMe: true, at: minutesAgo(minutes), ...more })

    test('in its order, read, and without a sound of its own', async () => {
      await take(phone('bom dia, dona Lúcia', 9))
      await take(phone('seu orçamento ficou em R$ 500', 8))
      expect(await number(sql`select count(*)::int as n from ticket`)).toBe(0)
      await take(text(lucia, 'fechado, pode mandar'))
      expect(await bodies()).toEqual(['bom dia, dona Lúcia', 'seu orçamento ficou em R$ 500', 'fechado, pode mandar'])
      const [ticket] = await sql`select status, unread_messages, last_message from ticket`
      expect(ticket).toEqual({ status: 'pending', unread_messages: 1, last_message: 'fechado, pode mandar' })
      await take(text(lucia, 'tudo bem?'))
      expect(await bodies()).toHaveLength(4)
    })

    test('as it was typed also within one second, whatever the database has moved about', async () => {
      const words = ['um', 'dois', 'três', 'quatro']
      const at = minutesAgo(9)
      for (const word of words) await take(phone(word, 0, { at }))
      for (const change of [sql`'x' || waits_for`, sql`substr(waits_for, 2)`])
        await sql`update raw_event set waits_for = ${change} where payload like '%"um"%'`
      await take(text(lucia, 'fechado'))
      expect(await bodies()).toEqual([...words, 'fechado'])
    })

    test('also in the one that somebody opened by hand meanwhile', async () => {
      await take(phone('seu orçamento ficou em R$ 500', 9))
      await sql`
        insert into ticket (contact_id, whatsapp_id, status) select c.id, w.id, 'open' from contact c, whatsapp w`
      await take(text(lucia, 'fechado'), text(lucia, 'pode mandar'))
      expect(await bodies()).toEqual(['seu orçamento ficou em R$ 500', 'fechado', 'pode mandar'])
      expect(await number(sql`select unread_messages::int as n from ticket`)).toBe(2)
    })

    test('when both come together, and told again it stands there once', async () => {
      const first = phone('seu orçamento ficou em R$ 500', 1)
      await take(first, text(lucia, 'fechado'))
      expect(await bodies()).toEqual(['seu orçamento ficou em R$ 500', 'fechado'])
      await take(first)
      expect(await bodies()).toHaveLength(2)
    })

    test('once, though it was told by both addresses of the chat, together with the answer or before', async () => {
      const lid: Peer = { jid: '77001122@lid', lid: '77001122', pn: '5531998762210', group: false }
      const tellTwice = (body: string): [ChannelEvent, ChannelEvent] => {
        const event = phone(body, 1)
        return [event, { ...event, ref: { ...event.ref, chat: lid.jid }, chat: lid }]
      }
      for (const apart of [false, true]) {
        await sql`truncate message, ticket, contact, contact_identity, raw_event cascade`
        const events = [...tellTwice('seu orçamento ficou em R$ 500'), ...tellTwice('à vista')]
        const taken = apart ? events : []
        for (const event of taken) await take(event)
        await take(...(apart ? [] : events), text(lucia, 'fechado'))
        const rows = await sql<
          { body: string; seq: number }[]
        >`select body, seq from message where not automatic order by seq`
        expect([apart, rows.map(({ body }) => body)]).toEqual([
          apart,
          ['seu orçamento ficou em R$ 500', 'à vista', 'fechado'],
        ])
        expect([apart, rows.map(({ seq }) => seq)]).toEqual([apart, [1, 2, 3]])
      }
    })

    describe('of somebody who was here before', () => {
      const closeBefore = async (minutes: number) => {
        await take(text(lucia, 'oi', { at: minutesAgo(60) }))
        await sql`update ticket set status = 'closed', unread_messages = 0, closed_at = now() - make_interval(mins => ${minutes})`
      }
      const live = async () => [
        ...(await sql`
          select status, unread_messages::int as unread, (
            select array_agg(body order by at, seq) from message where ticket_id = ticket.id) as texts from ticket order by id`),
      ]
      const quoted = { status: 'pending', unread: 1, texts: ['R$ 500', 'fechado'] }
      const past = { status: 'closed', unread: 0, texts: ['oi'] }

      test('it waits too, and stands in the new conversation, not in the old one', async () => {
        await closeBefore(2880)
        await take(phone('R$ 500', 9))
        expect(await live()).toEqual([past])
        await take(text(lucia, 'fechado'))
        expect(await live()).toEqual([past, quoted])
      })

      test('also when both come together: the answer opens one and rings', async () => {
        await closeBefore(2880)
        await take(phone('R$ 500', 1), text(lucia, 'fechado'))
        expect(await live()).toEqual([past, quoted])
      })

      for (const [name, quiet] of [
        ['thanks', () => text(lucia, 'obrigada')],
        ['a wish about mass sends', () => text(lucia, 'SAIR')],
        ['a notice', () => notice('calls_allowed')],
      ] as const)
        test(`it goes on waiting where ${name} of before comes with it`, async () => {
          await closeBefore(5)
          await take(phone('R$ 500', 1), quiet())
          expect(await number(sql`select count(*)::int as n from message where body = 'R$ 500'`)).toBe(0)
          await take(text(lucia, 'fechado'))
          expect((await live()).at(-1)).toEqual(quoted)
        })

      test('and in the old one where the answer gets that back', async () => {
        await closeBefore(5)
        await setting('timeCreateNewTicket', '10')
        await take(phone('R$ 500', 1))
        await take(text(lucia, 'fechado'))
        expect(await live()).toEqual([{ ...quoted, texts: ['oi', 'R$ 500', 'fechado'] }])
      })
    })

    test('with what was changed of it meanwhile, and as what the answer quotes', async () => {
      const first = phone('R$ 50', 9)
      await take(first)
      const { ref, chat } = first
      await take({ type: 'edit', ref, chat, body: 'R$ 500', at: minutesAgo(8) })
      const answer = text(lucia, 'fechado')
      await take({ ...answer, quote: ref })
      expect(await bodies()).toEqual(['R$ 500', 'fechado'])
      expect(await number(sql`select count(quoted_id)::int as n from message`)).toBe(1)
    })

    test('also where the two turned out to be one person meanwhile', async () => {
      await take(phone('seu orçamento ficou em R$ 500', 9))
      const [known] = await sql<{ id: number }[]>`select id from contact`
      const [other] = await sql<{ id: number }[]>`insert into contact (name) values ('Dona Lúcia') returning id`
      await db.transaction(tx => mergeContacts(tx, other?.id ?? 0, known?.id ?? 0))
      await take(text(lucia, 'fechado'))
      expect(await bodies()).toEqual(['seu orçamento ficou em R$ 500', 'fechado'])
    })

    test('it waits a month, longer than what else came in', async () => {
      await take(phone('seu orçamento ficou em R$ 500', 9), text(lucia, 'oi', { fromMe: true }))
      await sql`update raw_event set received_at = now() - interval '29 days'`
      expect(await sweepRaw(db)).toBe(0)
      await sql`update raw_event set received_at = now() - interval '31 days'`
      expect(await sweepRaw(db)).toBe(2)
    })
  })

  for (const code of ['calls_allowed', 'calls_refused', 'edited_unseen'] as const)
    test(`what opens no conversation (${code}) swallows nothing that came together with it`, async () => {
      await take(text(lucia, 'oi'))
      await sql`update ticket set status = 'closed', unread_messages = 0, closed_at = now() - interval '2 days'`
      await take(notice(code), text(lucia, 'quero comprar'))
      expect([
        ...(await sql`select status, unread_messages::int as unread, last_message as last from ticket order by id`),
      ]).toMatchObject([{ status: 'closed' }, { status: 'pending', unread: 1, last: 'quero comprar' }])
    })

  test('what comes together with a rating, and after it, opens the next conversation', async () => {
    await take(text(lucia, 'oi'))
    await sql`update ticket set status = 'nps', unread_messages = 0`
    await take(text(lucia, '5'), text(lucia, 'mas faltou o boleto'), text(lucia, 'pode mandar?'))
    expect([
      ...(await sql`select status, unread_messages::int as unread, last_message as last from ticket order by id`),
    ]).toEqual([
      { status: 'closed', unread: 0, last: '5' },
      { status: 'pending', unread: 2, last: 'pode mandar?' },
    ])
    expect(await number(sql`select count(*)::int as n from rating`)).toBe(1)
  })

  test('timeCreateNewTicket: who writes soon after closing gets the same ticket back, otherwise a new one', async () => {
    await take(text(lucia, 'oi'))
    await sql`update ticket set status = 'closed', closed_at = now()`
    await take(text(lucia, 'de novo'))
    expect(await number(sql`select count(*)::int as n from ticket`)).toBe(2)
    await sql`update ticket set status = 'closed', closed_at = now()`
    await setting('timeCreateNewTicket', '10')
    await take(text(lucia, 'mais uma coisa'))
    expect(await number(sql`select count(*)::int as n from ticket`)).toBe(2)
    expect(await number(sql`select count(*)::int as n from ticket where status = 'pending'`)).toBe(1)
  })

  test('thanksMinutes: thanks soon after closing stay in the closed ticket, unread by nobody; anything else opens one', async () => {
    await take(text(lucia, 'oi'))
    await sql`update ticket set status = 'closed', closed_at = now(), unread_messages = 0`
    await setting('timeCreateNewTicket', '10')
    await take(text(lucia, 'Muito obrigada! 🙏'), text(lucia, '👍'))
    expect([...(await sql`select status, unread_messages::int as unread, last_message as last from ticket`)]).toEqual([
      { status: 'closed', unread: 0, last: '👍' },
    ])
    await take(text(lucia, 'obrigada, mas faltou o boleto'))
    expect(await number(sql`select count(*)::int as n from ticket where status = 'pending'`)).toBe(1)
    // In a group they may be for anybody.
    const party = { jid: '120363000000000001@g.us', group: true }
    const inGroup = (words: string) => take({ ...text(party, words), author: lucia })
    await setting('CheckMsgIsGroup', 'disabled')
    await inGroup('oi')
    await sql`update ticket set status = 'closed', closed_at = now() where is_group`
    await inGroup('obrigada')
    expect(await number(sql`select count(*)::int as n from ticket where is_group and status = 'pending'`)).toBe(1)
    await sql`delete from ticket where is_group`
    // While a conversation is live thanks are part of it.
    await take(text(lucia, 'obrigada'))
    expect(await number(sql`select unread_messages::int as n from ticket where status = 'pending'`)).toBe(2)

    await sql`update ticket set status = 'closed', closed_at = now() - interval '11 minutes'`
    await take(text(lucia, 'obrigada'))
    expect(await number(sql`select count(*)::int as n from ticket where status = 'pending'`)).toBe(1)
    await sql`update ticket set status = 'closed', closed_at = now()`
    await setting('timeCreateNewTicket', '0')
    await setting('thanksMinutes', '0')
    await take(text(lucia, 'obrigada'))
    expect(await number(sql`select count(*)::int as n from ticket where status = 'pending'`)).toBe(1)
  })

  test('thanksMinutes: thanks soon after resolving leave a survey as it is, unread by nobody; later, or anything else, is for people', async () => {
    const standing = async () => [...(await sql`select status, unread_messages::int as unread from ticket`)]
    await take(text(lucia, 'oi'))
    const survey = () => sql`update ticket set status = 'nps', unread_messages = 0, answer_since = null`
    await survey()
    await take(text(lucia, 'Muito obrigada! 🙏'))
    expect(await standing()).toEqual([{ status: 'nps', unread: 0 }])
    await take(text(lucia, 'obrigada, mas faltou o boleto'))
    expect(await standing()).toEqual([{ status: 'pending', unread: 1 }])
    await survey()
    await sql`update ticket_span set begun_at = now() - interval '11 minutes' where status = 'nps' and ended_at is null`
    await take(text(lucia, 'obrigada'))
    expect(await standing()).toEqual([{ status: 'pending', unread: 1 }])
    await survey()
    await setting('thanksMinutes', '0')
    await take(text(lucia, 'obrigada'))
    expect(await standing()).toEqual([{ status: 'pending', unread: 1 }])
    await setting('thanksMinutes', '10')
  })

  test('timeCreateNewTicket: a ticket whose queue is gone is not given back, the customer gets a new one', async () => {
    const [queue] = await sql`insert into queue (name, color) values ('Antiga', '#D0702E') returning id`
    await take(text(lucia, 'oi'))
    await sql`update ticket set queue_id = ${queue?.id}, status = 'closed', closed_at = now()`
    await sql`delete from queue where id = ${queue?.id}`
    await setting('timeCreateNewTicket', '10')
    await take(text(lucia, 'de novo'))
    expect([...(await sql`select status, queue_id from ticket order by id`)]).toEqual([
      { status: 'closed', queue_id: queue?.id },
      { status: 'pending', queue_id: null },
    ])
  })

  test("a new ticket goes to the connection's queue when there is only one", async () => {
    const [queue] = await sql`insert into queue (name, color) values ('Financeiro', '#D0702F') returning id`
    await sql`insert into whatsapp_queue values (${connection.id}, ${queue?.id})`
    await take(text(lucia, 'oi'))
    expect(await number(sql`select queue_id as n from ticket`)).toBe(queue?.id)
    // Before anybody is told of it: whoever is not of that queue never hears of it, nor of what was written.
    const payloads =
      await sql`select distinct audience->'after'->'queueId' as queue from live_event where audience->>'to' = 'ticket'`
    expect([...payloads]).toEqual([{ queue: queue?.id }])
  })

  test('the greeting is queued once for a new ticket, not for an old message', async () => {
    await sql`update whatsapp set greeting_message = 'Oi, {{name}}! {{toString}}' where id = ${connection.id}`
    await take(text(lucia, 'oi', { name: 'Lúcia' }), text(lucia, 'tudo bem?'))
    const rows = await sql`select body, state from message where from_me`
    expect([...rows]).toEqual([{ body: 'Oi, Lúcia! {{toString}}', state: 'queued' }])
    await take(
      text({ jid: '5531966660000@s.whatsapp.net', pn: '5531966660000', group: false }, 'de ontem', {
        at: Date.now() - 86_400_000,
      }),
    )
    expect(await number(sql`select count(*)::int as n from message where from_me`)).toBe(1)
    await sql`update whatsapp set greeting_message = ''`
  })

  test('what is told of the past greets nobody and moves nothing, however short ago it was said', async () => {
    await sql`update whatsapp set greeting_message = 'Oi!' where id = ${connection.id}`
    await take({ ...text(lucia, 'há um minuto'), past: true } as ChannelEvent)
    await sql`update whatsapp set greeting_message = ''`
    expect(await number(sql`select count(*)::int as n from message where from_me`)).toBe(0)
    expect(await number(sql`select count(*)::int as n from message where body = 'há um minuto'`)).toBe(1)
  })

  test('the greeting is marked as automatic and stays behind the customer’s words', async () => {
    await sql`update whatsapp set greeting_message = 'Bem-vinda!' where id = ${connection.id}`
    await take(text(lucia, 'Cadê meu pedido?'))
    await sql`update whatsapp set greeting_message = ''`
    const [row] = await sql`
      select t.last_message, t.last_message_from_me, m.automatic from ticket t join message m on m.ticket_id = t.id and m.from_me`
    expect(row).toEqual({ last_message: 'Cadê meu pedido?', last_message_from_me: false, automatic: true })
  })
})

function notice(code: 'calls_allowed' | 'calls_refused' | 'edited_unseen'): ChannelEvent {
  return { ...text(lucia, ''), mediaType: 'unknown', details: { card: { kind: 'notice', code } } }
}

async function setting(key: string, value: string): Promise<void> {
  await sql`insert into setting (key, value) values (${key}, ${value}) on conflict (key) do update set value = excluded.value`
  clearSettingsCache(db)
}
