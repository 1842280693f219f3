// A desk with somebody of each profile, three queues and a gateway, whose connections are saved.
import { beforeEach, expect } from 'bun:test'
import type { Connection } from '@balcao/contract'
import { getSql } from '../src/platform/database/raw.ts'
import { type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makePerson, makeQueue } from './desk-world.ts'

const gateway = { GOWA_URL: 'http://127.0.0.1:9', GOWA_USER: 'balcao', GOWA_PASSWORD: 'segredo-do-gateway' }

export async function startConnectionsDesk() {
  const server = await startDeskServer({ ALLOW_PRIVATE_HOSTS: 'bot.interno:3000, fluxo.lan', ...gateway })
  const { db } = server
  const sql = getSql(db)
  const people: Record<string, SignedInPerson> = {}
  await makePerson(db, { name: 'Marina', profile: 'admin' })
  await makePerson(db, { name: 'Rafael', profile: 'gerente' })
  await makePerson(db, { name: 'Bruna', profile: 'user' })
  for (const name of ['Marina', 'Rafael', 'Bruna']) people[name] = await server.as(name)
  const marina = await server.as('Marina')
  const queues = await Promise.all(['Comercial', 'Financeiro', 'Entregas'].map(name => makeQueue(db, name)))

  beforeEach(async () => {
    await sql`update whatsapp set deleted_at = now(), wanted = false, is_default = false where deleted_at is null`
  })

  async function added(name: string, more: object = {}): Promise<Connection> {
    const { status, body } = await marina.call<Connection>('POST', '/whatsapp', { name, api: 'baileys', ...more })
    expect([status, body]).toEqual([201, expect.objectContaining({ id: expect.any(Number) })])
    await sql`update whatsapp set wanted = false where id = ${body.id}`
    return body
  }

  async function put(id: number, body: object) {
    const { status, body: answer } = await marina.call('PUT', `/whatsapp/${id}`, body)
    return status === 200 ? answer : [status, answer.error]
  }

  const RESTORED = {
    code: 'restored',
    reason: 'restored',
    since: new Date().toISOString(),
    attempt: 0,
    nextTryAt: null,
    next: 'confirm',
  }

  return { server, db, sql, people, marina, queues, added, put, RESTORED }
}
