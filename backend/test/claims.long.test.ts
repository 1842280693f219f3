// Every file begins as an upload, is claimed by what uses it, and goes with it: each feature that takes one, walked the same way.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import type { Message, QuickAnswer, Schedule } from '@balcao/contract'
import { claimUpload, type FileOwner, releaseFiles } from '../src/desk/media/claim.ts'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { openMedia, storeMedia } from '../src/desk/media/store.ts'
import { media } from '../src/desk/media/table.ts'
import { startDueSchedules } from '../src/messaging/schedules/run.ts'
import { dispatchNext } from '../src/messaging/sends/pace.ts'
import { stopConnectionSends } from '../src/messaging/sends/stop.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { AppError } from '../src/platform/http/errors.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeQueue, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const { db } = server
const sql = getSql(db)
const place = { db, dataDir: server.config.dataDir }
const queueId = await makeQueue(db, 'Vendas')
const userId = await makePerson(db, { name: 'Bruna', profile: 'admin', queueIds: [queueId] })
const colleague = await makePerson(db, { name: 'Diego', profile: 'user' })
const whatsappId = await makeConnection(db, 'Loja')
const contactId = await makeContact(db, 'Ana')
const bruna = await server.as('Bruna')
await bruna.call('PUT', '/settings/allowAgendador', { value: 'enabled' })
const chat = (await bruna.call<{ id: number }>('POST', '/chats', { callingUserId: colleague })).body.id
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** How a feature takes a file (its id then), and how what has it goes, or gets another one. */
interface Taker {
  readonly owner: FileOwner
  readonly take: () => Promise<string>
  readonly drop?: (mediaId: string) => Promise<unknown>
  readonly replace?: () => Promise<string>
}

const tickets = new Map<string, number>()
let answer = 0
let schedule = 0
const TAKERS: Record<string, Taker> = {
  'a message': {
    owner: { ticketId: 1 },
    take: async () => {
      const ticketId = await makeTicket(db, {
        contactId: await makeContact(db, 'Beto'),
        whatsappId,
        status: 'open',
        queueId,
        userId,
      })
      const uploadId = await upload()
      const sent = await bruna.call<Message>('POST', `/messages/${ticketId}`, { body: '', uploadId })
      expect(sent.status).toBe(201)
      tickets.set(uploadId, ticketId)
      return uploadId
    },
    drop: mediaId => bruna.call('DELETE', `/tickets/${tickets.get(mediaId)}`),
  },
  'a message of a form': {
    owner: { ticketId: 1 },
    take: async () => {
      const ticketId = await makeTicket(db, {
        contactId: await makeContact(db, 'Caio'),
        whatsappId,
        status: 'open',
        queueId,
        userId,
      })
      const sent = await bruna.call<Message[]>('POST', `/messages/${ticketId}`, form({}))
      return idIn(sent.body[0]?.mediaUrl)
    },
  },
  'an internal message': {
    owner: { chatId: 1 },
    take: async () => {
      const uploadId = await upload()
      expect((await bruna.call('POST', `/chats/messages/${chat}`, { body: '', uploadId })).status).toBe(201)
      return uploadId
    },
  },
  'a quick answer': {
    owner: { owner: 'quickAnswer' },
    take: async () => {
      const { body } = await bruna.call<QuickAnswer>(
        'POST',
        '/quickAnswers',
        form({ shortcut: `nota${++answer}`, message: 'Segue a nota' }),
      )
      answer = body.id
      return idIn(body.mediaUrl)
    },
    drop: () => bruna.call('DELETE', `/quickAnswers/${answer}`),
    replace: async () =>
      idIn((await bruna.call<QuickAnswer>('PUT', `/quickAnswers/${answer}`, form({}))).body.mediaUrl),
  },
  'a schedule': {
    owner: { owner: 'schedule' },
    take: async () => {
      const fields = { message: 'Bom dia', recurrence: 'every_day', sendAt: '09:00', contactsIds: String(contactId) }
      const { body } = await bruna.call<Schedule>('POST', '/agendamento', form(fields, 'foto.png'))
      schedule = body.id
      return idIn(body.mediaUrl)
    },
    drop: () => bruna.call('DELETE', `/agendamento/${schedule}`),
    replace: async () =>
      idIn((await bruna.call<Schedule>('PUT', `/agendamento/${schedule}`, form({}, 'foto.png'))).body.mediaUrl),
  },
  'a template of a schedule': {
    owner: { owner: 'schedule' },
    take: async () => {
      const [uploadId, fields] = await withTemplate()
      schedule = (await bruna.call<Schedule>('POST', '/agendamento', form({ ...RHYTHM, ...fields }, null))).body.id
      return uploadId
    },
    drop: () => bruna.call('DELETE', `/agendamento/${schedule}`),
    replace: async () => {
      const [uploadId, fields] = await withTemplate()
      expect((await bruna.call('PUT', `/agendamento/${schedule}`, form(fields, null))).status).toBe(200)
      return uploadId
    },
  },
  'a picture of a person': {
    owner: { owner: 'user' },
    take: () => picture(),
    replace: () => picture(),
  },
}

