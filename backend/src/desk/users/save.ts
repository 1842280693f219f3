// Adding and changing people of the team (spec 2 §4, §5, §6; decisions-2 §8, §22).
import { type FieldChange, type RequestBody, type ResponseBody, USER_DEFAULTS, type User } from '@balcao/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { Config } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { getSqlState } from '../../platform/database/faults.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { isHidden } from '../../policy/access/hidden-owner.ts'
import { createOnce, sealComparableContent } from '../../policy/kit/made-once.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { limitConcurrency } from '../../policy/sessions/concurrency.ts'
import { verifyPassword } from '../../policy/sessions/sign-in.ts'
import { revokeOtherSessions, signOutEverywhere } from '../../policy/sessions/sign-out.ts'
import { loadUsers, publishUserEvents } from '../../policy/users/present.ts'
import { users } from '../../policy/users/table.ts'
import { publishStaffedQueues } from '../queues/publish.ts'
import { endFollowing } from '../tickets/followers.ts'
import { checkStillAdmin } from './change.ts'
import { listUserChanges } from './changes.ts'
import {
  checkNamed,
  checkSubstitutes,
  selectCompleteRows,
  setUserQueues,
  setUserSubstitutes,
  toEmailColumns,
  toUserColumns,
  type UserForm,
  validateUserForm,
} from './form.ts'
import { findSubstitutes, lockAssignedTickets, lockUsers, publishOwnerChange, reassignTickets } from './leave.ts'
import {
  checkStillProven,
  createOneTimePassword,
  deriveOneTimePassword,
  hashNewPassword,
  verifyOwnPassword,
} from './passwords.ts'

/**
 * Adds somebody. Without a password a one-time password is made. A form that comes again, because its answer was lost, adds nobody: it
 * changes whom it added to what it says by now, and says the password again while that is still the person's. Throws `ERR_VALIDATION`, `ERR_DUPLICATED_EMAIL`,
 * `ERR_NO_QUEUE_FOUND`, `ERR_NO_WAPP_FOUND`.
 */
export async function addUser(
  parts: Parts,
  session: Session,
  body: RequestBody<'POST /users'>,
): Promise<ResponseBody<'POST /users'>> {
  const { config } = parts
  const { clientId, ...written } = body
  const form = await validateUserForm(config, written)
  const password = form.password ?? createFirstPassword(config, session, clientId)
  const isOneTime = form.password === undefined
  const secret = {
    passwordHash: await hashNewPassword(password),
    mustChangePassword: isOneTime || form.mustChangePassword === true,
  }
  const submission = { clientId, content: sealComparableContent(parts, form) }
  const user = await createOnce(parts, session, 'user', submission, make, again)
  const isStill = isOneTime && (await isFirstPassword(parts.db, user.id, password))
  return { ...user, oneTimePassword: isStill ? password : null }

  async function make(tx: Tx): Promise<User> {
    await checkStillAdmin(tx, session)
    const id = await insertUser(tx, config, form, secret)
    if (id === null) throw new AppError('ERR_DUPLICATED_EMAIL')
    const person = await loadEditableUser(tx, config, session, id)
    if (form.substitution) {
      await checkSubstitutes(tx, session, person, form.substitution)
      await setUserSubstitutes(tx, id, selectCompleteRows(form.substitution))
    }
    await writeLog(tx, { action: 'user.create', userId: session.viewer.id, entityId: id })
    await publishStaffedQueues(tx, null, person)
    const [published] = await publishUserEvents(tx, config, [id], 'create')
    return published ?? shown(person)
  }

  async function again(id: number, isSame: boolean): Promise<User> {
    return isSame
      ? shown(await loadEditableUser(parts.db, config, session, id))
      : updateUser(parts, session, id, written)
  }
}

function createFirstPassword(config: Config, { viewer }: Session, clientId: string | undefined): string {
  return clientId ? deriveOneTimePassword(config, `user:${viewer.id}:${clientId}`) : createOneTimePassword(config)
}

/** Nobody has been in with it and chosen another one. */
async function isFirstPassword(db: Db, id: number, password: string): Promise<boolean> {
  const [row] = await db
    .select({ hash: users.passwordHash })
    .from(users)
    .where(and(eq(users.id, id), eq(users.mustChangePassword, true)))
  return row !== undefined && limitConcurrency(() => verifyPassword(password, row.hash))
}

