// Tags (spec 3 §2, §5, §7; decisions §4): the form's rules, who has them, and what a tag that changes or goes leaves behind.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Contact, LogRow, TagRow, TagWithContacts } from '@balcao/contract'
import type { JobHelpers } from 'graphile-worker'
import { deleteTag, removeTagJob } from '../src/desk/tags/delete.ts'
import { chosenContactsSql } from '../src/messaging/sends/chosen-contacts.ts'
import type { Db } from '../src/platform/database/client.ts'
import type { Parts } from '../src/policy/kit/parts.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makeContact, makePerson, makeSession, makeTicket } from './desk-world.ts'
import { waitUntil } from './until.ts'

const server = await startDeskServer()
const { db } = server
const sql = db.$client

interface Refused {
  readonly error: string
  readonly details: unknown
}

await makePerson(db, { name: 'Marina', profile: 'admin' })
await makePerson(db, { name: 'Bruna', profile: 'user' })
const marina = await server.as('Marina')
const bruna = await server.as('Bruna')
beforeEach(async () => {
  await sql`delete from tag`
})

async function made(fields: object = {}): Promise<TagRow> {
  const { status, body } = await bruna.call<TagRow>('POST', '/tag', { name: 'Padaria', ...fields })
  expect(status).toBe(201)
  return body
}

async function refused(method: string, path: string, body?: object) {
  const { status, body: answer } = await bruna.call<Refused>(method, path, body)
  return answer.details === undefined ? [status, answer.error] : [status, answer.error, answer.details]
}

/** Live events that were told since. */
async function listEvents(work: () => Promise<unknown>) {
  const [last] = await sql<{ id: string }[]>`select coalesce(max(id), 0) as id from live_event`
  await work()
  const rows = await sql<{ payload: string }[]>`select payload from live_event where id > ${last?.id ?? 0} order by id`
  return rows.map(({ payload }) => JSON.parse(payload))
}

describe('spec 3 §5, the form of a tag:', () => {
  test('what is not said is the default colour and nobody', async () => {
    expect(await made()).toMatchObject({ name: 'Padaria', color: '#7a7a7a', contactsCount: 0, version: 1 })
  })

  test('name 2 to 50 characters, colour 3 to 9; nothing wrong is saved', async () => {
    expect(await refused('POST', '/tag', { name: 'x', color: 'azul' })).toEqual([
      422,
      'ERR_VALIDATION',
      [
        { path: 'name', code: 'Too Short!', message: 'Escreva um pouco mais: está curto demais.' },
        { path: 'color', code: 'notColor', message: 'Escolha uma cor.' },
      ],
    ])
    const { id } = await made()
    expect((await refused('PUT', `/tag/${id}`, { name: 'x'.repeat(51) }))[2]).toMatchObject([{ path: 'name' }])
    expect((await refused('PUT', `/tag/${id}`, { contacts: '1,x' }))[2]).toMatchObject([{ path: 'contacts' }])
    expect((await bruna.call<TagRow[]>('GET', '/tag')).body).toMatchObject([{ name: 'Padaria', version: 1 }])
  })

  test('two tags may be called the same and have one colour', async () => {
    expect((await made()).id).not.toBe((await made()).id)
  })

  test('the list goes by name, as Portuguese sorts it', async () => {
    for (const name of ['VIP', 'Água', 'atacado']) await made({ name })
    const { body } = await bruna.call<TagRow[]>('GET', '/tag')
    expect(body.map(tag => tag.name)).toEqual(['Água', 'atacado', 'VIP'])
  })

  test('a change that began from what somebody else has changed since is refused with the tag as it is now', async () => {
    const { id, version } = await made()
    const { body: now } = await marina.call<TagRow>('PUT', `/tag/${id}`, { name: 'Mercearia', version })
    expect(now).toMatchObject({ name: 'Mercearia', color: '#7a7a7a', version: 2 })
    expect(await refused('PUT', `/tag/${id}`, { name: 'Feira', version })).toEqual([409, 'ERR_CHANGED_MEANWHILE', now])
  })

  test('a tag that is not there is said so', async () => {
    const { id } = await made()
    expect((await bruna.call('DELETE', `/tag/${id}`)).status).toBe(204)
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await refused(method, `/tag/${id}`, method === 'PUT' ? { name: 'Feira' } : undefined)).toEqual([
        404,
        'ERR_NO_TAG_FOUND',
      ])
  })
})