for (const [name, { owner, take, drop, replace }] of Object.entries(TAKERS))
  describe(name, () => {
    test('has a file that was an upload and serves nothing else', async () => {
      const id = await take()
      expect(await ownerOf(id)).not.toBe('upload')
      const again = await db.transaction(tx => claimUpload(tx, userId, id, owner)).catch((error: unknown) => error)
      expect(again).toBeInstanceOf(AppError)
      await ageAll()
      await sweepFiles(place)
      expect(existsSync((await openMedia(place, id))?.path ?? '')).toBe(true)
    })

    if (drop)
      test('takes it along when it goes', async () => {
        const id = await take()
        const path = (await openMedia(place, id))?.path ?? ''
        await drop(id)
        expect((await bruna.call('GET', `/media/${id}`)).status).toBe(404)
        await sweepFiles(place)
        expect(existsSync(path)).toBe(false)
      })

    if (replace)
      test('lets it go for another one', async () => {
        const id = await take()
        const path = (await openMedia(place, id))?.path ?? ''
        const next = await replace()
        await sweepFiles(place)
        expect([existsSync(path), existsSync((await openMedia(place, next))?.path ?? '')]).toEqual([false, true])
      })
  })

describe('a claim', () => {
  for (const [label, owner] of [
    ['a ticket', { ticketId: 1 }],
    ['a chat', { chatId: 1 }],
    ['a job', { jobId: 1 }],
    ['a quick answer', { owner: 'quickAnswer' }],
    ['a schedule', { owner: 'schedule' }],
    ['a person', { owner: 'user' }],
  ] as const satisfies readonly (readonly [string, FileOwner])[])
    test(`for ${label} that is rolled back leaves an upload, which can be claimed and is swept if nobody does`, async () => {
      const id = await upload()
      const undone = new Error('undone')
      const work = db.transaction(async tx => {
        await claimUpload(tx, userId, id, owner)
        throw undone
      })
      expect(await work.catch((error: unknown) => error)).toBe(undone)
      expect(await db.transaction(tx => claimUpload(tx, userId, id, owner))).toEqual({
        name: 'nota.txt',
        mime: 'text/plain',
      })
      await db.transaction(tx => releaseFiles(tx, [id]))
      await sweepFiles(place)
      expect(await openMedia(place, id)).toBeNull()
    })

  test('is only for whose upload it is; what came from outside is nobody’s', async () => {
    const [hers, nobodys] = [await upload(), await stored(null)]
    const claim = (by: number | null, id: string) =>
      db
        .transaction(tx => claimUpload(tx, by, id, { chatId: chat }))
        .then(
          () => true,
          () => false,
        )
    expect([await claim(colleague, hers), await claim(null, hers), await claim(userId, nobodys)]).toEqual([
      false,
      false,
      false,
    ])
    expect([await claim(userId, hers), await claim(null, nobodys)]).toEqual([true, true])
  })

  test('that nobody makes ends with the sweep after 24 hours', async () => {
    const [old, fresh] = [await upload(), await upload()]
    await sql`update media set created_at = now() - interval '25 hours' where id = ${old}`
    await sweepFiles(place)
    expect([await openMedia(place, old), (await openMedia(place, fresh))?.id]).toEqual([null, fresh])
  })
})

