// A desk of two queues whose people change: Marina, the owner, and whoever a test makes.
import type { LiveEvent, ServerFrame, User } from '@balcao/contract'
import { type ApiAnswer, createBrowser, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket, PASSWORD } from './desk-world.ts'
import { countLockWaits } from './lock-waits.ts'
import { waitUntil } from './until.ts'

export const NEW = 'Outra#Senha9'

export function row(name: number, value: number) {
  return { name, value, transfer: true }
}

export function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

export async function startUsersDesk() {
  const server = await startDeskServer()
  const { db, url, config } = server
  const sql = db.$client
  let made = 0
  const sales = await makeQueue(db, 'Vendas')
  const finance = await makeQueue(db, 'Financeiro')
  const whatsappId = await makeConnection(db, 'Loja')
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  const marina = await server.as('Marina')
  const owner = createBrowser(url)
  const { body } = await owner.call<{ token: string }>('POST', '/auth/login', {
    email: 'dono@saojose.example',
    password: PASSWORD,
  })
  owner.token = body.token

  /** Somebody new, with an own name. */
  async function someone(
    fields: Partial<Parameters<typeof makePerson>[1]> = {},
  ): Promise<{ id: number; name: string }> {
    const name = `Pessoa${++made}`
    return { name, id: await makePerson(db, { name, profile: 'user', queueIds: [sales, finance], ...fields }) }
  }

  async function aTicketOf(
    userId: number | null,
    queueId: number | null,
    status: 'open' | 'paused' | 'nps' | 'pending' = 'open',
  ) {
    const contactId = await makeContact(db, `Cliente ${++made}`)
    return makeTicket(db, { contactId, whatsappId, status, queueId, userId })
  }

  async function logged(userId: number) {
    const rows =
      await sql`select action, params from log_entry where origem = 'user' and entity_id = ${userId} order by id`
    return rows.map(row => [row.action, row.params])
  }

  const put = <T = User>(person: SignedInPerson, id: number, body: object) =>
    person.call<T>('PUT', `/users/${id}`, body)
  const messages = ({ body }: ApiAnswer) => body.details

  async function somebodyWaits(): Promise<void> {
    await waitUntil('somebody waits for a lock', async () => (await countLockWaits(sql)) > 0)
  }

  function signIn(email: string, password: string) {
    return createBrowser(url).call('POST', '/auth/login', { email, password })
  }

  /** A person's open screen: what it heard, and how it ended. */
  async function openSocket(person: SignedInPerson) {
    const { token } = (await person.call<{ token: string }>('POST', '/auth/socket')).body
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket?token=${token}`)
    const frames: ServerFrame[] = []
    const events: LiveEvent[] = []
    const closed = new Promise<[number, string]>(resolve => {
      socket.onclose = ({ code, reason }) => resolve([code, reason])
    })
    socket.onopen = () => socket.send(JSON.stringify({ type: 'hello', cursor: null }))
    socket.onmessage = ({ data }) => {
      const frame: ServerFrame = JSON.parse(String(data))
      frames.push(frame)
      if (frame.type === 'events') events.push(...frame.events)
    }
    const framed = (fits: (frame: ServerFrame) => boolean) => waitUntil('a frame', () => frames.some(fits))
    await framed(frame => frame.type === 'welcome')
    return {
      events,
      closed,
      framed,
      heard: (fits: (event: LiveEvent) => boolean) => waitUntil('an event', () => events.some(fits)),
      close: () => socket.close(),
    }
  }

  return {
    server,
    db,
    url,
    config,
    sql,
    sales,
    finance,
    whatsappId,
    marina,
    owner,
    someone,
    aTicketOf,
    logged,
    put,
    messages,
    somebodyWaits,
    signIn,
    openSocket,
  }
}
