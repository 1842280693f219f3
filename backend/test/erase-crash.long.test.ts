// An erasure whose process is killed, again and again (decisions-2 §19): it goes on where it was, ends whole, and is done once.
import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'
import { getMediaPath } from '../src/desk/media/folder.ts'
import { sweepFiles } from '../src/desk/media/jobs.ts'
import { storeMedia } from '../src/desk/media/store.ts'
import { ERASE } from '../src/operations/privacy/ask.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { enqueueJob } from '../src/platform/worker/enqueue.ts'
import { createTestDatabase } from './database.ts'
import { DATA_KEY, makeConnection, makeContact, makeMessage, makePerson, makeTicket } from './desk-world.ts'
import { waitUntil } from './until.ts'

const { db, url } = await createTestDatabase()
const sql = getSql(db)
const dataDir = await mkdtemp(join(tmpdir(), 'balcao-erase-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))
const NUMBER = '5531998762210'
/** More than two batches. */
const MESSAGES = 700

test('§19: kill -9 at any step of an erasure leaves it to the next process: all of it goes, and is counted once', async () => {
  const userId = await makePerson(db, { name: 'Marina', profile: 'admin' })
  const [lucia, beto] = [await makeContact(db, 'Dona Lúcia'), await makeContact(db, 'Beto')]
  const whatsappId = await makeConnection(db, 'Loja')
  await sql`update contact set number = ${NUMBER} where id = ${lucia}`
  await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${NUMBER}, ${lucia})`
  const ticketId = await makeTicket(db, { contactId: lucia, whatsappId, status: 'closed' })
  const betos = await makeTicket(db, { contactId: beto, whatsappId, status: 'closed' })
  await sql`
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, body, state)
    select ${ticketId}, ${lucia}, ${whatsappId}, n, now(), false, 'segredo ' || n, 'received' from generate_series(1, ${MESSAGES}::int) n`
  await sql`update ticket set message_seq = ${MESSAGES} where id = ${ticketId}`
  await makeMessage(db, betos, `o número dela é ${NUMBER}`)
  await makeMessage(db, betos, 'e o meu é outro')
  const file = await storeMedia({ db, dataDir }, new Blob(['boleto']).stream(), {
    name: 'boleto.txt',
    userId,
    most: 100,
  })
  await sql`update media set owner = 'message', ticket_id = ${ticketId} where id = ${file.id}`
  await sql`update message set media_id = ${file.id} where ticket_id = ${ticketId} and seq = 500`
  await sql`insert into privacy_erasure (contact_id, user_id, due_at) values (${lucia}, ${userId}, now())`

  let child = run('erase:before-commit')
  await waitUntil('it can be asked', () => begin().then(yes, no))
  for (const step of ['erase:after-commit', 'erase:before-commit#2', 'erase:after-commit#3', '']) {
    await child.exited
    // Ten seconds must have passed before a worker counts as dead.
    for (const table of ['_private_jobs', '_private_job_queues'])
      await sql`update ${sql(`graphile_worker.${table}`)} set locked_at = now() - interval '1 minute' where locked_by is not null`
    child = run(step)
  }
  await waitUntil('it is done', async () => (await requests())[0]?.state === 'done')
  child.kill('SIGKILL')
  await child.exited
  await sweepFiles({ db, dataDir })

  expect(await requests()).toEqual([
    { state: 'done', counts: { tickets: 1, messages: MESSAGES, files: 1, places: 1 }, traces: null, mark: null },
  ])
  const rows = await sql<{ params: object }[]>`select params from log_entry where action = 'privacy.erase'`
  expect([...rows]).toEqual([{ params: { tickets: 1, messages: MESSAGES, files: 1 } }])
  expect(await sql`select 1 from message where contact_id = ${lucia}`).toHaveLength(0)
  const left = await sql<{ body: string }[]>`select body from message order by seq`
  expect(left.map(({ body }) => body)).toEqual([expect.not.stringContaining('2210'), 'e o meu é outro'])
  expect(await sql`select 1 from media`).toHaveLength(0)
  expect(existsSync(getMediaPath(dataDir, file.id))).toBe(false)
})

function run(CRASH_AT: string) {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, DATA_KEY, CRASH_AT }
  return Bun.spawn(buildCommand('backend/test/erase-process.ts'), { env })
}

/** The worker makes its tables when it first starts. */
function begin(): Promise<void> {
  return db.transaction(tx => enqueueJob(tx, ERASE, { key: ERASE, queue: ERASE, attempts: 10 }))
}

async function requests() {
  return [...(await sql`select state, counts, traces, mark from privacy_erasure`)]
}

const yes = () => true
const no = () => false
