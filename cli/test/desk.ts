// A real server for these tests, with a small company on it, and a machine on which somebody is signed in.
import { afterAll, beforeAll } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signIn } from '@balcao/client/session'
import { type DeskServer, startDeskServer } from '../../backend/test/desk-server.ts'
import {
  makeConnection,
  makeContact,
  makeMessage,
  makePerson,
  makeQueue,
  makeTicket,
  PASSWORD,
  toEmail,
} from '../../backend/test/desk-world.ts'
import { createMachine, type Machine } from './terminal.ts'

export interface Company {
  readonly server: DeskServer
  readonly machine: Machine
  /** Tickets that wait and are in service. */
  readonly tickets: { waiting: number; served: number }
  readonly connection: { id: number }
}

/** `NAME` as nobody should have to see it: it would rename the terminal's window. */
export const STEERING = 'Padaria \u001b]0;invadido\u0007Estrela'

/** Starts it before the tests of a file; Marina, an administrator, is signed in on the machine. */
export async function startCompany(env: Record<string, string> = {}): Promise<Company> {
  const server = await startDeskServer(env)
  const machine = await createMachine()
  afterAll(machine.leave)
  const company = { server, machine, tickets: { waiting: 0, served: 0 }, connection: { id: 0 } }
  beforeAll(async () => {
    const { db } = server
    const [sales, finance] = [await makeQueue(db, 'Vendas'), await makeQueue(db, 'Financeiro')]
    const userId = await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [sales, finance] })
    await makePerson(db, { name: 'Diego', profile: 'user', queueIds: [sales] })
    const whatsappId = await makeConnection(db, 'Loja Centro')
    company.connection.id = whatsappId
    await db.$client`update whatsapp set is_default = true`
    const lucia = await makeContact(db, 'Dona Lúcia')
    const bakery = await makeContact(db, STEERING)
    company.tickets.waiting = await makeTicket(db, {
      contactId: lucia,
      whatsappId,
      status: 'pending',
      queueId: finance,
      unread: 2,
    })
    company.tickets.served = await makeTicket(db, {
      contactId: bakery,
      whatsappId,
      status: 'open',
      queueId: sales,
      userId,
    })
    await makeMessage(db, company.tickets.served, 'Bom dia!\nO pedido \u001b[31mvermelho\u001b[0m já saiu?')
    await enterAs(server, machine, 'Marina')
  })
  return company
}

/** Signs somebody in on a machine, as `balcao login` leaves it. */
export async function enterAs({ url }: DeskServer, machine: Machine, name: string): Promise<string> {
  const { api, signOut } = await signIn(url, { email: toEmail(name), password: PASSWORD })
  const { token } = await api('POST /auth/terminal', { body: { name: 'teste' } })
  await signOut()
  const profiles = { current: 'loja', profiles: { loja: { url, token, user: name } } }
  await mkdir(join(machine.folder, 'balcao'), { recursive: true, mode: 0o700 })
  await writeFile(machine.profiles, JSON.stringify(profiles), { mode: 0o600 })
  return token
}
