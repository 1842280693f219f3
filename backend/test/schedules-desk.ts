// A desk of two queues that may schedule: its people, customers and a form.
import { beforeEach } from 'bun:test'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

export interface Refusal {
  error: string
  details?: { path: string; code?: string; message: string }[]
}

/** In an hour, to the minute. */
export function soon(): string {
  return new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000).toISOString()
}

export function note(): File {
  return new File(['tabela'], 'tabela.txt', { type: 'text/plain' })
}

/** The status of a refusal, and which field it is about. */
export function describeRefusal({ status, body }: { status: number; body: Refusal }): unknown[] {
  return [status, ...(body.details ?? []).map(({ path, code }) => `${path} ${code}`)]
}

export async function startSchedulesDesk() {
  const server = await startDeskServer()
  const { db } = server
  const sql = db.$client
  const queue = await makeQueue(db, 'Financeiro')
  const other = await makeQueue(db, 'Entregas')
  const whatsapp = await makeConnection(db, 'Loja Centro')
  const official = await makeConnection(db, 'Oficial', 'cloud_api')
  const marina = await makePerson(db, { name: 'Marina', profile: 'admin' })
  const rafaelId = await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [queue] })
  const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queue] })
  await makePerson(db, { name: 'Estranho', profile: 'user', queueIds: [other] })
  const admin = await server.as('Marina')
  const rafael = await server.as('Rafael')
  const bruna = await server.as('Bruna')
  const stranger = await server.as('Estranho')
  const lucia = await makeContact(db, 'Dona Lúcia')
  const luciasTicket = await makeTicket(db, {
    contactId: lucia,
    whatsappId: whatsapp,
    status: 'open',
    queueId: queue,
    userId: brunaId,
  })
  const nobodys = await makeContact(db, 'De ninguém')
  const rafaels = await makeContact(db, 'Do Rafael')
  await makeTicket(db, { contactId: rafaels, whatsappId: whatsapp, status: 'open', queueId: queue, userId: rafaelId })
  await sql`update contact set number = '5531987650' || id`
  const made = await admin.call<{ id: number }>('POST', '/tag', { name: 'VIP', color: '#B8860B', contacts: [nobodys] })
  const tag = made.body.id

  beforeEach(() => allow('enabled'))

  async function allow(value: 'enabled' | 'disabled'): Promise<void> {
    await admin.call('PUT', '/settings/allowAgendador', { value })
  }

  function form(change: Record<string, string | File> = {}): FormData {
    const data = new FormData()
    const fields = {
      message: 'Seu boleto vence amanhã',
      recurrence: 'once',
      RValue: '0',
      sendAt: soon(),
      contactsIds: String(lucia),
      whatsappId: String(whatsapp),
      log: '{}',
      ...change,
    }
    for (const [name, value] of Object.entries(fields)) data.append(name, value)
    return data
  }

  return {
    server,
    db,
    sql,
    whatsapp,
    official,
    marina,
    admin,
    rafael,
    bruna,
    stranger,
    lucia,
    luciasTicket,
    nobodys,
    rafaels,
    tag,
    allow,
    form,
  }
}
