// Adding and changing contacts (spec 3 §5): a number belongs to one contact, and names given here are never overwritten by a phone.
import {
  type Contact,
  type ContactProblem,
  extractDigits,
  LIMITS,
  type RequestBody,
  stripDirectionMarks,
  truncateText,
  validateContact,
} from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { toJsonbText } from '../../platform/database/storable.ts'
import { AppError, createFieldError, createValidationError } from '../../platform/http/errors.ts'
import { checkSeesLiveTickets } from '../../policy/access/live-tickets.ts'
import { rejectStale } from '../../policy/kit/kept-rows.ts'
import { createOnce } from '../../policy/kit/made-once.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { listContactChanges } from './changes.ts'
import { findContactByPhone, findNumber, parseNumber } from './check-number.ts'
import { findByNumber } from './find-by-number.ts'
import { addIdentities } from './identity.ts'
import { getContact } from './list.ts'
import { type Identity, toIdentities } from './names.ts'
import { publishContactEvents } from './present.ts'

type Form = RequestBody<'PUT /contacts/:id'>

/** Throws `ERR_NO_PERMISSION` without the right, `ERR_VALIDATION`, `ERR_DUPLICATED_CONTACT` with the contact that has the number. */
export async function addContact(
  parts: Parts,
  session: Session,
  body: RequestBody<'POST /contacts'>,
): Promise<Contact> {
  if (!session.mayContacts.add) throw new AppError('ERR_NO_PERMISSION')
  const { clientId, ...form } = body
  const { name = '', number = '' } = form
  check({ ...form, name, number })
  const whole = parseNumber(number)
  const make = async (tx: Tx) => added(tx, session, await create(tx, { ...form, name, number: whole }))
  const again = (id: number, isSame: boolean) =>
    isSame ? getContact(parts.db, id) : editContact(parts, session, id, form)
  return createOnce(parts, session, 'contact', { clientId, content: form }, make, again)
}

/**
 * The contact with a number; it is made where there is none, for which one needs the right to add contacts. For contact cards
 * and members of groups (spec 1 §7).
 */
export async function getOrAddContact(
  parts: Parts,
  session: Session,
  { name = '', number: written, ...fields }: RequestBody<'POST /contact'>,
): Promise<Contact> {
  const email = fields.email ?? ''
  check({ number: written, email })
  const number = await findNumber(parts.db, written)
  const known = (await findContactByPhone(parts.db, number)) ?? (await findByNumber(parts.db, [number])).get(0) ?? null
  if (known !== null) return getContact(parts.db, known)
  if (!session.mayContacts.add) throw new AppError('ERR_NO_PERMISSION')
  const form = { number, email, name: truncateText(stripDirectionMarks(name).trim(), LIMITS.contactName[1]) }
  try {
    return await change(parts, async tx => added(tx, session, await create(tx, form)))
  } catch (error) {
    // Somebody else was faster.
    const made =
      error instanceof AppError &&
      error.code === 'ERR_DUPLICATED_CONTACT' &&
      (await findContactByPhone(parts.db, number))
    if (!made) throw error
    return getContact(parts.db, made)
  }
}

/**
 * What is not given stays. Tags alone may be changed by everybody: they are the team's (decisions §4); what steers its live tickets by
 * who sees them (decisions-2 §24). Throws `ERR_NO_CONTACT_FOUND`, `ERR_NO_PERMISSION`, `ERR_VALIDATION`, `ERR_DUPLICATED_CONTACT`, `ERR_CHANGED_MEANWHILE`.
 */
