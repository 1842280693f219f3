// A desk with a phone, an official line and two customers, and the calls of mass sends.
import { beforeEach } from 'bun:test'
import type { MassSend, MassSendDetail, ResponseBody } from '@balcao/contract'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson } from './desk-world.ts'
import { expirePace, settleMessages } from './handed-over.ts'

export type Recipients = ResponseBody<'GET /envioMassa/:id/recipients'>

export type List = ResponseBody<'GET /envioMassa'>

export interface Refusal {
  error: string
  details?: { path: string; code?: string }[]
}

export async function startMassSendsDesk() {
  const server = await startDeskServer()
  const { db } = server
  const sql = db.$client
  const whatsapp = await makeConnection(db, 'Loja Centro')
  const official = await makeConnection(db, 'Oficial', 'cloud_api')
  await sql`update whatsapp set status = 'CONNECTED', is_default = id = ${whatsapp}`
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  await makePerson(db, { name: 'Rafael', profile: 'gerente' })
  await makePerson(db, { name: 'Bruna', profile: 'user' })
  const admin = await server.as('Marina')
  const rafael = await server.as('Rafael')
  const bruna = await server.as('Bruna')
  const [made] = await sql<{ id: number }[]>`insert into tag (name, color) values ('Atacado', '#B8860B') returning id`
  const tag = made?.id ?? 0

  beforeEach(async () => {
    await sql`truncate send, send_recipient, send_clock, outbox, live_event cascade`
    await sql`delete from contact_tag`
    await sql`update contact set opted_out_at = null`
    await sql`update whatsapp set news = '[]', daily_cap = null`
  })
  let numbers = 5_531_900_000_000

  /** Somebody with a number who wrote on both connections just now. */
  async function aCustomer(name: string, wrote = true): Promise<number> {
    const id = await makeContact(db, name)
    const number = String(++numbers)
    await sql`update contact set number = ${number} where id = ${id}`
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${number}, ${id})`
    if (wrote)
      await sql`insert into contact_channel (contact_id, whatsapp_id, jid, last_inbound_at)
      select ${id}, w, ${`${number}@s.whatsapp.net`}, now() from unnest(${[whatsapp, official]}::int[]) w`
    return id
  }

  const lucia = await aCustomer('Dona Lúcia')
  const padaria = await aCustomer('Padaria Estrela')
  const tagged = (...ids: number[]) =>
    sql`insert into contact_tag (contact_id, tag_id) select unnest(${ids}::int[]), ${tag}`
  const begin = (body: object = {}, person = admin) =>
    person.call<MassSend & Refusal>('POST', '/envioMassa', {
      mensagem: 'Chegou a farinha, {{name}}!',
      contactsIds: `${lucia},${padaria}`,
      ...body,
    })
  const one = async (id: number) => (await admin.call<MassSendDetail>('GET', `/envioMassa/${id}`)).body
  const recipientsOf = async (id: number, query = '') =>
    (await admin.call<Recipients>('GET', `/envioMassa/${id}/recipients${query}`)).body

  /** As a process leaves it that was killed before it froze anybody: no job looks at it. */
  async function calculating(recipients: object): Promise<number> {
    const whom = JSON.stringify({ allContacts: false, contactsIds: [], tagsIds: [], ...recipients })
    const [made] = await sql<{ id: number }[]>`
    insert into send (due_at, body, recipients, whatsapp_id) values (now(), 'oi', ${whom}::text::jsonb, ${whatsapp}) returning id`
    return made?.id ?? 0
  }

  const hand = () => dispatchNext(db, { whatsappId: whatsapp, epoch: 0 }, 15_000)
  const timePasses = () => expirePace(sql)
  const wentOut = (state: string) => settleMessages(sql, state)

  return {
    server,
    db,
    sql,
    whatsapp,
    official,
    admin,
    rafael,
    bruna,
    tag,
    aCustomer,
    lucia,
    padaria,
    tagged,
    begin,
    one,
    recipientsOf,
    calculating,
    hand,
    timePasses,
    wentOut,
  }
}
