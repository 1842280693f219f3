// A recording that cannot be had: the message says so in the end.
import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { createTranscriptionTask } from '../src/desk/ai/transcription.ts'
import { getMediaPath } from '../src/desk/media/folder.ts'
import { storeMedia } from '../src/desk/media/store.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeTicket } from './desk-world.ts'

const server = await startDeskServer()
const sql = server.db.$client
await makePerson(server.db, { name: 'Marina', profile: 'admin' })

test('a recording in a bucket that does not answer is tried again, and failed after the last try: it may be asked for anew', async () => {
  const place = { db: server.db, dataDir: server.config.dataDir }
  const { id: mediaId } = await storeMedia(place, new Blob(['OggS']).stream(), { name: 'nota.txt', most: 10 })
  await sql`update media set kept_in = 's3' where id = ${mediaId}`
  await rm(getMediaPath(place.dataDir, mediaId))
  const ticketId = await makeTicket(server.db, {
    contactId: await makeContact(server.db, 'Ana'),
    whatsappId: await makeConnection(server.db, 'Loja'),
    status: 'open',
  })
  const [message] = await sql<{ id: number }[]>`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, media_type, media_id, state, transcription_state)
    select id, contact_id, whatsapp_id, 1, now(), false, '', 'audio', ${mediaId}, 'received', 'pending' from ticket where id = ${ticketId}
    returning id::float8 as id`
  const parts = { db: server.db, config: server.config, log: { warn() {} }, ring() {} }
  const task = createTranscriptionTask(parts as never)
  const attempt = (attempts: number) =>
    Promise.resolve(task({ messageId: message?.id }, { job: { attempts, max_attempts: 3 } } as never)).then(
      () => 'ended',
      error => error.code,
    )
  const state = async () =>
    (await sql`select transcription_state as state from message where id = ${message?.id ?? 0}`)[0]
  expect([await attempt(1), await state()]).toEqual(['ERR_FILES_AWAY', { state: 'pending' }])
  expect([await attempt(3), await state()]).toEqual(['ended', { state: 'failed' }])
})