export async function editContact(parts: Parts, session: Session, id: number, form: Form): Promise<Contact> {
  const { tagIds, log: _, version, ...fields } = form
  if (Object.keys(fields).length > 0 && !session.mayContacts.edit) throw new AppError('ERR_NO_PERMISSION')
  check(form)
  return change(parts, async tx => {
    const sql = getSql(tx)
    const [contact] = await sql<{ is_group: boolean; number: string | null }[]>`
      select is_group, number from contact where id = ${id} and merged_into is null for no key update`
    if (!contact) throw new AppError('ERR_NO_CONTACT_FOUND')
    const before = await getContact(tx, id)
    rejectStale(before, version)
    const number = form.number === undefined ? null : parseFormNumber(form.number, contact.number)
    if (steersTickets(before, form)) await checkSeesLiveTickets(tx, session, id)
    if (number !== null && contact.is_group) throw createFieldError('number', 'call.groupNumber')
    if (number !== null && number !== contact.number) await renumber(tx, id, number)
    const name = form.name === undefined ? null : stripDirectionMarks(form.name).trim()
    await sql`
      update contact set
        name = coalesce(${name}, name), name_source = case when ${name}::text is null then name_source else 'manual' end,
        number = coalesce(${number}, number), email = coalesce(${form.email?.trim() ?? null}, email),
        resposta_automatica = coalesce(${form.respostaAutomatica ?? null}, resposta_automatica),
        extra_info = coalesce(${form.extraInfo ? toJsonbText(tidy(form.extraInfo)) : null}::text::jsonb, extra_info),
        sends_said_at = case when (opted_out_at is null) = ${form.optedOut ?? null} then now() else sends_said_at end,
        opted_out_at = ${form.optedOut === undefined ? sql`opted_out_at` : form.optedOut ? sql`coalesce(opted_out_at, now())` : sql`null`},
        updated_at = now(), version = version + 1
      where id = ${id}`
    await keepLists(tx, id, form, before.redirect)
    const after = await getContact(tx, id)
    const params = { changes: listContactChanges(before, after) }
    await writeLog(tx, { action: 'contact.update', params, userId: session.viewer.id, contactId: id })
    await publishContactEvents(tx, [id], 'update')
    return after
  })
}

/** Whether what is given changes where its tickets go, who gets them or what is said in them by itself. */
function steersTickets(before: Contact, { number, redirect, optedOut, respostaAutomatica }: Form): boolean {
  const rows = (list: Form['redirect'] = []) => list.map(({ queueId, userId }) => `${queueId} ${userId}`).sort()
  return (
    (number !== undefined && parseFormNumber(number, before.number) !== before.number) ||
    (redirect !== undefined && rows(redirect).join() !== rows(before.redirect).join()) ||
    (optedOut !== undefined && optedOut !== (before.optedOutAt !== null)) ||
    (respostaAutomatica !== undefined && respostaAutomatica !== before.respostaAutomatica)
  )
}

function check(form: Form): void {
  const faults = validateContact(form)
  if (faults.length > 0) throw createValidationError('contact', faults)
}

/** The number of a form; one that stands there already need not be one that may be written anew. */
function parseFormNumber(written: string, before: string | null): string {
  // As it is shown, or as it was given out: without its sign another country's would be read as ours.
  const isSame = written.trim() === before || (written.includes('+') && extractDigits(written) === before)
  return isSame ? before : parseNumber(written)
}

/** `number`: in digits, with the country's code. */
async function create(tx: Tx, form: Form & { name: string; number: string }): Promise<number> {
  const twin = (await findByNumber(tx, [form.number])).get(0)
  if (twin !== undefined) throw new AppError('ERR_DUPLICATED_CONTACT', { contactId: twin })
  const names = toPhoneNames(form.number)
  const sql = getSql(tx)
  const name = stripDirectionMarks(form.name).trim()
  const [made] = await sql<{ id: number }[]>`
    insert into contact (name, name_source, number, email, resposta_automatica, extra_info)
    values (${name}, ${name === '' ? 'none' : 'manual'}, ${form.number}, ${form.email?.trim() ?? ''},
      ${form.respostaAutomatica ?? true}, ${toJsonbText(tidy(form.extraInfo ?? []))}::text::jsonb) returning id`
  if (!made) throw new Error('A contact could not be made')
  // Two who add the same number at once: the second waits here and finds it taken.
  if ((await addIdentities(tx, made.id, names)) < names.length) throw await duplicate(tx, form.number, made.id)
  await keepLists(tx, made.id, form)
  return made.id
}

