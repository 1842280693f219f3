// The form of a person as it is kept: opened, by the rules of the contract, and with everything it names being there.
import {
  type RequestBody,
  type Substitution,
  type SubstitutionFault,
  type User,
  userRules,
  validateSubstitutions,
} from '@balcao/contract'
import { eq } from 'drizzle-orm'
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createValidationError, validateFields } from '../../platform/http/errors.ts'
import { hashEmail, seal } from '../../platform/seal.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { openSecret } from '../../policy/sessions/secrets.ts'
import type { users } from '../../policy/users/table.ts'
import { isConnectionPresent } from '../connections/existing.ts'
import { areQueuesPresent } from '../queues/existing.ts'
import { userSubstitutes } from '../queues/table.ts'

type Body = RequestBody<'PUT /users/:id'>

/** Fields that stand in the row of the person as they stand in the form. */
export const PLAIN_FIELDS = [
  'name',
  'profile',
  'active',
  'startTime',
  'endTime',
  'weekdays',
  'saturday',
  'sunday',
  'holidays',
  'addContact',
  'editContact',
  'delContact',
  'whatsappId',
] as const satisfies readonly (keyof User & keyof Body)[]

/** Of a form, what stands in the row as it stands there. */
export function toUserColumns(form: UserForm): Pick<UserForm, (typeof PLAIN_FIELDS)[number]> {
  const entries = PLAIN_FIELDS.flatMap(field => (form[field] === undefined ? [] : [[field, form[field]]]))
  return Object.fromEntries(entries)
}

/** What is given of a form, opened and by the rules. An empty password is none. Throws `ERR_VALIDATION`. */
export async function validateUserForm(config: Config, body: Body): Promise<UserForm> {
  const { name, startTime, endTime, password: _, ...rest } = body
  const [email, password] = await Promise.all([openedIf(config, body.email), openedIf(config, body.password)])
  const texts = { name, startTime, endTime, email, password: password === '' ? undefined : password }
  const values = validateFields(userRules, texts)
  const queueIds = body.queueIds && [...new Set(body.queueIds)]
  return { ...rest, ...values, ...(queueIds ? { queueIds } : {}) }
}

export type UserForm = Omit<Body, keyof typeof userRules> & {
  readonly [F in keyof typeof userRules]?: string | undefined
}

async function openedIf(config: Config, input: string | undefined): Promise<string | undefined> {
  return input === undefined ? undefined : openSecret(config, input)
}

/** The columns of an e-mail. */
export function toEmailColumns(
  { dataKey }: Config,
  email: string,
): Pick<typeof users.$inferInsert, 'emailSealed' | 'emailHash'> {
  return { emailSealed: seal(dataKey, email), emailHash: hashEmail(dataKey, email) }
}

/** Throws `ERR_NO_QUEUE_FOUND`, `ERR_NO_WAPP_FOUND` for what is not there. */
export async function checkNamed(
  tx: Tx,
  { queueIds = [], whatsappId }: Pick<UserForm, 'queueIds' | 'whatsappId'>,
): Promise<void> {
  if (!(await areQueuesPresent(tx, queueIds))) throw new AppError('ERR_NO_QUEUE_FOUND')
  if (whatsappId && !(await isConnectionPresent(tx, whatsappId))) throw new AppError('ERR_NO_WAPP_FOUND')
}

/** Gives a person exactly these queues. */
export async function setUserQueues(tx: Tx, userId: number, queueIds: readonly number[]): Promise<void> {
  const sql = getSql(tx)
  await sql`delete from user_queue where user_id = ${userId} and not queue_id = any(${[...queueIds]}::int[])`
  await sql`insert into user_queue (user_id, queue_id) select ${userId}, unnest(${[...queueIds]}::int[]) on conflict do nothing`
}

/** Throws `ERR_VALIDATION` with the sentences of spec 2 §5 where these cannot be a person's substitutes. */
export async function checkSubstitutes(
  tx: Tx,
  { viewer }: Session,
  person: Pick<User, 'id' | 'active' | 'substitution'>,
  rows: NonNullable<Body['substitution']>,
): Promise<void> {
  const people = await getSql(tx)<{ id: number; name: string; active: boolean; queueIds: number[] }[]>`
    select u.id, u.name, u.active, array(select queue_id from user_queue where user_id = u.id) as "queueIds" from "user" u
    where u.id = any(${rows.map(row => row.value ?? 0).filter(id => !isHidden(viewer, id))}::int[]) and u.deleted_at is null`
  const present = person.substitution.map(row => row.name)
  const stood = ({ name, value }: (typeof rows)[number]) =>
    person.substitution.some(row => row.name === name && row.value === value)
  const gone = rows.flatMap((row, at): SubstitutionFault[] => {
    const substitute = people.find(({ id }) => id === row.value)
    if (!substitute || substitute.active || substitute.id === person.id || stood(row)) return []
    return [{ path: `substitution/${at}`, code: 'inactive', params: { name: substitute.name } }]
  })
  const world = { userId: person.id, active: person.active, present, people }
  const faults = [...validateSubstitutions(rows, world), ...gone]
  if (faults.length > 0) throw createValidationError('substitution', faults)
}

/** Gives a person exactly these substitutes. */
export async function setUserSubstitutes(
  tx: Tx,
  userId: number,
  substitutions: readonly Substitution[],
): Promise<void> {
  await tx.delete(userSubstitutes).where(eq(userSubstitutes.userId, userId))
  const rows = substitutions.map(({ name: queueId, value: substituteId, transfer }) => ({
    userId,
    queueId,
    substituteId,
    transfer,
  }))
  if (rows.length > 0) await tx.insert(userSubstitutes).values(rows)
}

/** The rows of a form that are whole, in the order in which they are kept. */
export function selectCompleteRows(rows: NonNullable<Body['substitution']>): Substitution[] {
  return rows
    .flatMap(({ name, value, transfer }) => (name && value ? [{ name, value, transfer: transfer ?? false }] : []))
    .toSorted((one, other) => one.name - other.name)
}
