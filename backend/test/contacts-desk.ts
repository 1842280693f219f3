// A desk of two queues with somebody of each profile.
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeQueue } from './desk-world.ts'

export interface Refusal {
  error: string
  details?: { path: string; message: string }[]
}

export async function startContactsDesk() {
  const server = await startDeskServer()
  const { db } = server
  const sql = db.$client
  const queue = await makeQueue(db, 'Financeiro')
  const other = await makeQueue(db, 'Entregas')
  const whatsapp = await makeConnection(db, 'Loja Centro')
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  await makePerson(db, { name: 'Rafael', profile: 'gerente', queueIds: [queue] })
  const brunaId = await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queue] })
  await makePerson(db, { name: 'Estranho', profile: 'user', queueIds: [other] })
  const admin = await server.as('Marina')
  const rafael = await server.as('Rafael')
  const bruna = await server.as('Bruna')
  const stranger = await server.as('Estranho')

  return { server, db, sql, queue, whatsapp, brunaId, admin, rafael, bruna, stranger }
}
