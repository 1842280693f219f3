// Two contacts are made one (decisions-2 §22).
import { describe, expect, test } from 'bun:test'
import type { MergePreview } from '@balcao/contract'
import { findOrCreateTicket } from '../src/desk/tickets/find-or-create.ts'
import { runInTransaction } from '../src/platform/database/transaction.ts'
import { type Refusal, startContactMergeDesk } from './contact-merge-desk.ts'
import { makeContact, makeMessage, makeTicket } from './desk-world.ts'

const { db, sql, queue, shop, office, brunaId, bruna, stranger, aCustomer, merge, contact } =
  await startContactMergeDesk()

describe('decisions-2 §22: POST /contacts/{id}/merge', () => {
  test('shows before what would move, and moves just that', async () => {
    const into = await aCustomer('Padaria Estrela', { extraInfo: [{ name: 'CNPJ', value: '1' }] })
    const from = await aCustomer('Estrela celular', {
      email: 'estrela@padaria.example',
      extraInfo: [
        { name: 'cnpj', value: '2' },
        { name: 'Dono', value: 'Seu Zé' },
      ],
      respostaAutomatica: false,
      redirect: [{ queueId: queue, userId: brunaId }],
    })
    const [tag] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Atacado', '#1F8FB5') returning id`
    await bruna.call('PUT', `/contacts/${from}`, { tagIds: [tag?.id] })
    const old = await makeTicket(db, { contactId: from, whatsappId: office, status: 'closed', queueId: queue })
    await makeMessage(db, old, 'Bom dia')
    await sql`insert into protocol (protocolo, ticket_id, contact_id) values ('20261123-7001', ${old}, ${from})`
    const older = await makeTicket(db, {
      contactId: into,
      whatsappId: shop,
      status: 'open',
      queueId: queue,
      userId: brunaId,
    })
    const younger = await makeTicket(db, { contactId: from, whatsappId: shop, status: 'pending', queueId: queue })

    const { body: preview } = await bruna.call<MergePreview>('GET', `/contacts/${into}/merge/${from}`)
    expect(preview).toMatchObject({
      contact: { id: into },
      other: { id: from },
      ...{ tickets: 2, protocols: 1, schedules: 0, sends: 0, closes: 1 },
      tags: [{ name: 'Atacado' }],
      redirect: [{ queueId: queue, userId: brunaId }],
    })
    expect(preview.extraInfo.map(({ name }) => name)).toEqual(['Dono'])
    expect(preview.numbers).toHaveLength(2)

    const { status, body } = await merge(into, from)
    expect(status).toBe(200)
    expect(body.contact).toMatchObject({
      ...{ id: into, name: 'Padaria Estrela', email: 'estrela@padaria.example', respostaAutomatica: false },
      extraInfo: [
        { name: 'CNPJ', value: '1' },
        { name: 'Dono', value: 'Seu Zé' },
      ],
      tags: [{ name: 'Atacado' }],
      redirect: [{ queueId: queue, userId: brunaId }],
    })
    expect(body.contact.numbers).toHaveLength(4)
    expect(new Date(body.merge.until).getTime() / 86_400_000).toBeCloseTo(Date.now() / 86_400_000 + 30, 1)
    expect((await contact(from)).id).toBe(into)
    const tickets =
      await sql`select id, contact_id, status from ticket where id in (${old}, ${older}, ${younger}) order by id`
    expect([...tickets]).toEqual([
      { id: old, contact_id: into, status: 'closed' },
      { id: older, contact_id: into, status: 'open' },
      { id: younger, contact_id: into, status: 'closed' },
    ])
    const [line] = await sql`select body, system from message where ticket_id = ${younger} and media_type = 'system'`
    expect(line?.body).toBe(`Bruna uniu os contatos: a conversa segue no atendimento nº ${older}`)
    expect(line?.system).toMatchObject({ code: 'merged', params: { ticket: String(older) } })
    const [entry] =
      await sql`select user_id, params->>'from' as from from log_entry where action = 'contact.merge' and contact_id = ${into}`
    expect(entry).toEqual({ user_id: brunaId, from: String(from) })
  })

  test('needs the right editContact: for the look, for the merge and for taking it back', async () => {
    const [into, from] = [await aCustomer('Um'), await aCustomer('Dois')]
    const { body } = await merge(into, await aCustomer('Três'))
    for (const answer of [
      await stranger.call<Refusal>('GET', `/contacts/${into}/merge/${from}`),
      await stranger.call<Refusal>('POST', `/contacts/${into}/merge`, { contactId: from }),
      await stranger.call<Refusal>('DELETE', `/contacts/merges/${body.merge.id}`),
    ])
      expect([answer.status, answer.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
  })

  test('refuses one with itself, groups, who is not there, and who was merged already', async () => {
    const [into, from] = [await aCustomer('Um só'), await aCustomer('Outro')]
    const group = await makeContact(db, 'Grupo do bairro', true)
    const refused = async (a: number, b: number) => {
      const answer = await bruna.call<Refusal>('GET', `/contacts/${a}/merge/${b}`)
      const deed = await merge(a, b)
      expect([answer.status, answer.body.error]).toEqual([deed.status, deed.body.error])
      return deed.body.error
    }
    expect(await refused(into, into)).toBe('ERR_CANNOT_MERGE')
    expect(await refused(into, group)).toBe('ERR_CANNOT_MERGE')
    expect(await refused(group, into)).toBe('ERR_CANNOT_MERGE')
    expect(await refused(into, 2_000_000_000)).toBe('ERR_NO_CONTACT_FOUND')
    expect((await merge(into, from)).status).toBe(200)
    expect(await refused(into, from)).toBe('ERR_NO_CONTACT_FOUND')
    expect(await refused(from, into)).toBe('ERR_NO_CONTACT_FOUND')
  })

  test('what a program writes to one of them goes to who it turned out to be', async () => {
    const [into, from] = [await aCustomer('Frente da loja'), await aCustomer('Fundos da loja')]
    expect((await merge(into, from)).status).toBe(200)
    const wanted = { contactId: from, whatsappId: shop, queueId: null, userId: null }
    const ticket = await runInTransaction(db, tx => findOrCreateTicket(tx, wanted))
    expect(ticket.contactId).toBe(into)
    expect(await sql`select contact_id from ticket where id = ${ticket.id}`).toMatchObject([{ contact_id: into }])
  })

  test('two at once, crosswise: one is done, the other finds nobody any more', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, other] = [await aCustomer('Frente'), await aCustomer('Verso')]
      for (const contactId of [one, other]) {
        const ticket = await makeTicket(db, { contactId, whatsappId: shop, status: 'pending', queueId: queue })
        await makeMessage(db, ticket, 'Oi')
      }
      const answers = await Promise.all([merge(one, other), merge(other, one), merge(one, other)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
      const live = await sql`select 1 from ticket where contact_id in (${one}, ${other}) and status <> 'closed'`
      expect(live).toHaveLength(1)
    }
  })
})
