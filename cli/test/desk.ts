// A real server for these tests, with a small company on it, and a machine on which somebody is signed in.
import { afterAll, beforeAll } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { signIn } from '@balcao/client/session'
import { type DeskServer, deskServer } from '../../backend/test/desk-server.ts'
import {
  aConnection,
  aContact,
  aMessage,
  aPerson,
  aQueue,
  aTicket,
  emailOf,
  PASSWORD,
} from '../../backend/test/desk-world.ts'
import { aMachine, type Machine } from './terminal.ts'

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
export async function aCompany(env: Record<string, string> = {}): Promise<Company> {
  const server = await deskServer(env)
  const machine = await aMachine()
  afterAll(machine.leave)
  const company = { server, machine, tickets: { waiting: 0, served: 0 }, connection: { id: 0 } }
  beforeAll(async () => {
    const { db } = server
    const [sales, finance] = [await aQueue(db, 'Vendas'), await aQueue(db, 'Financeiro')]
    const userId = await aPerson(db, { name: 'Marina', profile: 'admin', queueIds: [sales, finance] })
    await aPerson(db, { name: 'Diego', profile: 'user', queueIds: [sales] })
    const whatsappId = await aConnection(db, 'Loja Centro')
    company.connection.id = whatsappId
    await db.$client`update whatsapp set is_default = true`
    const lucia = await aContact(db, 'Dona Lúcia')
    const bakery = await aContact(db, STEERING)
    company.tickets.waiting = await aTicket(db, {
      contactId: lucia,
      whatsappId,
      status: 'pending',
      queueId: finance,
      unread: 2,
    })
    company.tickets.served = await aTicket(db, {
      contactId: bakery,
      whatsappId,
      status: 'open',
      queueId: sales,
      userId,
    })
    await aMessage(db, company.tickets.served, 'Bom dia!\nO pedido \u001b[31mvermelho\u001b[0m já saiu?')
    await enterAs(server, machine, 'Marina')
  })
  return company
}

/** Signs somebody in on a machine, as `balcao login` leaves it. */
export async function enterAs({ url }: DeskServer, machine: Machine, name: string): Promise<string> {
  const { api, signOut } = await signIn(url, { email: emailOf(name), password: PASSWORD })
  const { token } = await api('POST /auth/terminal', { body: { name: 'teste' } })
  await signOut()
  const profiles = { current: 'loja', profiles: { loja: { url, token, user: name } } }
  await mkdir(join(machine.folder, 'balcao'), { recursive: true, mode: 0o700 })
  await writeFile(machine.profiles, JSON.stringify(profiles), { mode: 0o600 })
  return token
}
