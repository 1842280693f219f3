// Adding and editing connections.
import type { Connection } from '@balcao/contract'
import type { Tx } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { AppError, codeOf } from '../http/errors.ts'
import { writeLog } from '../log/write.ts'
import { change, type Parts } from '../parts.ts'
import { seal } from '../seal.ts'
import type { Session } from '../sessions/authenticate.ts'
import { type Added, checkForm, type Form } from './form.ts'
import { connectionEvents, loadConnections } from './present.ts'

/** Adds a connection and starts it. Throws `ERR_VALIDATION`, `ERR_WAPP_NAME_ALREADY_EXISTS`, `ERR_WAPP_GREETING_REQUIRED`. */
export async function addConnection(parts: Parts, session: Session, form: Added): Promise<Connection> {
  const { name, api } = form
  checkForm(form, { hasToken: false, api, greeting: '' })
  const connection = await named(() =>
    change(parts, async tx => {
      const sql = sqlOf(tx)
      const [others] = await sql<{ n: number }[]>`
        select count(*)::int as n from whatsapp where deleted_at is null and is_default`
      const isDefault = form.isDefault ?? others?.n === 0
      if (isDefault) await dethrone(tx)
      const [row] = await sql<{ id: number }[]>`
        insert into whatsapp (name, api, is_default) values (${name.trim()}, ${api}, ${isDefault}) returning id`
      if (!row) throw new AppError('ERR_INTERNAL')
      await setFields(parts, tx, row.id, form)
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
  if (form.api !== undefined && form.api !== before.api)
    throw new AppError('ERR_VALIDATION', [{ path: 'api', message: 'O tipo não pode ser alterado' }])
  checkForm(form, { hasToken: before.hasToken, api: before.api, greeting: before.greetingMessage })
  const connection = await named(() =>
    change(parts, async tx => {
      const sql = sqlOf(tx)
      if (form.isDefault === true && !before.isDefault) await dethrone(tx)
      if (form.isDefault === false && before.isDefault) {
        const others = await sql`select 1 from whatsapp where deleted_at is null and is_default and id <> ${id}`
        if (others.length === 0) throw new AppError('ERR_NO_OTHER_WHATSAPP')
      }
      await sql`update whatsapp set name = ${(form.name ?? before.name).trim()},
        is_default = ${form.isDefault ?? before.isDefault} where id = ${id}`
      await setFields(parts, tx, id, form)
      return saved(tx, session, id, 'update')
    }),
  )
  const credentials = Boolean(form.tokenMeta) || (form.phoneNumberId ?? before.phoneNumberId) !== before.phoneNumberId
  if (credentials) begin(parts, id, each => parts.supervisor.restart(each))
  return connection
}

/** The form is answered at once; how the session does is told live. */
function begin({ log }: Parts, id: number, ask: (id: number) => Promise<void>): void {
  ask(id).catch(error => log.warn({ err: error, whatsappId: id }, 'a connection could not be started'))
}

async function setFields({ config }: Parts, tx: Tx, id: number, form: Form): Promise<void> {
  const sql = sqlOf(tx)
  const token = form.tokenMeta?.trim() ? seal(config.dataKey, form.tokenMeta.trim()) : null
  await sql`update whatsapp set
    nps = coalesce(${form.nps ?? null}::boolean, nps),
    greeting_message = coalesce(${form.greetingMessage ?? null}::text, greeting_message),
    greeting_bot_message = coalesce(${form.greetingBotMessage ?? null}::text, greeting_bot_message),
    greeting_message_redirect = coalesce(${form.greetingMessageRedirect ?? null}::text, greeting_message_redirect),
    farewell_message = coalesce(${form.farewellMessage ?? null}::text, farewell_message),
    nps_message = coalesce(${form.npsMessage ?? null}::text, nps_message),
    nps_tks_message = coalesce(${form.npsTksMessage ?? null}::text, nps_tks_message),
    meta_integration = coalesce(${form.metaIntegration ?? null}::boolean, meta_integration),
    phone_number_id = coalesce(${form.phoneNumberId ?? null}::text, phone_number_id),
    waba_id = coalesce(${form.wabaId ?? null}::text, waba_id),
    token_sealed = coalesce(${token}::text, token_sealed),
    "public_dns_typebot" = coalesce(${form.publicDNSTypebot ?? null}::text, "public_dns_typebot"),
    "public_id_typebot" = coalesce(${form.publicIDTypebot ?? null}::text, "public_id_typebot"),
    updated_at = now(), version = version + 1
    where id = ${id}`
  if (form.queueIds === undefined) return
  const known = await sql`select 1 from queue where id = any(${form.queueIds}::int[])`
  if (known.length !== new Set(form.queueIds).size) throw new AppError('ERR_NO_QUEUE_FOUND')
  await sql`delete from whatsapp_queue where whatsapp_id = ${id}`
  await sql`insert into whatsapp_queue (whatsapp_id, queue_id)
    select ${id}, unnest(${[...new Set(form.queueIds)]}::int[])`
}

/** There is one default connection; the old one makes room first, or the unique index would refuse. */
async function dethrone(tx: Tx): Promise<void> {
  const rows = await sqlOf(tx)<{ id: number }[]>`
    update whatsapp set is_default = false, version = version + 1, updated_at = now()
    where is_default and deleted_at is null returning id`
  await connectionEvents(
    tx,
    rows.map(row => row.id),
    'update',
  )
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
    if (codeOf(error) === '23505') throw new AppError('ERR_WAPP_NAME_ALREADY_EXISTS')
    throw error
  }
}