test('a file that another message shows stays when the first one goes', async () => {
  const id = (await TAKERS['a message']?.take()) ?? ''
  const other = await makeTicket(db, {
    contactId: await makeContact(db, 'Davi'),
    whatsappId,
    status: 'open',
    queueId,
    userId,
  })
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, state, media_id)
    select id, contact_id, whatsapp_id, 1, now(), true, 'sent', ${id} from ticket where id = ${other}`
  await TAKERS['a message']?.drop?.(id)
  await ageAll()
  await sweepFiles(place)
  expect((await openMedia(place, id))?.owner).toBe('message')
})

test('a file that is taken away from a schedule goes', async () => {
  const mediaId = (await TAKERS['a schedule']?.take()) ?? ''
  expect((await bruna.call('DELETE', `/agendamento/file/${schedule}`)).status).toBe(204)
  await sweepFiles(place)
  expect(await openMedia(place, mediaId)).toBeNull()
})

const ENDS: Record<string, (runId: number) => Promise<unknown>> = {
  'is cancelled': runId => bruna.call('PUT', `/envioMassa/${runId}/cancel`),
  'has reached everybody': () => dispatchNext(db, { whatsappId, epoch: 0 }, 1),
  'stops with its connection': () => db.transaction(tx => stopConnectionSends(tx, whatsappId, 'connection_deleted')),
}

test.each(Object.keys(ENDS))(
  'a file of a template that a run still carries stays when its schedule takes another, and goes when the run %s',
  async way => {
    const mediaId = (await TAKERS['a template of a schedule']?.take()) ?? ''
    await sql`update contact set number = '5531987650001' where id = ${contactId}`
    await sql`update schedule set next_run_at = now() - interval '1 second', whatsapp_id = ${whatsappId} where id = ${schedule}`
    await startDueSchedules(place)
    await bruna.call('PUT', `/agendamento/${schedule}`, form({ template: '' }, null))
    await sweepFiles(place)
    expect((await openMedia(place, mediaId))?.owner).toBe('schedule')
    const [run] = await sql<{ id: number }[]>`select id from send where schedule_id = ${schedule} and ended_at is null`
    await ENDS[way]?.(run?.id ?? 0)
    expect(await sql`select 1 from send where schedule_id = ${schedule} and ended_at is null`).toHaveLength(0)
    await sweepFiles(place)
    expect(await openMedia(place, mediaId)).toBeNull()
  },
)

const RHYTHM = { message: 'Bom dia', recurrence: 'every_day', sendAt: '09:00', contactsIds: String(contactId) }

/** A file for a template's header, and the field that names it. */
async function withTemplate(): Promise<[string, { template: string }]> {
  const uploadId = await upload()
  const parameters = [{ type: 'header', parameters: [{ type: 'document', document: { uploadId } }] }]
  return [uploadId, { template: JSON.stringify({ name: 'aviso', language: 'pt_BR', parameters }) }]
}

function upload(): Promise<string> {
  return stored(userId)
}

async function stored(by: number | null): Promise<string> {
  const bytes = new Blob(['nota']).stream()
  return (await storeMedia(place, bytes, { name: 'nota.txt', userId: by, most: 1000 })).id
}

async function picture(): Promise<string> {
  const { body } = await bruna.call<{ profilePicUrl: string }>('POST', `/users/picture/${userId}`, form({}, 'foto.png'))
  return idIn(body.profilePicUrl)
}

function form(fields: Readonly<Record<string, string>>, file: string | null = 'nota.txt'): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  if (file === null) return data
  const bytes = file.endsWith('.png') ? Buffer.from(PIXEL, 'base64') : 'nota'
  data.append('medias', new File([bytes], file, { type: file.endsWith('.png') ? 'image/png' : 'text/plain' }))
  return data
}

function idIn(url: string | null | undefined): string {
  const id = /^\/media\/([\w-]+)$/.exec(url ?? '')?.[1]
  if (id === undefined) throw new Error(`No file: ${url}`)
  return id
}

async function ownerOf(id: string): Promise<string | undefined> {
  return (await openMedia(place, id))?.owner
}

function ageAll(): Promise<unknown> {
  return db.update(media).set({ createdAt: new Date(Date.now() - 90_000_000).toISOString() })
}
