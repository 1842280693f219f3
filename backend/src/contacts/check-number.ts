// Whether WhatsApp knows a number, asked of a connection that can tell; and who of ours already has it.
import { type AnswerOf, digitsOf, phoneVariants } from '@balcao/contract'
import type { Peer } from '../channels/driver.ts'
import { capabilitiesOf } from '../connections/capabilities.ts'
import type { Db, Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError } from '../http/errors.ts'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { type Connection, connectionFor } from './connection-for.ts'
import { loadContacts } from './present.ts'

/** Digits of a phone with country and area code. */
const PHONE = /^\d{10,15}$/

export interface Known {
  /** Null: nobody can tell now. */
  readonly exists: boolean | null
  readonly number: string
  readonly peer: Peer | null
}

/**
 * Answers the question of the new conversation. Throws `ERR_NO_PERMISSION` without the right addContact, `ERR_VALIDATION`, `ERR_NO_WAPP_FOUND`,
 * `ERR_WAPP_CHECK_CONTACT` while a connection that can tell is down or does not.
 */
export async function checkNumber(
  parts: Parts,
  session: Session,
  given: string,
  whatsappId: number | undefined,
): Promise<AnswerOf<'GET /contacts/check/:number'>> {
  if (!session.mayContacts.add) throw new AppError('ERR_NO_PERMISSION')
  const number = phoneOf(given)
  const mine = await contactWith(parts.db, number)
  const [contact] = mine === null ? [] : await loadContacts(parts.db, [mine])
  if (contact) return { exists: true, number: contact.number ?? number, contact }
  const connection = await connectionFor(parts.db, whatsappId)
  const known = await askAbout(parts, connection, number)
  if (known.exists === null && capabilitiesOf(connection.api).check) throw new AppError('ERR_WAPP_CHECK_CONTACT')
  return { exists: known.exists, number: known.number, contact: null }
}

/** Asks WhatsApp, where the connection can and is there. A connection that does not answer leaves the question open. */
export async function askAbout(
  { supervisor, log }: Pick<Parts, 'supervisor' | 'log'>,
  { id, api, status }: Connection,
  number: string,
): Promise<Known> {
  if (!capabilitiesOf(api).check || status !== 'CONNECTED') return { exists: null, number, peer: null }
  try {
    const answer = await supervisor.ask(id, 'check', number)
    if (answer === null) return { exists: false, number, peer: null }
    return isPeer(answer)
      ? { exists: true, number: digitsOf((answer.pn ?? answer.jid).replace(/[:@].*$/, '')) || number, peer: answer }
      : { exists: null, number, peer: null }
  } catch (error) {
    log.warn({ err: error, whatsappId: id }, 'a number could not be checked')
    return { exists: null, number, peer: null }
  }
}

/** The digits of a phone. Throws `ERR_VALIDATION` for what is none. */
export function phoneOf(given: string): string {
  const number = digitsOf(given)
  if (!PHONE.test(number))
    throw new AppError('ERR_VALIDATION', [
      { path: 'number', message: 'Informe o número com código do país e DDD, por exemplo 5531998762210' },
    ])
  return number
}

/** The contact that has a number, in either of its spellings; `except` one that asks for itself. */
export async function contactWith(db: Db | Tx, number: string, except = 0): Promise<number | null> {
  const [row] = await sqlOf(db)<{ contact_id: number }[]>`
    select contact_id from contact_identity where kind = 'pn' and value = any(${phoneVariants(digitsOf(number))}::text[]) and contact_id <> ${except}
    order by contact_id limit 1`
  return row?.contact_id ?? null
}

function isPeer(answer: unknown): answer is Peer {
  return typeof answer === 'object' && answer !== null && 'jid' in answer && typeof answer.jid === 'string'
}
