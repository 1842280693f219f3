// What the fields of a form must be, said once: the page asks before it sends, the server before it saves.
import type { FaultText } from './app-error.ts'
import { LIMITS } from './limits.ts'
import { stripDirectionMarks, validateName, validatePassword } from './validation.ts'

/** A field's value as it is kept, and what is wrong with it. */
export type FieldRule<Value> = (value: unknown) => { readonly value: Value; readonly fault: FaultText | null }
export type FieldRules = Readonly<Record<string, FieldRule<unknown>>>
type FieldInput<R extends FieldRules> = Readonly<Partial<Record<keyof R, unknown>>>
/** The given fields as they are kept; what may be missing still may. */
export type FieldRuleValues<R extends FieldRules, G extends FieldInput<R>> = {
  readonly [N in keyof R & keyof G]:
    | ReturnType<R[N]>['value']
    | (Extract<G[N], null | undefined> extends never ? never : undefined)
}

/** A text without blanks around it, of so many characters; where none is enough it may be left out. */
export function makeTextRule(
  [least, most]: readonly [number, number],
  clean: (text: string) => string = trimText,
): FieldRule<string> {
  return value => {
    const text = clean(String(value ?? ''))
    return { value: text, fault: text === '' && least === 0 ? null : validateName(text, [least, most]) }
  }
}

/** What somebody or something is called: the same, and nothing in it turns around what stands beside it. */
export function makeNameRule(range: readonly [number, number]): FieldRule<string> {
  return makeTextRule(range, text => stripDirectionMarks(text).trim())
}

/** A whole number between two; in a form it is written as a text. */
export function makeWholeNumberRule([least, most]: readonly [number, number]): FieldRule<number> {
  return value => {
    const written = String(value ?? '').trim()
    const amount = Number(written)
    if (written === '') return { value: amount, fault: 'schema.fieldRequired' }
    return {
      value: amount,
      fault: Number.isInteger(amount) && amount >= least && amount <= most ? null : 'field.notNumber',
    }
  }
}

/** The same, or nothing. */
export function makeOptionalNumberRule(range: readonly [number, number]): FieldRule<number | null> {
  const rule = makeWholeNumberRule(range)
  return value => (String(value ?? '').trim() === '' ? { value: null, fault: null } : rule(value))
}

/** A colour as `#7a7a7a` (spec 3 §5). */
export function makeColorRule(): FieldRule<string> {
  return value => {
    const text = String(value ?? '').trim()
    const [least, most] = LIMITS.tagColor
    const isOne = text.length >= least && text.length <= most && /^#[0-9a-f]+$/i.test(text)
    return { value: text, fault: isOne ? null : 'field.notColor' }
  }
}

function makeEmailRule(): FieldRule<string> {
  return value => {
    const text = String(value ?? '').trim()
    const isAddress = text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
    return { value: text, fault: isAddress ? null : 'contact.email' }
  }
}

function makePasswordRule(): FieldRule<string> {
  return value => {
    const text = String(value ?? '')
    return { value: text, fault: validatePassword(text) }
  }
}

/** The fields that are given, by their rules: as they are kept, and what is wrong with them. */
export function applyFieldRules<R extends FieldRules, G extends FieldInput<R>>(rules: R, fields: G) {
  const values: Partial<Record<keyof R, unknown>> = {}
  const faults: Partial<Record<keyof R, FaultText>> = {}
  for (const name in rules) {
    if (fields[name] === undefined || fields[name] === null) continue
    const found = rules[name]?.(fields[name])
    values[name] = found?.value
    if (found?.fault) faults[name] = found.fault
  }
  // Each rule has just given what its type says; TypeScript does not follow that from name to name.
  return { values: values as FieldRuleValues<R, G>, faults }
}

/** A quick answer (spec 3 §5). */
export const quickAnswerRules = { shortcut: makeTextRule([2, 25], stripSlash), message: makeTextRule([8, 30_000]) }
/** Who signs up (spec 2 §5). */
export const signUpRules = {
  name: makeNameRule([2, 50]),
  email: makeEmailRule(),
  password: makePasswordRule(),
}
/** A tag (spec 3 §5). */
export const tagRules = { name: makeNameRule(LIMITS.tagName), color: makeColorRule() }
/** A question of the bot (spec 3 §5). */
export const questionRules = { pergunta: makeTextRule(LIMITS.question), resposta: makeTextRule(LIMITS.questionAnswer) }
/** What a protocol was about (spec 3 §5). */
export const protocolRules = { mensagem: makeTextRule(LIMITS.protocolMessage) }
/** A queue (spec 2 §5). */
export const queueRules = {
  name: makeNameRule(LIMITS.queueName),
  color: makeColorRule(),
  customOrder: makeWholeNumberRule(LIMITS.queueOrder),
  greetingMessage: makeTextRule([0, LIMITS.textLength]),
}
/** When a queue answers; empty: no target. */
export const queueTargetRules = {
  firstAnswerMinutes: makeOptionalNumberRule(LIMITS.answerMinutes),
  answerMinutes: makeOptionalNumberRule(LIMITS.answerMinutes),
}

/** A shortcut without blanks around it and without the slash some people type. */
export function stripSlash(shortcut: string): string {
  return stripDirectionMarks(shortcut).trim().replace(/^\/+/, '').trim()
}

function trimText(text: string): string {
  return text.trim()
}
