// Whether WhatsApp knows a number, asked of a connection that can tell; and who of ours already has it.
import { extractDigits, getCapabilities, listPhoneVariants, type ResponseBody } from '@balcao/contract'
import { readNumber } from '@balcao/contract/contacts/read-number'
import { stripAddress } from '../../platform/channel/addresses.ts'
import type { Peer } from '../../platform/channel/driver.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createRateLimitError, createValidationError } from '../../platform/http/errors.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { type ConnectionRef, resolveConnection } from './connection-for.ts'
import { claimNumberCheck, type NumberStatus, storeNumberCheck } from './number-pace.ts'
import { loadContacts } from './present.ts'

/**
 * Answers the question of the new conversation. Throws `ERR_NO_PERMISSION` without the right addContact, `ERR_VALIDATION`, `ERR_NO_WAPP_FOUND`,
 * `ERR_WAPP_CHECK_CONTACT` while a connection that can tell is down or does not, `ERR_TOO_MANY_ATTEMPTS`.
 */
export async function checkNumber(
  parts: Parts,
  session: Session,
  input: string,
  whatsappId: number | undefined,
): Promise<ResponseBody<'GET /contacts/check/:number'>> {
  if (!session.mayContacts.add) throw new AppError('ERR_NO_PERMISSION')
  const number = await findNumber(parts.db, input)
  const mine = await findContactByPhone(parts.db, number)
  const [contact] = mine === null ? [] : await loadContacts(parts.db, [mine])
  if (contact) return { exists: true, number: contact.number ?? number, contact }
  const connection = await resolveConnection(parts.db, whatsappId)
  const known = await queryNumber(parts, connection, number, session.viewer.id)
  if (known.exists === null && getCapabilities(connection.api).check) throw new AppError('ERR_WAPP_CHECK_CONTACT')
  return { exists: known.exists, number: known.number, contact: null }
}

/**
 * Asks WhatsApp, where the connection can and is there. A connection that does not answer leaves the question open. Throws 429
 * `ERR_TOO_MANY_ATTEMPTS` with `Retry-After` for who asks too often; `userId` null for another program.
 */
export async function queryNumber(
  { db, supervisor, log }: Pick<Parts, 'db' | 'supervisor' | 'log'>,
  { id, api, status }: ConnectionRef,
  number: string,
  userId: number | null,
): Promise<NumberStatus> {
  const open = { exists: null, number }
  if (!getCapabilities(api).check || status !== 'CONNECTED') return open
  const turn = await claimNumberCheck(db, { whatsappId: id, userId, number })
  if ('known' in turn) return turn.known
  if ('wait' in turn) throw createRateLimitError(turn.wait)
  try {
    const answer = await supervisor.ask(id, 'check', number)
    if (answer !== null && !isPeer(answer)) return open
    const known =
      answer === null
        ? { exists: false, number }
        : { exists: true, number: extractDigits(stripAddress(answer.pn ?? answer.jid)) || number }
    await storeNumberCheck(db, turn.turn, known)
    return known
  } catch (error) {
    log.warn({ err: error, whatsappId: id }, 'a number could not be checked')
    return open
  }
}

/** Who is asked for: WhatsApp's own spelling where it can be asked. Throws `ERR_WAPP_INVALID_CONTACT` when it knows nobody there. */
export async function resolvePeer(
  parts: Pick<Parts, 'db' | 'supervisor' | 'log'>,
  connection: ConnectionRef,
  number: string,
  userId: number | null,
): Promise<NumberPeer> {
  const known = await findContactByPhone(parts.db, number)
  if (known !== null) return { jid: number, pn: number, group: false }
  const status = await queryNumber(parts, connection, number, userId).catch(takenAsGiven(number))
  if (status.exists === false) throw new AppError('ERR_WAPP_INVALID_CONTACT')
  return { jid: status.number, pn: status.number, group: false }
}

/** Somebody who is known by a number alone. */
export interface NumberPeer {
  readonly jid: string
  readonly pn: string
  readonly group: false
}

/** Asked too often for today: the number is taken as it was given, and WhatsApp tells when the message goes out. */
function takenAsGiven(number: string) {
  return (error: unknown) => {
    if (error instanceof AppError && error.code === 'ERR_TOO_MANY_ATTEMPTS') return { exists: null, number }
    throw error
  }
}

/** The number that somebody wrote, in digits (`read-number.ts` of the contract). Throws `ERR_VALIDATION` for what is none. */
export function parseNumber(input: string): string {
  const reading = readNumber(input)
  if ('fault' in reading) throw createValidationError('contact', [{ path: 'number', code: reading.fault }])
  return reading.number
}

/** The same; what is none may still be the number that one of ours is known by, just as it stands. */
export async function findNumber(db: Db, input: string): Promise<string> {
  const reading = readNumber(input)
  const digits = extractDigits(input)
  if ('fault' in reading && (await findContactByPhone(db, digits)) !== null) return digits
  return parseNumber(input)
}

/** The contact that has a number, in either of its spellings; `except` one that asks for itself. */
export async function findContactByPhone(db: Db | Tx, number: string, except = 0): Promise<number | null> {
  const [row] = await getSql(db)<{ contact_id: number }[]>`
    select contact_id from contact_identity where kind = 'pn' and value = any(${listPhoneVariants(extractDigits(number))}::text[]) and contact_id <> ${except}
    order by contact_id limit 1`
  return row?.contact_id ?? null
}

function isPeer(answer: unknown): answer is Peer {
  return typeof answer === 'object' && answer !== null && 'jid' in answer && typeof answer.jid === 'string'
}