describe('spec 3 §2, the contacts of a tag:', () => {
  let [lucia, nonna, zeca] = [0, 0, 0]
  beforeAll(async () => {
    lucia = await makeContact(db, 'Dona Lúcia')
    nonna = await makeContact(db, 'Pizzaria Nonna')
    zeca = await makeContact(db, 'Armazém do Zeca')
  })
  const tagged = async (id: number) => {
    const { body } = await bruna.call<TagWithContacts>('GET', `/tag/${id}`)
    return [body.contactsCount, ...body.contacts.map(({ name }) => name)]
  }

  test('are counted, told by name, and changed as a list or joined with commas', async () => {
    const { id, contactsCount } = await made({ contacts: [lucia, nonna] })
    expect(contactsCount).toBe(2)
    expect(await tagged(id)).toEqual([2, 'Dona Lúcia', 'Pizzaria Nonna'])
    const events = await listEvents(() => bruna.call('PUT', `/tag/${id}`, { contacts: `${nonna},${zeca},${zeca}` }))
    expect(await tagged(id)).toEqual([2, 'Armazém do Zeca', 'Pizzaria Nonna'])
    const contacts = events.flatMap(event =>
      event.event === 'contact' ? [[event.contact.id, event.contact.tags.length]] : [],
    )
    expect(contacts.sort()).toEqual(
      [
        [lucia, 0],
        [zeca, 1],
      ].sort(),
    )
    expect(events.at(0)).toMatchObject({ event: 'contact' })
    expect(events.at(-1)).toMatchObject({ event: 'tag', action: 'update', tag: { id, contactsCount: 2, version: 2 } })
    await bruna.call('PUT', `/tag/${id}`, { name: 'Mercearia' })
    expect(await tagged(id)).toEqual([2, 'Armazém do Zeca', 'Pizzaria Nonna'])
  })

  test('who got it meanwhile keeps it when a form gives and takes what was changed in it', async () => {
    const { id, version } = await made({ contacts: [lucia] })
    await bruna.call('PUT', `/contacts/${zeca}`, { tagIds: [id] })
    const saved = await bruna.call<TagRow>('PUT', `/tag/${id}`, { give: [nonna], take: [lucia], version })
    expect([saved.status, saved.body.contactsCount]).toEqual([200, 2])
    expect(await tagged(id)).toEqual([2, 'Armazém do Zeca', 'Pizzaria Nonna'])
  })

  test('who is gone, or another’s now, is left out', async () => {
    const gone = await makeContact(db, 'Já unida')
    await sql`update contact set merged_into = ${lucia} where id = ${gone}`
    const { id } = await made({ contacts: [gone, lucia, 999_999] })
    expect(await tagged(id)).toEqual([1, 'Dona Lúcia'])
  })

  test('whoever has it is told anew when the tag changes or goes', async () => {
    const whatsappId = await makeConnection(db, 'Loja Centro')
    await makeTicket(db, { contactId: lucia, whatsappId, status: 'open' })
    await makeTicket(db, { contactId: zeca, whatsappId, status: 'closed' })
    const { id } = await made({ contacts: [lucia, zeca] })
    const tagsOf = (events: { contact?: Contact }[]) =>
      events.flatMap(({ contact }) => (contact ? [[contact.name, ...contact.tags.map(tag => tag.name)]] : [])).sort()
    expect(tagsOf(await listEvents(() => bruna.call('PUT', `/tag/${id}`, { name: 'Feira' })))).toEqual([
      ['Armazém do Zeca', 'Feira'],
      ['Dona Lúcia', 'Feira'],
    ])
    expect(tagsOf(await listEvents(() => bruna.call('PUT', `/tag/${id}`, { name: 'Feira' })))).toEqual([])
    const events = await listEvents(() => bruna.call('DELETE', `/tag/${id}`))
    expect(tagsOf(events)).toEqual([['Armazém do Zeca'], ['Dona Lúcia']])
    expect(events.at(-1)).toMatchObject({ event: 'tag', action: 'delete', tagId: id, version: 4 })
    expect((await bruna.call<Contact>('GET', `/contacts/${zeca}`)).body.tags).toEqual([])
  })
})

test('decisions §4: every profile adds, changes and deletes; the log tells who did', async () => {
  await sql`delete from log_entry`
  for (const person of [marina, bruna]) {
    const { body } = await person.call<TagRow>('POST', '/tag', { name: 'Padaria' })
    expect((await person.call('PUT', `/tag/${body.id}`, { color: '#b5495b' })).status).toBe(200)
    expect((await person.call('DELETE', `/tag/${body.id}`)).status).toBe(204)
  }
  const { body } = await marina.call<{ logs: LogRow[] }>('GET', '/log?entity=tag')
  expect(body.logs.map(({ action, user }) => [user?.name, action])).toEqual(
    ['Bruna', 'Marina'].flatMap(name => ['tag.delete', 'tag.update', 'tag.create'].map(action => [name, action])),
  )
})

test('contacts that get or lose a tag have changed, for programs that read them by their last change', async () => {
  const [gets, has] = [await makeContact(db, 'Ganha'), await makeContact(db, 'Perde')]
  const { id } = await made({ contacts: [has] })
  await sql`update contact set updated_at = now() - interval '1 day' where id in (${gets}, ${has})`
  await bruna.call('PUT', `/tag/${id}`, { give: [gets], take: [has] })
  const changed = await sql<{ id: number }[]>`
    select id from contact where updated_at > now() - interval '1 hour' and id in (${gets}, ${has}) order by id`
  expect(changed.map(contact => contact.id)).toEqual([gets, has])
})

