// Adding and editing connections.
import type { Connection, Kind } from '@balcao/contract'
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Tx } from '../database/client.ts'
import { sqlStateOf } from '../database/faults.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError, wrongField } from '../http/errors.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import { connectionQueues, queues } from '../queues/table.ts'
import type { Session } from '../sessions/authenticate.ts'
import { changesDriver, sealedConfig } from './config.ts'
import { type Added, checkForm, type Form } from './form.ts'
import { connectionEvents, loadConnections } from './present.ts'
import { connections } from './table.ts'

const NOW = { updatedAt: sql`now()`, version: sql`${connections.version} + 1` }
/** Any number, the same in every version of the product. */
const ONE_DEFAULT = 7_114_005
const IS_DEFAULT = and(isNull(connections.deletedAt), connections.isDefault)

/** Adds a connection and starts it. Throws `ERR_VALIDATION`, `ERR_WAPP_NAME_ALREADY_EXISTS`, `ERR_WAPP_GREETING_REQUIRED`. */
export async function addConnection(parts: Parts, session: Session, form: Added): Promise<Connection> {
  const { name, api } = form
  checkForm(form, { hasToken: false, api, greeting: '' })
  const connection = await named(() =>
    change(parts, async tx => {
      const isDefault = form.isDefault ?? (await tx.$count(connections, IS_DEFAULT)) === 0
      if (isDefault) await dethrone(tx)
      const [row] = await tx
        .insert(connections)
        .values({ name: name.trim(), api, isDefault })
        .returning({ id: connections.id })
      if (!row) throw new AppError('ERR_INTERNAL')
      await setFields(parts, tx, row.id, api, form)
      return saved(tx, session, row.id, 'create')
    }),
  )
  begin(parts, connection.id, id => parts.supervisor.start(id))
  return connection
}

/** Changes a connection; its kind stays what it is. Throws also `ERR_NO_WAPP_FOUND`, `ERR_NO_OTHER_WHATSAPP`. */
export async function editConnection(parts: Parts, session: Session, id: number, form: Form): Promise<Connection> {
  const before = (await loadConnections(parts.db, [id]))[0]
  if (!before) throw new AppError('ERR_NO_WAPP_FOUND')
  const { api, hasToken, greetingMessage: greeting } = before
  if (form.api !== undefined && form.api !== api) throw wrongField('api', 'O tipo não pode ser alterado')
  checkForm(form, { hasToken, api, greeting })
  let afresh = false
  const connection = await named(() =>
    change(parts, async tx => {
      if (form.isDefault === true) await dethrone(tx, id)
      if (form.isDefault === false && before.isDefault) {
        const others = await tx.$count(connections, and(IS_DEFAULT, ne(connections.id, id)))
        if (others === 0) throw new AppError('ERR_NO_OTHER_WHATSAPP')
      }
      afresh = await setFields(parts, tx, id, api, form)
      return saved(tx, session, id, 'update')
    }),
  )
  if (afresh) begin(parts, id, each => parts.supervisor.restart(each))
  return connection
}

/** The form is answered at once; how the session does is told live. */
function begin({ log }: Parts, id: number, ask: (id: number) => Promise<void>): void {
  ask(id).catch(error => log.warn({ err: error, whatsappId: id }, 'a connection could not be started'))
}

/** Writes what a form says; what it leaves out stays as it is. @returns whether the driver has to begin afresh with it */
async function setFields(parts: Parts, tx: Tx, id: number, api: Kind, form: Form): Promise<boolean> {
  const said = sealedConfig(parts.config.dataKey, api, form)
  const [kept] = await tx
    .select({ config: connections.config })
    .from(connections)
    .where(eq(connections.id, id))
    .for('update')
  // What is no column of the table is passed over: the kind's own fields stand in `config`.
  const { queueIds, ...fields } = form
  const config = { ...kept?.config, ...said }
  await tx
    .update(connections)
    .set({ ...fields, name: form.name?.trim(), config, ...NOW })
    .where(eq(connections.id, id))
  if (queueIds !== undefined) await setQueues(tx, id, [...new Set(queueIds)])
  return changesDriver(api, kept?.config ?? {}, said)
}

async function setQueues(tx: Tx, whatsappId: number, queueIds: readonly number[]): Promise<void> {
  const known = await tx.$count(queues, inArray(queues.id, [...queueIds]))
  if (known !== queueIds.length) throw new AppError('ERR_NO_QUEUE_FOUND')
  await tx.delete(connectionQueues).where(eq(connectionQueues.whatsappId, whatsappId))
  if (queueIds.length > 0) await tx.insert(connectionQueues).values(queueIds.map(queueId => ({ whatsappId, queueId })))
}

/** There is one default connection; the old one makes room first, or the unique index would refuse. */
async function dethrone(tx: Tx, heir = 0): Promise<void> {
  // Of two who choose another one at once the second sees what the first chose.
  await sqlOf(tx)`select pg_advisory_xact_lock(${ONE_DEFAULT})`
  const rows = await tx
    .update(connections)
    .set({ isDefault: false, ...NOW })
    .where(and(IS_DEFAULT, ne(connections.id, heir)))
    .returning({ id: connections.id })
  const ids = rows.map(row => row.id)
  await connectionEvents(tx, ids, 'update')
}

async function saved(tx: Tx, { viewer }: Session, id: number, action: 'create' | 'update') {
  await writeLog(tx, { action: `connection.${action}`, userId: viewer.id, whatsappId: id })
  await connectionEvents(tx, [id], action)
  const [connection] = await loadConnections(tx, [id])
  if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
  return connection
}

async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlStateOf(error) === '23505') throw new AppError('ERR_WAPP_NAME_ALREADY_EXISTS')
    throw error
  }
}
