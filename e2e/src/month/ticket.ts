// One conversation from the first word to the last, step by step: each `yield` is the instant of the next step.

import { makeFile } from '@balcao/backend/app/seed/files'
import type { InboundMessage } from '@balcao/backend/platform/channel/driver'
import { getSql } from '@balcao/backend/platform/database/raw'
import type { SeededRandom } from '../../../backend/test/seeded-random.ts'
import type { PastDesk } from './desk.ts'
import { type Customer, type Dialog, type Line, MONTH } from './story.ts'
import { addWork, drawRating, drawWait, pickAgent, TEAM } from './team.ts'

export type Ids = ReadonlyMap<string, number>

export interface PastCompany {
  readonly desk: PastDesk
  readonly users: Ids
  readonly queues: Ids
  readonly connections: Ids
}

export interface Encounter {
  readonly customer: Customer
  readonly dialog: Dialog
  /** From the first day on. */
  readonly day: number
  readonly at: number
  /** Those who write again tomorrow have to be done with by then. */
  readonly isBrief: boolean
}

const MINUTE = 60_000
const OWNER = 'marina'

export async function* liveTicket(
  company: PastCompany,
  chance: SeededRandom,
  { customer, dialog, day, at, isBrief }: Encounter,
): AsyncGenerator<number> {
  const { desk } = company
  const conversation = createConversation(company, customer)
  const [first, ...rest] = dialog.lines
  let agent = pickAgent(chance, dialog.queue, day)
  const waits = drawWait(chance, agent, day)
  let now = at

  yield now
  await conversation.hear(`${chance.pick(MONTH.openings)} ${first?.text ?? ''}`)
  const { id, contactId } = await conversation.findTicket()
  if (waits > 35) {
    yield* work(waits * 0.7)
    await conversation.hear(chance.pick(MONTH.waiting))
  }
  yield* work(waits > 35 ? waits * 0.3 : waits)
  const act = <T>(endpoint: string, body?: object) => desk.call<T>(getId(company.users, agent), endpoint, body)
  await act(`PUT /tickets/${id}`, { status: 'open', queueId: getId(company.queues, dialog.queue) })
  await act(`POST /tickets/${id}/read`)

  const handsOver = chance.chance(0.13) ? 1 + chance.upTo(rest.length - 1) : -1
  const pauses = !isBrief && chance.chance(0.11) ? rest.length - 1 : -1
  for (const [n, line] of rest.entries()) {
    yield* work(chance.between(0.6, line.by === 'customer' ? 5 : 3))
    await say(line)
    if (n === handsOver) yield* handOver()
    if (n === pauses) yield* pause()
  }
  if (chance.chance(0.75)) {
    yield* work(chance.between(0.5, 3))
    await conversation.hear(chance.pick(MONTH.thanks))
  }
  yield* work(chance.between(0.5, 6))
  await resolve()
  now += chance.between(1, 40) * MINUTE
  yield now
  if (!(await conversation.isSurveyed(id))) return
  if (chance.chance(0.66)) await conversation.hear(String(drawRating(chance, waits)))
  // A survey that nobody answers is closed by the clock.
  else yield now + 130 * MINUTE

  /** So many minutes of work later. */
  function* work(minutes: number): Generator<number> {
    now = addWork(now, minutes)
    yield now
  }

  async function say({ by, text }: Line): Promise<void> {
    if (by === 'customer') return conversation.hear(text)
    if (by === 'picture') return conversation.hear(text, true)
    if (by === 'note') await act(`POST /messages/${id}`, { body: `--${text}` })
    else if (by === 'file') await act(`POST /messages/${id}`, { body: '', uploadId: await upload(text) })
    else await act(`POST /messages/${id}`, { body: `*${getFirstName(agent)}:*\n${text}` })
  }

  async function upload(name: string): Promise<string> {
    const body = new Blob([makeFile(name)], { type: 'application/pdf' })
    const { uploadId } = await act<{ uploadId: string }>(`PUT /uploads?name=${name}&ticketId=${id}`, body)
    return uploadId
  }

  async function* handOver(): AsyncGenerator<number> {
    // The owner takes, and is given nothing.
    const next = pickAgent(chance, dialog.queue, day, [agent, OWNER])
    const transferMessage = chance.pick(MONTH.handovers)
    const userId = getId(company.users, next)
    await act(`PUT /tickets/${id}`, {
      userId,
      queueId: getId(company.queues, dialog.queue),
      status: 'open',
      transferMessage,
    })
    agent = next
    yield* work(chance.between(1, 12))
  }

  async function* pause(): AsyncGenerator<number> {
    await act(`PUT /tickets/${id}`, { status: 'paused', pauseTag: chance.pick(MONTH.pauses) })
    yield* work(chance.between(40, 500))
    await act(`PUT /tickets/${id}`, { status: 'open' })
  }

  async function resolve(): Promise<void> {
    await act(`POST /tickets/${id}/read`)
    if (chance.chance(0.3)) {
      const { id: protocolId } = await act<{ id: number }>('POST /protocolos', { ticketId: id, contactId })
      await act(`PUT /protocolos/${protocolId}`, { mensagem: dialog.about })
    }
    await act(`PUT /tickets/${id}`, { status: 'closed', ...(chance.chance(0.1) && { onlyClose: true }) })
  }
}

interface Conversation {
  hear(body: string, picture?: boolean): Promise<void>
  findTicket(): Promise<{ readonly id: number; readonly contactId: number }>
  isSurveyed(ticketId: number): Promise<boolean>
}

function createConversation({ desk, connections }: PastCompany, { name, number, connection }: Customer): Conversation {
  const whatsappId = getId(connections, connection)
  const isOfficial = connection.startsWith('Oficial')
  const jid = isOfficial ? number : `${number}@s.whatsapp.net`

  return {
    async hear(body, picture = false) {
      const id = `${isOfficial ? 'wamid.' : ''}LIFE${Date.now().toString(36).toUpperCase()}${number.slice(-4)}`
      const message: InboundMessage = {
        ...{ type: 'message', ref: { chat: jid, id, fromMe: false }, chat: { jid, pn: number, group: false } },
        ...{ at: Date.now(), mediaType: picture ? 'image' : 'chat', body, name, replay: false, raw: null },
        ...(picture && { media: { handle: { name: 'foto.png' }, mime: 'image/png', name: 'foto.png' } }),
      }
      await desk.receive(whatsappId, [message])
      if (picture) await desk.fetchFiles(whatsappId)
    },
    async findTicket() {
      const [row] = await getSql(desk.db)<{ id: number; contactId: number }[]>`
        select t.id, t.contact_id as "contactId" from ticket t join contact c on c.id = t.contact_id
        where c.number = ${number} and t.whatsapp_id = ${whatsappId} and t.status <> 'closed' order by t.id desc limit 1`
      if (!row) throw new Error(`${name} has no ticket`)
      return row
    },
    async isSurveyed(ticketId) {
      const rows = await getSql(desk.db)`select 1 from ticket where id = ${ticketId} and status = 'nps'`
      return rows.length > 0
    },
  }
}

export function getId(ids: Ids, name: string): number {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`There is no ${name}`)
  return id
}

function getFirstName(key: string): string {
  return TEAM.find(person => person.key === key)?.name.split(' ')[0] ?? ''
}