test('so have those whose tag is called otherwise, or goes', async () => {
  const has = await makeContact(db, 'Tem')
  const { id } = await made({ contacts: [has] })
  for (const work of [
    () => bruna.call('PUT', `/tag/${id}`, { name: 'Feira' }),
    () => bruna.call('DELETE', `/tag/${id}`),
  ]) {
    await sql`update contact set updated_at = now() - interval '1 day' where id = ${has}`
    await work()
    const [contact] = await sql`select updated_at > now() - interval '1 hour' as changed from contact where id = ${has}`
    expect(contact?.changed).toBe(true)
  }
})

describe('a tag of very many contacts', () => {
  const CONTACTS = 1500
  const whenTold = async (work: () => Promise<unknown>) => {
    const [last] = await sql<{ id: string }[]>`select coalesce(max(id), 0) as id from live_event`
    await sql`update contact set updated_at = now() - interval '1 day' where name = 'Da lista'`
    await work()
    await waitUntil('all have changed', async () => {
      const rows =
        await sql`select 1 from contact where name = 'Da lista' and updated_at < now() - interval '1 hour' limit 1`
      return rows.length === 0
    })
    return sql<{ n: number }[]>`
      select count(*)::int as n from live_event where id > ${last?.id ?? 0} and payload::json->>'event' = 'contact' group by xid`
  }

  test('changes and goes in short transactions: live events of everybody wait for the oldest one', async () => {
    const { id } = await made()
    const whatsappId = await makeConnection(db, 'Loja da lista')
    await sql`
      with listed as (insert into contact (name) select 'Da lista' from generate_series(1, ${CONTACTS}::int) returning id),
        tagged as (insert into contact_tag (contact_id, tag_id) select id, ${id} from listed)
      insert into ticket (status, contact_id, whatsapp_id) select 'pending', id, ${whatsappId} from listed`
    for (const work of [
      () => bruna.call('PUT', `/tag/${id}`, { color: '#b5495b' }),
      () => bruna.call('DELETE', `/tag/${id}`),
    ]) {
      const counts = await whenTold(work)
      expect(counts.reduce((sum, { n }) => sum + n, 0)).toBe(CONTACTS)
      expect(Math.max(...counts.map(({ n }) => n))).toBeLessThan(CONTACTS / 2)
    }
    expect((await bruna.call('GET', `/tag/${id}`)).status).toBe(404)
  })

  test('goes to its end by a job where the process that removes it is killed, and the log tells who did it', async () => {
    const { id } = await made()
    await sql`
      with listed as (insert into contact (name) select 'Da lista' from generate_series(1, ${CONTACTS}::int) returning id)
      insert into contact_tag (contact_id, tag_id) select id, ${id} from listed`
    const parts = { db, ring() {} } as unknown as Parts
    const session = await makeSession(db, await makePerson(db, { name: 'Davi', profile: 'user' }))
    const removal = deleteTag({ ...parts, db: killAfter(1) }, session, id)
    expect(await removal.catch(error => error.message)).toBe('killed')
    const [job] = await sql<{ payload: object; seconds: number }[]>`
      select payload, extract(epoch from run_at - now())::float8 as seconds from graphile_worker._private_jobs
      where payload->>'tagId' = ${String(id)}`
    expect(job?.seconds).toBeGreaterThan(30)
    // Meanwhile it is on a part of them, and a send that begins now is for nobody rather than for those.
    const left = await sql`select 1 from contact_tag where tag_id = ${id}`
    const chosen = chosenContactsSql(sql, { allContacts: false, contactsIds: [], tagsIds: [id] })
    const reached = await sql`select c.id from contact c where ${chosen}`
    expect([left.length > 0, left.length < CONTACTS, reached.length]).toEqual([true, true, 0])
    // Twice: who did it need not have been killed.
    for (const _ of [1, 2]) await removeTagJob(parts).work(job?.payload, {} as JobHelpers)
    expect((await bruna.call('GET', `/tag/${id}`)).status).toBe(404)
    const logged = await sql<{ by: number }[]>`
      select user_id as by from log_entry where action = 'tag.delete' and entity_id = ${id}`
    expect([...logged]).toEqual([{ by: session.viewer.id }])
  })
})

/** A process that does so many transactions and no more. */
function killAfter(transactions: number): Db {
  let done = 0
  return Object.create(db, {
    transaction: {
      value: (work: Parameters<Db['transaction']>[0]) => {
        done += 1
        return done > transactions ? Promise.reject(new Error('killed')) : db.transaction(work)
      },
    },
  })
}