/** A new person with the queues; what is not said is as the form begins (spec 2 §5). Null where the e-mail is somebody's. */
export async function insertUser(
  tx: Tx,
  config: Config,
  form: UserForm,
  secret: { readonly passwordHash: string; readonly mustChangePassword: boolean },
): Promise<number | null> {
  await checkNamed(tx, form)
  const { name = '', email = '' } = form
  const row = { ...USER_DEFAULTS, ...toUserColumns(form), ...secret, name, ...toEmailColumns(config, email) }
  const [made] = await tx.insert(users).values(row).onConflictDoNothing({ target: users.emailHash }).returning()
  if (!made) return null
  await setUserQueues(tx, made.id, form.queueIds ?? [])
  return made.id
}

/**
 * Changes somebody. One's own are name, e-mail and password, the last two with the current password; everything else, and other
 * people, are the administrators'. Nobody lets himself out, and the owner stays an active administrator. What somebody may not have
 * any more is taken at once: live tickets of lost queues wait again, those of who is deactivated go to the substitutes, and sessions
 * end. Throws `ERR_NO_USER_FOUND`, `ERR_NO_PERMISSION`, `ERR_CHANGED_MEANWHILE`, `ERR_VALIDATION`, `ERR_DUPLICATED_EMAIL`,
 * `ERR_NO_QUEUE_FOUND`, `ERR_NO_WAPP_FOUND`, `ERR_TOO_MANY_ATTEMPTS`.
 */
export async function updateUser(
  parts: Parts,
  session: Session,
  id: number,
  body: RequestBody<'PUT /users/:id'>,
): Promise<User> {
  const { viewer } = session
  const isOwn = viewer.id === id
  // Nobody else's current password is anybody's business.
  if (!isOwn && (viewer.profile !== 'admin' || body.currentPassword)) throw new AppError('ERR_NO_PERMISSION')
  if (session.mustChangePassword && !(isOwn && body.password)) throw new AppError('ERR_NO_PERMISSION')
  const form = await validateUserForm(parts.config, session.mustChangePassword ? { password: body.password } : body)
  const present = await loadEditableUser(parts.db, parts.config, session, id)
  const proves = isOwn && (form.password !== undefined || toChangedEmailColumns(parts.config, present, form) !== null)
  const proven = proves ? await verifyOwnPassword(parts, session, body.currentPassword, form.password) : null
  const hash = form.password === undefined ? null : await hashNewPassword(form.password)
  const substitutes = [...present.substitution, ...(form.substitution ?? [])].map(row => row.value ?? 0)

  const user = await change(parts, async tx => {
    if (!isOwn) await checkStillAdmin(tx, session)
    await lockUsers(tx, [id, ...substitutes])
    if (proven !== null) await checkStillProven(tx, id, proven)
    const person = await loadEditableUser(tx, parts.config, session, id)
    checkVersion(person, body.version)
    checkMay(session, person, form)
    return save(tx, parts.config, session, person, form, hash)
  }).catch(error => {
    throw getSqlState(error) === '23505' ? new AppError('ERR_DUPLICATED_EMAIL') : error
  })
  parts.closeEndedSockets()
  return user
}

/** A person as stored. */
interface Stored extends User {
  readonly savedVersion: number
  readonly emailHash: string
}

/** Throws `ERR_NO_USER_FOUND`, also for the owner, who is hidden from everybody else (decisions §1). */
async function loadEditableUser(db: Db | Tx, config: Config, { viewer }: Session, id: number): Promise<Stored> {
  const [user] = await loadUsers(db, config, [id])
  const [row] = await getSql(db)<{ savedVersion: number; emailHash: string }[]>`
    select saved_version as "savedVersion", email_hash as "emailHash" from "user" where id = ${id}`
  if (!user || !row || isHidden(viewer, id)) throw new AppError('ERR_NO_USER_FOUND')
  return { ...user, ...row }
}

function shown({ savedVersion: _, emailHash: __, ...user }: Stored): User {
  return user
}

/** People who come and go change the version too, and are no change of the form. */
function checkVersion(person: Stored, version: number | undefined): void {
  if (version !== undefined && version < person.savedVersion) throw new AppError('ERR_CHANGED_MEANWHILE', shown(person))
}

