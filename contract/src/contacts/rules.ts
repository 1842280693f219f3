// What a contact must look like: the rules of form and server alike (spec 3 §5).
import type { FaultCode } from '../kit/app-error.ts'
import { LIMITS } from '../kit/limits.ts'
import { extractDigits } from './phone.ts'

/** What a person fills in; what is not given is not changed. A group has no number. */
export interface ContactForm {
  readonly name?: string
  readonly number?: string
  readonly email?: string
  readonly extraInfo?: readonly { readonly name: string; readonly value: string }[]
  readonly redirect?: readonly { readonly queueId: number | null; readonly userId: number | null }[]
}

export type ContactProblem = FaultCode<'contact'>

export interface ContactFault {
  /** `name`, `extraInfo/0/name`, … */
  readonly path: string
  readonly code: ContactProblem
}

/** What is wrong with what is given of a form; empty when it may be saved. */
export function validateContact(form: ContactForm): ContactFault[] {
  const faults: ContactFault[] = []
  if (form.name !== undefined) {
    const code = nameFault(form.name.trim())
    if (code) faults.push({ path: 'name', code })
  }
  if (form.number !== undefined) {
    const code = findNumberFault(form.number)
    if (code) faults.push({ path: 'number', code })
  }
  if (form.email !== undefined && !isEmail(form.email.trim())) faults.push({ path: 'email', code: 'email' })
  for (const [at, info] of (form.extraInfo ?? []).entries())
    if (info.name.trim() === '') faults.push({ path: `extraInfo/${at}/name`, code: 'infoName' })
  const queues = new Set<number>()
  for (const [at, { queueId, userId }] of (form.redirect ?? []).entries()) {
    if (queueId === null || userId === null) faults.push({ path: `redirect/${at}`, code: 'redirectIncomplete' })
    else if (queues.has(queueId)) faults.push({ path: `redirect/${at}`, code: 'redirectTwice' })
    if (queueId !== null) queues.add(queueId)
  }
  return faults
}

function nameFault(name: string): ContactProblem | null {
  const [least, most] = LIMITS.contactName
  if (name === '') return 'nameRequired'
  return name.length < least || name.length > most ? 'nameLength' : null
}

function findNumberFault(number: string): ContactProblem | null {
  const [least, most] = LIMITS.contactNumber
  const { length } = extractDigits(number)
  if (number.trim() === '') return 'numberRequired'
  return length < least || length > most ? 'numberLength' : null
}

/** An address that can be written to; none is fine. */
function isEmail(text: string): boolean {
  return text === '' || (text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text))
}
