// Adding and editing connections.
import {
  type Connection,
  isRestored,
  KIND_TABLE,
  type Kind,
  makeConnectionName,
  type RequestBody,
} from '@balcao/contract'
import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { getViolatedConstraint } from '../../platform/database/faults.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { createOnce, sealComparableContent } from '../../policy/kit/made-once.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { areQueuesPresent } from '../queues/existing.ts'
import { connectionQueues } from '../queues/table.ts'
import { listConnectionChanges } from './changes.ts'
import { sealConfig, shouldRestartDriver } from './config.ts'
import {
  checkDefaultRemovable,
  clearOtherDefaults,
  hasDefaultConnection,
  lockDefaultConnection,
  SAVED,
} from './default.ts'
import { type ConnectionPatch, checkForm, createEmptyConnection, fillRatingTexts } from './form.ts'
import { loadConnections, publishConnectionEvents } from './present.ts'
import { connections } from './table.ts'
import { wakeWaitingSends } from './wake-waiting-sends.ts'

/** What is said of a connection that is edited, and the version of it that the form began from. */
export type ConnectionEdit = ConnectionPatch & { readonly version?: number | undefined }

/**
 * Adds a connection and starts it. A form that comes again, because its answer was lost, adds none: it changes the one it added, whose
 * name and kind stay. Throws `ERR_VALIDATION`, `ERR_WAPP_NAME_ALREADY_EXISTS`, `ERR_WAPP_GREETING_REQUIRED`, `ERR_GATEWAY_NOT_SET`.
 */
export async function addConnection(
  parts: Parts,
  session: Session,
  { clientId, ...form }: RequestBody<'POST /whatsapp'>,
): Promise<Connection> {
  const { api } = form
  checkForm(form, createEmptyConnection(api), parts.config.privateHosts)
  if (KIND_TABLE[api].gateway && parts.config.gowa === null) throw new AppError('ERR_GATEWAY_NOT_SET')
  const name = makeConnectionName(api, form.name, Date.now())
  const submission = { clientId, content: sealComparableContent(parts, form) }
  let isMade = false
  const connection = await refusingDoubles(() => createOnce(parts, session, 'connection', submission, make, again))
  if (isMade) begin(parts, connection.id, id => parts.supervisor.start(id))
  return connection

  async function make(tx: Tx): Promise<Connection> {
    await lockDefaultConnection(tx)
    // The first is the default, whatever the form says.
    const isDefault = form.isDefault === true || !(await hasDefaultConnection(tx))
    if (isDefault) await clearOtherDefaults(tx, 0)
    const [row] = await tx.insert(connections).values({ name, api, isDefault }).returning({ id: connections.id })
    if (!row) throw new AppError('ERR_INTERNAL')
    await setFields(parts, tx, row.id, api, { ...form, isDefault, ...fillRatingTexts(form, true) })
    await writeLog(tx, { action: 'connection.create', userId: session.viewer.id, whatsappId: row.id })
    isMade = true
    return shown(tx, row.id, 'create')
  }

  async function again(id: number, isSame: boolean): Promise<Connection> {
    const [made] = await loadConnections(parts.db, [id])
    if (!made) throw new AppError('ERR_NO_WAPP_FOUND')
    const isNamedSo = makeConnectionName(api, form.name, Number(/\d+$/.exec(made.name)?.[0])) === made.name
    return isSame ? made : editConnection(parts, session, id, { ...form, name: isNamedSo ? made.name : form.name })
  }
}

/**
 * Changes a connection; its name and its kind stay what they are. Throws also `ERR_NO_WAPP_FOUND`, `ERR_NO_OTHER_WHATSAPP`, and
 * `ERR_CHANGED_MEANWHILE` where somebody saved it after the form was opened.
 */