/** What stays as it is may be sent along. Of oneself counts what is stored: the session may be older than the loss of a right. */
function checkMay({ viewer }: Session, person: Stored, form: UserForm): void {
  const isOwn = viewer.id === person.id
  const { profile } = isOwn ? person : viewer
  if (isOwn && (!person.active || form.active === false)) throw new AppError('ERR_NO_PERMISSION')
  if (person.id === 1 && (form.profile ?? 'admin') !== 'admin') throw new AppError('ERR_NO_PERMISSION')
  const others = listUserChanges(person, form).filter(({ field }) => field !== 'name')
  if (profile !== 'admin' && others.length > 0) throw new AppError('ERR_NO_PERMISSION')
}

/** The columns of a new e-mail; null where it stays. */
function toChangedEmailColumns(config: Config, person: Stored, { email }: UserForm) {
  if (email === undefined) return null
  const columns = toEmailColumns(config, email)
  return columns.emailHash === person.emailHash ? null : columns
}

async function save(
  tx: Tx,
  config: Config,
  session: Session,
  person: Stored,
  form: UserForm,
  passwordHash: string | null,
): Promise<User> {
  const { id } = person
  const after: User = { ...shown(person), ...toUserColumns(form), queueIds: form.queueIds ?? person.queueIds }
  if (form.substitution) await checkSubstitutes(tx, session, after, form.substitution)
  const email = toChangedEmailColumns(config, person, form)
  const changes = [...listUserChanges(person, form), ...(email ? [{ field: 'email' }] : [])]
  if (changes.length === 0 && passwordHash === null) return shown(person)
  await checkNamed(tx, form)
  const places = await lockAssignedTickets(tx, id)
  const isOwn = session.viewer.id === id
  await tx
    .update(users)
    .set({
      ...toUserColumns(form),
      ...email,
      ...(passwordHash === null
        ? {}
        : { passwordHash, mustChangePassword: !isOwn && form.mustChangePassword === true }),
      ...(changes.length > 0 ? { savedVersion: sql`${users.version} + 1` } : {}),
      awaitingApproval: person.awaitingApproval && !after.active,
      updatedAt: sql`now()`,
      version: sql`${users.version} + 1`,
    })
    .where(eq(users.id, id))
  if (form.queueIds) await setUserQueues(tx, id, form.queueIds)
  if (form.substitution) await setUserSubstitutes(tx, id, selectCompleteRows(form.substitution))
  if (passwordHash !== null) {
    if (isOwn) await revokeOtherSessions(tx, id, session.family)
    else await signOutEverywhere(tx, id)
    await writeLog(tx, {
      action: isOwn ? 'user.changePassword' : 'user.resetPassword',
      userId: session.viewer.id,
      entityId: id,
    })
  }
  await takeAway(tx, session, person, after, places, changes)
  await publishStaffedQueues(tx, person, after)
  const [user] = await publishUserEvents(tx, config, [id], 'update')
  if (!user) throw new AppError('ERR_NO_USER_FOUND')
  return user
}

/** What follows from the changes for sessions and live tickets, and what the log says of it all. */
async function takeAway(
  tx: Tx,
  session: Session,
  before: Stored,
  after: User,
  places: Awaited<ReturnType<typeof lockAssignedTickets>>,
  changes: readonly FieldChange[],
): Promise<void> {
  const { id } = before
  const by = { userId: session.viewer.id, entityId: id }
  const others = changes.filter(({ field }) => field !== 'active')
  if (before.active && !after.active) {
    await signOutEverywhere(tx, id)
    await endFollowing(tx, id)
    const substitutes = await findSubstitutes(tx, id, true)
    const params = await reassignTickets(tx, session, places, ({ queueId }) => substitutes.get(queueId ?? 0) ?? 'waits')
    if (others.length > 0) await writeLog(tx, { action: 'user.update', params: { changes: others }, ...by })
    return writeLog(tx, { action: 'user.deactivate', params, ...by })
  }
  const mayHave = (queueId: number | null) =>
    after.profile === 'admin' || queueId === null || after.queueIds.includes(queueId)
  const { toWait } = await reassignTickets(tx, session, places, ({ queueId }) => (mayHave(queueId) ? 'stays' : 'waits'))
  if (before.profile !== after.profile)
    await publishOwnerChange(
      tx,
      places.filter(({ queueId }) => mayHave(queueId)),
    )
  const params = { changes: others, ...(toWait > 0 ? { toWait } : {}) }
  if (others.length > 0) await writeLog(tx, { action: 'user.update', params, ...by })
  if (!before.active && after.active)
    await writeLog(tx, { action: before.awaitingApproval ? 'user.approve' : 'user.activate', ...by })
}
