// What a fault means for the event that met it: whether it comes in when tried again.
import { truncateText } from '@balcao/contract'
import { findDatabaseFault, getSqlState, getViolatedConstraint } from '../../platform/database/faults.ts'
import { toStorableText } from '../../platform/database/storable.ts'

/**
 * `away`: the database is not there or has no room; the event waits as long as that lasts. `passing`: a lost race, or somebody holds
 * what is needed; it is tried a few times. `lasting`: our own code or this very event; trying again changes nothing.
 */
export type FaultClass = 'away' | 'passing' | 'lasting'

/** The races two takings-in may lose against each other. Any other unique violation would come back at every try. */
const RACES = new Set([
  'contact_channel_contact_id_whatsapp_id_pk',
  'contact_identity_kind_value_pk',
  'message_provider_id',
  'message_seq',
  'raw_event_whatsapp_id_key_pk',
  'ticket_live',
])

export function classifyFault(error: unknown): FaultClass {
  const fault = findDatabaseFault(error)
  // postgres.js may notice a lost connection as a BEGIN outside its own.
  if (fault === 'away' || getSqlState(error) === 'UNSAFE_TRANSACTION') return 'away'
  if (fault === 'busy') return 'passing'
  // What it would have named (a queue, a person) was deleted at that moment: the next try does not find it.
  if (getSqlState(error) === '23503') return 'passing'
  return getSqlState(error) === '23505' && RACES.has(getViolatedConstraint(error)) ? 'passing' : 'lasting'
}

/** No room on disk, in memory, for another connection: whether it answers says nothing of the event. */
export function isFull(error: unknown): boolean {
  return /^53/.test(getSqlState(error) ?? '')
}

/** An error in a line Postgres takes. */
export function toFaultReason(error: unknown): string {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return truncateText(toStorableText(reason), 2000)
}
