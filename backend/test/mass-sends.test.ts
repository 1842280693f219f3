// Who may have mass sends, and what makes one (decisions §4, spec 3 §7).
import { describe, expect, test } from 'bun:test'
import type { MassSend } from '@balcao/contract'
import { snapshotRecipients } from '../src/messaging/sends/snapshot-recipients.ts'
import { makeConnection } from './desk-world.ts'
import { type List, type Refusal, startMassSendsDesk } from './mass-sends-desk.ts'

const { db, sql, whatsapp, admin, rafael, bruna, lucia, padaria, begin, one, hand } = await startMassSendsDesk()

describe('decisions §4: mass sends are managers’ and administrators’', () => {
  test('an agent is refused every call of them', async () => {
    const { id } = (await begin()).body
    for (const [method, path, body] of [
      ['GET', '/envioMassa'],
      ['POST', '/envioMassa', { mensagem: 'oi', contactsIds: String(lucia) }],
      ['POST', '/envioMassa/preview', { mensagem: 'oi', contactsIds: String(lucia) }],
      ['POST', '/envioMassa/preview/excluded', { mensagem: 'oi', contactsIds: String(lucia) }],
      ['POST', '/envioMassa/test', { mensagem: 'oi', number: '5531999990000' }],
      ['GET', `/envioMassa/${id}`],
      ['PUT', `/envioMassa/${id}`, { mensagem: 'outro' }],
      ['PUT', `/envioMassa/${id}/pause`],
      ['PUT', `/envioMassa/${id}/resume`],
      ['PUT', `/envioMassa/${id}/cancel`],
      ['GET', `/envioMassa/${id}/recipients`],
      ['GET', '/envioMassa/999999'],
    ] as const) {
      const refused = await bruna.call<Refusal>(method, path, body)
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, 'ERR_NO_PERMISSION'])
      if (method === 'GET') expect((await rafael.call(method, path)).status).not.toBe(403)
    }
    expect((await one(id)).mensagem).toBe('Chegou a farinha, {{name}}!')
  })

  test('an event tells managers and administrators alone, and nothing but the id', async () => {
    const { id } = (await begin()).body
    const [event] = await sql`select audience, payload from live_event where payload::jsonb->>'event' = 'envioMassa'`
    expect(event?.audience).toEqual({ to: 'managers' })
    expect(JSON.parse(event?.payload)).toEqual({ event: 'envioMassa', action: 'create', version: 2, envioMassaId: id })
  })

  test('a run of a scheduled send is seen by who sees that one', async () => {
    const [person] = await sql<{ id: number }[]>`select id from "user" where name = 'Bruna'`
    const [run] = await sql<{ id: number }[]>`
      with made as (insert into schedule (message, recurrence, send_time, user_id) values ('oi', 'once', '', ${person?.id ?? 0}) returning id)
      insert into send (schedule_id, due_at, body, recipients, whatsapp_id)
      select id, now(), 'oi', ${JSON.stringify({ allContacts: false, contactsIds: [lucia], tagsIds: [] })}::text::jsonb, ${whatsapp} from made returning id`
    const path = `/envioMassa/${run?.id}`
    expect((await bruna.call('GET', path)).status).toBe(403)
    await admin.call('PUT', '/settings/allowAgendador', { value: 'enabled' })
    expect((await bruna.call<MassSend>('GET', path)).body.agendamentoId).toBeGreaterThan(0)
    expect((await bruna.call('GET', `${path}/recipients`)).status).toBe(200)
    await sql`update schedule set user_id = null`
    for (const [method, below, body] of [
      ['GET', ''],
      ['PUT', '', { mensagem: 'outro' }],
      ['GET', '/recipients'],
      ['PUT', '/pause'],
      ['PUT', '/resume'],
      ['PUT', '/cancel'],
    ] as const)
      expect([below, (await bruna.call(method, path + below, body)).status]).toEqual([below, 404])
    expect((await bruna.call('POST', `${path}/recipients/export`)).status).toBe(403)
    // The engine may have gone on with it meanwhile; nobody else has.
    const rows = await sql`select state in ('calculating', 'running') as "goesOn", body from send`
    expect([...rows]).toEqual([{ goesOn: true, body: 'oi' }])
    expect((await rafael.call('GET', path)).status).toBe(200)
    // It is no mass send.
    expect((await admin.call<List>('GET', '/envioMassa')).body).toMatchObject({ envios: [], counts: { all: 0 } })
  })
})

