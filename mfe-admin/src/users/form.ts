// The form of a person (spec 2 §2, §5): what stands in it, the rules, and the body that is sent.

import type { Profile, RequestBody } from '@balcao/contract'
import type { FieldRule } from '@balcao/contract/kit/forms'
import { USER_DEFAULTS, userRules, validateSubstitutions } from '@balcao/contract/users/rules'
import { describeFault } from '@balcao/ui/catalogue'
import { sealText } from '@balcao/ui/wire'
import type { TeamMember } from './list.ts'

export const DAYS = ['weekdays', 'saturday', 'sunday', 'holidays'] as const
export const RIGHTS = ['addContact', 'editContact', 'delContact'] as const
type Day = (typeof DAYS)[number]
type Right = (typeof RIGHTS)[number]

/** Who takes the tickets of a queue; `id` is the row's own, for the form. */
export interface SubstituteRow {
  readonly id: number
  readonly queueId: number | null
  readonly userId: number | null
  readonly transfer: boolean
}

export interface UserFields {
  readonly name: string
  readonly email: string
  /** Empty keeps the present one; of a new person: a one-time password is made. */
  readonly password: string
  readonly profile: Profile
  readonly active: boolean
  readonly whatsappId: number | null
  readonly queueIds: readonly number[]
  readonly startTime: string
  readonly endTime: string
  readonly days: readonly Day[]
  readonly rights: readonly Right[]
  readonly substitutes: readonly SubstituteRow[]
  /** One that was chosen and is not saved yet. */
  readonly picture: File | null
}

const { profile, startTime, endTime, ...FLAGS } = USER_DEFAULTS
const NEW: UserFields = {
  ...{ name: '', email: '', password: '', active: true, whatsappId: null, queueIds: [], picture: null },
  ...{ profile, startTime, endTime, substitutes: [] },
  days: DAYS.filter(day => FLAGS[day]),
  rights: RIGHTS.filter(right => FLAGS[right]),
}

export function toFields(person: TeamMember | null): UserFields {
  if (!person) return NEW
  const { name, address, profile, active, whatsappId, queueIds, startTime, endTime, substitution } = person
  return {
    ...{ name, email: address, password: '', profile, active, whatsappId, queueIds, startTime, endTime, picture: null },
    days: DAYS.filter(day => person[day]),
    rights: RIGHTS.filter(right => person[right]),
    substitutes: substitution.map(row => ({
      id: row.name,
      queueId: row.name,
      userId: row.value,
      transfer: row.transfer,
    })),
  }
}

/** An empty password keeps the present one; so does an e-mail that could not be opened here. */
export function makeUserRules(person: TeamMember | null) {
  const { password, email, ...rest } = userRules
  return { ...rest, password: allowEmpty(password), email: person?.address === '' ? allowEmpty(email) : email }
}

function allowEmpty(rule: FieldRule<string>): FieldRule<string> {
  return text => (text === '' ? { value: '', fault: null } : rule(text))
}

type Team = readonly { readonly id: number; readonly name: string; readonly queueIds: readonly number[] }[]

/** What is wrong with the substitutes, row by row; null where nothing is. */
export function validateSubstitutes({ substitutes, active }: UserFields, person: TeamMember | null, people: Team) {
  const rows = substitutes.map(({ queueId, userId }) => ({ name: queueId, value: userId }))
  const present = person?.substitution.map(({ name }) => name) ?? []
  const faults = validateSubstitutions(rows, { userId: person?.id ?? null, active, present, people })
  return rows.map((_, at) => faults.find(({ path }) => path === `substitution/${at}`) ?? null)
}

/** What is wrong with the first row that is. */
export function findSubstituteProblem(fields: UserFields, person: TeamMember | null, people: Team): string | null {
  const fault = validateSubstitutes(fields, person, people).find(each => each !== null)
  return fault ? describeFault(`substitution.${fault.code}`, fault.params) : null
}

/** What is sent; a password that an administrator gives is for one sign-in. One's own e-mail and password are changed in the account. */
export async function toBody(fields: UserFields, { isOwn }: { readonly isOwn: boolean }) {
  const { name, profile, active, whatsappId, startTime, endTime, email, password } = fields
  return {
    ...{ name, profile, whatsappId, startTime, endTime, queueIds: [...fields.queueIds] },
    ...toFlags(DAYS, fields.days),
    ...toFlags(RIGHTS, fields.rights),
    substitution: fields.substitutes.map(row => ({ name: row.queueId, value: row.userId, transfer: row.transfer })),
    ...(!isOwn && { active }),
    ...(!isOwn && email !== '' && { email: await sealText(email) }),
    ...(!isOwn && password !== '' && { password: await sealText(password), mustChangePassword: true }),
  } satisfies RequestBody<'PUT /users/:id'>
}

function toFlags<N extends string>(all: readonly N[], chosen: readonly N[]): Record<N, boolean> {
  return Object.fromEntries(all.map(name => [name, chosen.includes(name)])) as Record<N, boolean>
}

const DRAWN = ['ABCDEFGHJKMNPQRSTUVWXYZ', 'abcdefghjkmnpqrstuvwxyz', '23456789', '!#$%*+-'] as const

/** A password that keeps to the policy, without letters and digits that look alike. */
export function drawPassword(): string {
  const [upper, lower, digits, signs] = DRAWN
  const parts = [upper, lower, lower, lower, lower, lower, signs, digits, digits, digits, digits]
  return parts.map(letters => letters[drawBelow(letters.length)]).join('')
}

/** A whole number below another, each as likely. */
function drawBelow(most: number): number {
  const one = new Uint32Array(1)
  const whole = Math.floor(2 ** 32 / most) * most
  do crypto.getRandomValues(one)
  while ((one[0] ?? 0) >= whole)
  return (one[0] ?? 0) % most
}