export async function editConnection(
  parts: Parts,
  session: Session,
  id: number,
  { version, ...form }: ConnectionEdit,
): Promise<Connection> {
  let afresh = false
  const connection = await refusingDoubles(() =>
    change(parts, async tx => {
      if (form.isDefault !== undefined) await lockDefaultConnection(tx)
      const before = await held(tx, id)
      if (version !== undefined && version < before.savedVersion)
        throw new AppError('ERR_CHANGED_MEANWHILE', before.shown)
      refuseLocked(form, before.shown)
      checkForm(form, before.shown, parts.config.privateHosts)
      if (form.isDefault === false) await checkDefaultRemovable(tx, id)
      if (form.isDefault === true) await clearOtherDefaults(tx, id)
      // The only one stays the default.
      const isDefault = form.isDefault === true || before.shown.isDefault
      afresh = await setFields(parts, tx, id, before.shown.api, { ...form, isDefault, ...fillRatingTexts(form, false) })
      const after = await shown(tx, id, 'update')
      if (after.dailyCap !== before.shown.dailyCap) await wakeWaitingSends(tx, id)
      const changes = listConnectionChanges(before.shown, after, form)
      await writeLog(tx, {
        action: 'connection.update',
        params: { changes },
        userId: session.viewer.id,
        whatsappId: id,
      })
      return after
    }),
  )
  if (afresh && !isRestored(connection)) begin(parts, id, each => parts.supervisor.restart(each))
  return connection
}

/** As it is kept now, until the transaction is over: of two who save at once the second finds what the first saved. */
async function held(tx: Tx, id: number): Promise<{ readonly shown: Connection; readonly savedVersion: number }> {
  const [row] = await tx
    .select({ savedVersion: connections.savedVersion })
    .from(connections)
    .where(and(eq(connections.id, id), isNull(connections.deletedAt)))
    .for('no key update')
  const [connection] = row ? await loadConnections(tx, [id]) : []
  if (!row || !connection) throw new AppError('ERR_NO_WAPP_FOUND')
  return { shown: connection, savedVersion: row.savedVersion }
}

/** Type and name are locked when editing (spec 2 §2); saying again what they are is no change. */
function refuseLocked({ api, name }: ConnectionPatch, saved: Connection): void {
  if (api !== undefined && api !== saved.api) throw createFieldError('api', 'call.kindFixed')
  if (name !== undefined && name.trim() !== saved.name) throw createFieldError('name', 'call.nameFixed')
}

/** The form is answered at once; how the session does is told live. */
function begin({ log }: Parts, id: number, ask: (id: number) => Promise<void>): void {
  ask(id).catch(error => log.warn({ err: error, whatsappId: id }, 'a connection could not be started'))
}

/** Writes what a form says; what it leaves out stays as it is. @returns whether the driver has to begin afresh with it */
async function setFields(parts: Parts, tx: Tx, id: number, api: Kind, form: ConnectionPatch): Promise<boolean> {
  const changed = sealConfig(parts.config.dataKey, api, form)
  const [stored] = await tx.select({ config: connections.config }).from(connections).where(eq(connections.id, id))
  // What is no column of the table is passed over: the kind's own fields stand in `config`.
  const { queueIds, name: _name, api: _api, publicDNSTypebot, publicIDTypebot, ...fields } = form
  const bot = { publicDNSTypebot: publicDNSTypebot?.trim(), publicIDTypebot: publicIDTypebot?.trim() }
  await tx
    .update(connections)
    .set({ ...fields, ...bot, config: { ...stored?.config, ...changed }, ...SAVED })
    .where(eq(connections.id, id))
  if (queueIds !== undefined) await setQueues(tx, id, [...new Set(queueIds)])
  return shouldRestartDriver(api, stored?.config ?? {}, changed)
}

async function setQueues(tx: Tx, whatsappId: number, queueIds: readonly number[]): Promise<void> {
  if (!(await areQueuesPresent(tx, queueIds))) throw new AppError('ERR_NO_QUEUE_FOUND')
  await tx.delete(connectionQueues).where(eq(connectionQueues.whatsappId, whatsappId))
  if (queueIds.length > 0) await tx.insert(connectionQueues).values(queueIds.map(queueId => ({ whatsappId, queueId })))
}

async function shown(tx: Tx, id: number, action: 'create' | 'update'): Promise<Connection> {
  await publishConnectionEvents(tx, [id], action)
  const [connection] = await loadConnections(tx, [id])
  if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
  return connection
}

/** The indexes decide, for those who save at the same time, too. */
async function refusingDoubles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const doubled = getViolatedConstraint(error)
    if (doubled === 'whatsapp_name_live') throw new AppError('ERR_WAPP_NAME_ALREADY_EXISTS')
    if (doubled === 'whatsapp_phone_number_live')
      throw createFieldError('phoneNumberId', 'connection.phoneNumberIdTaken')
    throw error
  }
}
