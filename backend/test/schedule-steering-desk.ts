// A desk with one connection and two customers whose scheduled sends begin.
import { beforeEach } from 'bun:test'
import type { Schedule } from '@balcao/contract'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson } from './desk-world.ts'
import { expirePace, settleMessages } from './handed-over.ts'

export interface Refusal {
  error: string
}

export async function startScheduleSteeringDesk() {
  const server = await startDeskServer()
  const { db } = server
  const sql = db.$client
  const place = { db, dataDir: '/nowhere' }
  const whatsapp = await makeConnection(db, 'Loja Centro')
  await sql`update whatsapp set status = 'CONNECTED', is_default = true`
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  await makePerson(db, { name: 'Bruna', profile: 'user' })
  const admin = await server.as('Marina')
  const bruna = await server.as('Bruna')
  const lucia = await makeContact(db, 'Dona Lúcia')
  const padaria = await makeContact(db, 'Padaria Estrela')
  await sql`update contact set number = '5531987650' || id`
  await admin.call('PUT', '/settings/allowAgendador', { value: 'enabled' })

  beforeEach(async () => {
    await sql`truncate schedule, send, send_recipient, send_clock, outbox cascade`
    await admin.call('PUT', '/settings', {
      values: { timezone: 'America/Sao_Paulo', holidays: 'disabled', saturday: 'disabled' },
    })
  })

  async function aSchedule(change: Record<string, string> = {}): Promise<Schedule> {
    const data = new FormData()
    const fields = {
      ...{ message: 'Seu boleto vence amanhã', recurrence: 'every_day', RValue: '', sendAt: '09:00' },
      ...{ contactsIds: `${lucia},${padaria}`, whatsappId: String(whatsapp), ...change },
    }
    for (const [name, value] of Object.entries(fields)) data.append(name, value)
    const { status, body } = await admin.call<Schedule>('POST', '/agendamento', data)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body
  }

  const get = async (id: number) => (await admin.call<Schedule>('GET', `/agendamento/${id}`)).body
  const put = (id: number, action: string, person = admin) =>
    person.call<Schedule & Refusal>('PUT', `/agendamento/${id}/${action}`)
  const save = async (id: number, change: Record<string, string>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(change)) data.append(name, value)
    return (await admin.call<Schedule>('PUT', `/agendamento/${id}`, data)).body
  }

  /** Its hour has come. */
  async function begins(id: number): Promise<void> {
    await sql`update schedule set next_run_at = now() - interval '1 second' where id = ${id}`
    await startDueSchedules(place)
  }

  const hand = () => dispatchNext(db, { whatsappId: whatsapp, epoch: 0 }, 15_000)

  async function wentOut(state = 'sent'): Promise<void> {
    await settleMessages(sql, state)
    await expirePace(sql)
  }

  return { db, sql, place, whatsapp, admin, bruna, lucia, aSchedule, get, put, save, begins, hand, wentOut }
}