describe('spec 3 §7: POST /envioMassa', () => {
  test('answers the send as it is calculated, total 0, and tells the log', async () => {
    const { status, body } = await begin({ onlyWorkingHours: true })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      mensagem: 'Chegou a farinha, {{name}}!',
      ...{ state: 'calculating', stateReason: null, total: 0, enviados: 0, allContacts: false, tagsIds: '' },
      ...{
        contactsIds: `${lucia},${padaria}`,
        onlyWorkingHours: true,
        whatsapp: { id: whatsapp, name: 'Loja Centro' },
      },
      ...{ user: { name: 'Marina' }, endsAt: null },
    })
    const [entry] = await sql`select action, entity_id from log_entry order by id desc limit 1`
    expect(entry).toMatchObject({ action: 'send.create', entity_id: body.id })
    await snapshotRecipients(db)
    expect(await one(body.id)).toMatchObject({ state: 'running', total: 2, enviados: 0, counts: { waiting: 2 } })
  })

  test('is said by who began it, as something automatic that waits for its pace', async () => {
    await begin({ contactsIds: String(lucia) }, rafael)
    await snapshotRecipients(db)
    await hand()
    const [row] = await sql`
      select u.name, m.automatic, o.paced from message m join "user" u on u.id = m.user_id join outbox o on o.message_id = m.id`
    expect(row).toEqual({ name: 'Rafael', automatic: true, paced: true })
  })

  test.each([
    [{ mensagem: '  ' }, 'mensagem', 'messageRequired'],
    [{ contactsIds: '' }, 'contactsIds', 'audienceRequired'],
    [{ contactsIds: '99999999' }, 'contactsIds', 'nobodyLeft'],
    [{ tagsIds: '99999999' }, 'tagsIds', 'tagGone'],
    [{ template: { name: 'aviso', language: 'pt_BR' } }, 'template', 'templateNotOffered'],
  ])('refuses %j at %s', async (change, path, code) => {
    const { status, body } = await begin(change)
    expect([status, body.error, body.details?.[0]?.path, body.details?.[0]?.code]).toEqual([
      422,
      'ERR_VALIDATION',
      path,
      code,
    ])
    expect(await sql`select 1 from send`).toHaveLength(0)
  })

  test('refuses a connection that is gone', async () => {
    expect((await begin({ whatsappId: 999_999 })).body.error).toBe('ERR_NO_WAPP_FOUND')
  })

  test('with the same clientId it is the same send, however often and however fast', async () => {
    const clientId = crypto.randomUUID()
    const answers = await Promise.all([begin({ clientId }), begin({ clientId }), begin({ clientId })])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await begin({ clientId })).body.id).toBe(answers[0]?.body.id ?? 0)
    expect((await begin({ clientId }, rafael)).body.id).not.toBe(answers[0]?.body.id ?? 0)
  })

  test('with the same clientId it is the same send also when its connection was deleted meanwhile', async () => {
    const brief = await makeConnection(db, 'Por uma semana')
    const clientId = crypto.randomUUID()
    const again = (body: object = {}) => begin({ clientId, whatsappId: brief, ...body })
    const { body: first } = await again()
    await admin.call('DELETE', `/whatsapp/${brief}?force=true`)
    const repeated = await again()
    expect([repeated.status, repeated.body.id, repeated.body.state]).toEqual([201, first.id, 'stopped'])
    const changed = await again({ mensagem: 'Chegou o trigo' })
    expect([changed.status, changed.body.details?.[0]?.code]).toEqual([422, 'begunBefore'])
    // Longer ago than forms are compared.
    await sql`delete from api_request`
    expect((await again()).body.id).toBe(first.id)
    expect(await sql`select 1 from send where client_id = ${clientId}`).toHaveLength(1)
    expect((await begin({ clientId: crypto.randomUUID(), whatsappId: brief })).body.error).toBe('ERR_NO_WAPP_FOUND')
  })

  test('with the same clientId and something else in it nothing is sent anew, and the form says so', async () => {
    const clientId = crypto.randomUUID()
    const { body: first } = await begin({ clientId, mensagem: 'Chegou a farinha' })
    const [repeated, changed] = [
      await begin({ clientId, mensagem: 'Chegou a farinha' }),
      await begin({ clientId, mensagem: 'Chegou o trigo' }),
    ]
    expect(repeated.body.id).toBe(first.id)
    expect(changed.status).toBe(422)
    expect(changed.body).toMatchObject({ details: [{ path: 'mensagem', code: 'begunBefore' }] })
    const [sent] = await sql`select count(*)::int as n, min(body) as body from send where client_id = ${clientId}`
    expect(sent).toEqual({ n: 1, body: 'Chegou a farinha' })
  })

  test('with the same clientId and a file of other bytes under the same name, too', async () => {
    const clientId = crypto.randomUUID()
    const withFile = (bytes: string) => {
      const form = new FormData()
      for (const [key, value] of Object.entries({ mensagem: 'A tabela', contactsIds: String(lucia), clientId }))
        form.append(key, value)
      form.append('medias', new File([bytes], 'tabela.txt', { type: 'text/plain' }))
      return admin.call<MassSend>('POST', '/envioMassa', form)
    }
    const [first, same, other] = [await withFile('dezembro'), await withFile('dezembro'), await withFile('janeiro!')]
    expect([first.status, same.body.id, other.status]).toEqual([201, first.body.id, 422])
    expect(await sql`select 1 from send where client_id = ${clientId}`).toHaveLength(1)
  })

  test('a file comes as a form, is the send’s, and goes out with every message', async () => {
    const form = new FormData()
    form.append('mensagem', 'A tabela, {{name}}')
    form.append('contactsIds', String(lucia))
    form.append('medias', new File(['tabela de dezembro'], 'tabela.txt', { type: 'text/plain' }))
    const { status, body } = await admin.call<MassSend>('POST', '/envioMassa', form)
    expect([status, body.mediaName, body.mediaType]).toEqual([201, 'tabela.txt', 'application'])
    const [file] = await sql`select owner from media`
    expect(file?.owner).toBe('send')
    await snapshotRecipients(db)
    expect(await hand()).toBe(0)
    const [sent] = await sql`select payload from outbox`
    expect(sent?.payload).toMatchObject({ type: 'media', name: 'tabela.txt', caption: 'A tabela, Dona Lúcia' })
    const wrong = new FormData()
    wrong.append('mensagem', 'x')
    wrong.append('contactsIds', String(lucia))
    wrong.append('medias', new File([new Uint8Array([77, 90, 0, 0])], 'virus.exe'))
    expect((await admin.call<Refusal>('POST', '/envioMassa', wrong)).body.error).toBe('ERR_FILE_TYPE')
    // Its file is no secret of managers once somebody has it in a conversation one may see; before, it is theirs.
    const url = body.mediaUrl ?? ''
    expect((await rafael.call('GET', url)).status).toBe(200)
    await sql`delete from message`
    expect((await bruna.call('GET', url)).status).toBe(404)
  })
})
