// What a form makes is there once, however often the form is sent: an answer may be lost on its way.
import { createHash } from 'node:crypto'
import type { Tx } from '../../platform/database/client.ts'
import { claimIdempotencyKey, storeAnswer } from '../../platform/http/idempotency.ts'
import { deriveBytes } from '../../platform/seal.ts'
import type { Session } from '../sessions/authenticate.ts'
import { toOwnClientId } from '../sessions/known-sessions.ts'
import { change, type Parts } from './parts.ts'

/** A form of somebody's that makes a row: the same `clientId` again is the same form. */
export interface FormSubmission {
  readonly clientId: string | null | undefined
  /** All that was filled in. */
  readonly content: unknown
}

/**
 * Makes a row in one transaction, once for each form: `again` is given the row that the form made before, and whether the same was filled
 * in; whoever got no answer may have corrected a word since. Without a `clientId` each is new. `kind` names what is made.
 */
export async function createOnce<T extends { readonly id: number }>(
  parts: Parts,
  session: Session,
  kind: string,
  { clientId, content }: FormSubmission,
  make: (tx: Tx) => Promise<T>,
  again: (id: number, isSame: boolean) => Promise<T>,
): Promise<T> {
  if (!clientId) return change(parts, make)
  const key = `${kind}:${session.viewer.id}:${toOwnClientId(session, clientId)}`
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const { known, made } = await change(parts, async tx => {
    const known = await claimIdempotencyKey(tx, key, fingerprint)
    if (known) return { known, made: null }
    const made = await make(tx)
    await storeAnswer(tx, key, { id: made.id })
    return { known: null, made }
  })
  return made ?? again(readId(known?.answer), known?.fingerprint === fingerprint)
}

/** All of a form in which secrets stand: compared, and never kept so that they could be guessed. */
export function sealComparableContent({ config }: Pick<Parts, 'config'>, filledIn: object): string {
  return deriveBytes(config.dataKey, `form:${JSON.stringify(filledIn)}`).toString('hex')
}

interface AttachedFile {
  readonly name: string
  readonly sha256: string
}

/** All of a form that brings a file, which is compared by its bytes. */
export function toComparableContent<F extends { readonly file: AttachedFile | null }>({
  file,
  ...filledIn
}: F): object {
  return { ...filledIn, file: file && { name: file.name, bytes: file.sha256 } }
}

function readId(answer: unknown): number {
  return typeof answer === 'object' && answer !== null && 'id' in answer ? Number(answer.id) : 0
}
