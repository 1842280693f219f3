// A desk on which sheets of contacts come and go: Marina and who else there is, and the calls that send, begin and await.
import { beforeEach, expect } from 'bun:test'
import { CONTACT_COLUMNS, type Contact, type Job, type JobReference, type ResponseBody } from '@balcao/contract'
import { type ApiAnswer, type SignedInPerson, startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson, makeQueue } from './desk-world.ts'
import { type Cells, makeSheetFile, parseSheetRows } from './sheet-files.ts'
import { waitUntil } from './until.ts'

export type Looked = Exclude<ResponseBody<'POST /contacts/import'>, JobReference>

export type Begun = Partial<Looked & JobReference> & { readonly error?: string; readonly details?: unknown }

export const HEADS = [...CONTACT_COLUMNS]

export function makeFileForm(file: File, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  form.set('medias', file)
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

export function makeSheetForm(rows: readonly Cells[], fields: Record<string, string> = {}): FormData {
  return makeFileForm(makeSheetFile(rows), fields)
}

export async function own(person: SignedInPerson, id: number): Promise<Job> {
  return (await person.call<Job>('GET', `/jobs/${id}`)).body
}

export async function ended(person: SignedInPerson, id: number | undefined): Promise<Job> {
  await waitUntil('the job has ended', async () => (await own(person, id ?? 0)).endedAt !== null)
  return own(person, id ?? 0)
}

export async function startContactSheetDesk() {
  const server = await startDeskServer()
  const { db, url } = server
  const sql = db.$client
  const queues = { sales: await makeQueue(db, 'Vendas'), finance: await makeQueue(db, 'Financeiro') }
  const people = {
    marina: await makePerson(db, { name: 'Marina', profile: 'admin', queueIds: [queues.sales] }),
    diego: await makePerson(db, { name: 'Diego', profile: 'user' }),
    bruna: await makePerson(db, { name: 'Bruna', profile: 'user', queueIds: [queues.sales, queues.finance] }),
  }
  const whatsappId = await makeConnection(db, 'Loja Centro')
  await sql`update whatsapp set is_default = true`
  await sql`update "user" set del_contact = true where name = 'Marina'`
  await sql`update "user" set add_contact = false, edit_contact = false, del_contact = false where name = 'Diego'`
  const marina = await server.as('Marina')
  const diego = await server.as('Diego')

  beforeEach(async () => {
    // All at once: row by row, fifty thousand take a slow machine longer than a statement may.
    await sql`truncate contact, ticket, protocol cascade`
    await sql`delete from tag`
    await sql`delete from job`
    await sql`delete from live_event`
    await sql`delete from log_entry`
  })

  async function contact(
    name: string,
    number: string,
    { email = '', answers = true, tags = [] as number[] } = {},
  ): Promise<number> {
    const [row] = await sql<{ id: number }[]>`
    insert into contact (name, name_source, number, email, resposta_automatica) values (${name}, 'manual', ${number}, ${email}, ${answers}) returning id`
    const id = row?.id ?? 0
    await sql`insert into contact_identity (kind, value, contact_id) values ('pn', ${number}, ${id})`
    const nine = /^(55\d{2})9?([6-9]\d{7})$/.exec(number)
    if (nine) {
      const values = [`${nine[1]}${nine[2]}`, `${nine[1]}9${nine[2]}`]
      await sql`insert into contact_identity (kind, value, contact_id) select 'pn', v, ${id} from unnest(${values}::text[]) v on conflict do nothing`
    }
    for (const tagId of tags) await sql`insert into contact_tag (contact_id, tag_id) values (${id}, ${tagId})`
    return id
  }

  async function tag(name: string): Promise<number> {
    const [row] = await sql<{ id: number }[]>`insert into tag (name) values (${name}) returning id`
    return row?.id ?? 0
  }

  function send(
    rows: readonly Cells[],
    query = '',
    fields: Record<string, string> = {},
    person = marina,
  ): Promise<ApiAnswer<Begun>> {
    return person.call<Begun>('POST', `/contacts/import${query}`, makeSheetForm(rows, fields))
  }

  function preview(rows: readonly Cells[], query = '', fields: Record<string, string> = {}): Promise<ApiAnswer<Begun>> {
    return send(rows, `?preview=true${query}`, fields)
  }

  async function imported(rows: readonly Cells[], query = ''): Promise<Job> {
    const { status, body } = await send(rows, query)
    expect(status).toBe(202)
    return ended(marina, body.jobId)
  }

  /** A job from its call to its end. */
  async function begun(method: string, path: string, body?: unknown, person = marina): Promise<Job> {
    const answer = await person.call<Begun>(method, path, body)
    expect([answer.status, answer.body.error]).toEqual([202, undefined])
    return ended(person, answer.body.jobId)
  }

  async function exported(method: string, path: string): Promise<(readonly string[])[]> {
    return rowsBehind(await begun(method, path))
  }

  async function rowsBehind(job: Job): Promise<(readonly string[])[]> {
    return parseSheetRows(await bytesOf(job), job.result?.name ?? '')
  }

  async function bytesOf(job: Job): Promise<Uint8Array> {
    const answer = await fetch(new URL(job.result?.url ?? '', url))
    expect(answer.status).toBe(200)
    return new Uint8Array(await answer.arrayBuffer())
  }

  async function contacts(): Promise<Contact[]> {
    return (await marina.call<{ contacts: Contact[] }>('GET', '/contacts?all=true')).body.contacts
  }

  async function names(): Promise<string[]> {
    return (await contacts()).map(({ name }) => name)
  }

  return {
    server,
    db,
    url,
    sql,
    queues,
    people,
    whatsappId,
    marina,
    diego,
    contact,
    tag,
    send,
    preview,
    imported,
    begun,
    exported,
    rowsBehind,
    bytesOf,
    contacts,
    names,
  }
}