/**
 * Another number. The old one stays findable once there was a conversation, and is written to until the new one is proven; before that it
 * was a slip of the pen.
 */
async function renumber(tx: Tx, id: number, number: string): Promise<void> {
  const names = toPhoneNames(number)
  const sql = getSql(tx)
  const [talked] = await sql<
    { is: boolean }[]
  >`select coalesce(exists (select 1 from ticket where contact_id = ${id}), false) as is`
  await addIdentities(tx, id, names, undefined, talked?.is !== true)
  const owned = await sql`
    select 1 from contact_identity where contact_id = ${id} and kind = 'pn' and value = any(${names.map(name => name.value)}::text[])`
  if (owned.length < names.length) throw await duplicate(tx, number, id)
  await sql`
    delete from contact_identity where contact_id = ${id} and kind = 'pn' and value <> all(${names.map(name => name.value)}::text[])
      and not exists (select 1 from ticket where contact_id = ${id})`
}

async function duplicate(tx: Tx, number: string, except: number): Promise<AppError> {
  return new AppError('ERR_DUPLICATED_CONTACT', { contactId: await findContactByPhone(tx, number, except) })
}

function toPhoneNames(pn: string): Identity[] {
  return toIdentities({ jid: pn, pn, group: false })
}

/**
 * Tags and redirects as given; tags, queues and people that are gone meanwhile are left out. Throws `ERR_VALIDATION` at a redirect to
 * somebody who does not have the queue or is inactive, unless it stood there `before`: who lost the queue is passed over when the customer writes.
 */
async function keepLists(
  tx: Tx,
  id: number,
  { tagIds, redirect }: Form,
  before: Contact['redirect'] = [],
): Promise<void> {
  const sql = getSql(tx)
  if (tagIds) {
    await sql`delete from contact_tag where contact_id = ${id} and tag_id <> all(${tagIds}::int[])`
    await sql`
      insert into contact_tag (contact_id, tag_id) select ${id}, g.id from tag g where g.id = any(${tagIds}::int[])
      on conflict do nothing`
  }
  if (redirect) {
    await sql`delete from contact_redirect where contact_id = ${id}`
    const rows = await sql<
      { at: number; queue_id: number; user_id: number; active: boolean; linked: boolean | null }[]
    >`
      select r.at::int, q.id as queue_id, u.id as user_id, u.active,
        exists (select 1 from user_queue l where l.user_id = u.id and l.queue_id = q.id) as linked
      from unnest(${redirect.map(row => row.queueId ?? 0)}::int[], ${redirect.map(row => row.userId ?? 0)}::int[])
          with ordinality as r(queue_id, user_id, at)
        join queue q on q.id = r.queue_id join "user" u on u.id = r.user_id and u.deleted_at is null order by r.at`
    const stood = (queueId: number, userId: number) =>
      before.some(row => row.queueId === queueId && row.userId === userId)
    const refused = rows.filter(row => !((row.linked && row.active) || stood(row.queue_id, row.user_id)))
    const faults = refused.map(({ at, active }) => {
      const code: ContactProblem = active ? 'redirectUnlinked' : 'redirectInactive'
      return { path: `redirect/${at - 1}`, code }
    })
    if (faults.length > 0) throw createValidationError('contact', faults)
    await sql`
      insert into contact_redirect (contact_id, queue_id, user_id)
      select ${id}, r.queue_id, r.user_id
      from unnest(${rows.map(row => row.queue_id)}::int[], ${rows.map(row => row.user_id)}::int[]) as r(queue_id, user_id)`
  }
}

function tidy(extraInfo: readonly { readonly name: string; readonly value: string }[]) {
  return extraInfo.map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
}

async function added(tx: Tx, { viewer }: Session, id: number): Promise<Contact> {
  await writeLog(tx, { action: 'contact.create', userId: viewer.id, contactId: id })
  await publishContactEvents(tx, [id], 'create')
  return getContact(tx, id)
}
