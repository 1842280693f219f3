import { type Connection, isLinkedDevice, isPairPhone, isRestored } from '@balcao/contract'
import { getSql } from '../../platform/database/raw.ts'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { parseId } from '../../platform/http/validate.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { type Route, serve, serveRead } from '../../policy/kit/serve.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { type ConnectionGone, deleteConnection } from './delete.ts'
import { loadConnectionHealth } from './health.ts'
import { markNewsSeen } from './news.ts'
import { loadConnections, publishConnectionEvents, toConnectionBrief } from './present.ts'
import { addConnection, editConnection } from './save.ts'

/** `endSends`: what else ends with a connection that is deleted. */
export function connectionRoutes(parts: Parts, endSends: ConnectionGone): Route[] {
  const { db, supervisor } = parts
  const one = async (id: number): Promise<Connection> => {
    const [connection] = await loadConnections(db, [id])
    if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
    return withAddress(parts, connection)
  }
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_WAPP_FOUND')
  /** Does something to a connection that exists, and answers the connection as it then is. */
  const after = async (id: number, work: (id: number) => Promise<void>): Promise<Connection> => {
    await one(id)
    await work(id)
    return one(id)
  }
  /** Asks the supervisor for something that a person wants, which the log names. */
  const command = async (
    { session, query = {} }: CommandCall,
    id: number,
    action: 'start' | 'restart' | 'recreate' | 'disconnect',
    ask: (id: number) => Promise<void>,
  ): Promise<Connection> => {
    const connection = await one(id)
    const isLinkedOnly = action === 'recreate' || action === 'disconnect'
    if (isLinkedOnly && !isLinkedDevice(connection.capabilities)) throw new AppError('ERR_WAPP_NOT_OFFERED')
    await takeUp(parts, session, connection, query)
    return after(id, async () => {
      await ask(id)
      await change(parts, tx =>
        writeLog(tx, { action: `connection.${action}`, userId: session.viewer.id, whatsappId: id }),
      )
    })
  }
  const pair = async ({ session, query = {} }: CommandCall, id: number, phone: string) => {
    if (!isPairPhone(phone)) throw createFieldError('phone', 'call.pairPhone')
    const connection = await one(id)
    if (!connection.capabilities.pair.includes('code')) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
    if (connection.status === 'CONNECTED') throw new AppError('ERR_WAPP_NOT_OFFERED')
    await takeUp(parts, session, connection, query)
    const paircode = await supervisor.pair(id, phone)
    await change(parts, tx => writeLog(tx, { action: 'connection.pair', userId: session.viewer.id, whatsappId: id }))
    return { paircode }
  }
  /** The code that is shown; its owner is asked for a new one only where the present one has run out (decisions-2 §22). */
  const newestQr = async (id: number) => {
    const known = await one(id)
    if (!known.capabilities.pair.includes('qr')) throw new AppError('ERR_WAPP_NOT_OFFERED')
    if (isRestored(known)) throw new AppError('ERR_WAPP_RESTORED')
    const { status, qrcode, qrExpiresAt } = hasRunOut(known) ? await after(id, supervisor.start) : known
    return { status, qrcode, qrExpiresAt }
  }
  return [
    serveRead('GET /whatsapp', async ({ session }) => {
      const all = await loadConnections(db)
      return session.viewer.profile === 'admin' ? all.map(each => withAddress(parts, each)) : all.map(toConnectionBrief)
    }),
    serve('GET /whatsapp/:id', ({ params }) => one(idIn(params))),
    serve('GET /whatsapp/:id/health', async ({ params }) =>
      loadConnectionHealth(db, parts.config, await one(idIn(params))),
    ),
    serve('POST /whatsapp', ({ session, body }) => addConnection(parts, session, body)),
    serve('PUT /whatsapp/:id', ({ session, params, body }) => editConnection(parts, session, idIn(params), body)),
    serve('DELETE /whatsapp/:id', ({ session, params, query }) =>
      deleteConnection(parts, session, idIn(params), query.force === 'true', endSends),
    ),
    serve('PUT /whatsapp/:id/news', ({ params }) =>
      after(idIn(params), id => change(parts, tx => markNewsSeen(tx, id))),
    ),
    serve('POST /whatsappsession/:id', call => command(call, idIn(call.params), 'start', supervisor.start)),
    serve('PUT /whatsappsession/:id', call => command(call, idIn(call.params), 'recreate', supervisor.recreate)),
    serve('DELETE /whatsappsession/:id', call => command(call, idIn(call.params), 'disconnect', supervisor.logout)),
    serve('POST /whatsapp/restart/', call => command(call, call.body.whatsappId, 'restart', supervisor.restart)),
    serve('DELETE /whatsapp/recreate/:id', call => command(call, idIn(call.params), 'recreate', supervisor.recreate)),
    serve('POST /whatsapp/pair/:id', call => pair(call, idIn(call.params), call.body.phone)),
    serve('GET /whatsapp/meow/qr/:id', ({ params }) => newestQr(idIn(params))),
    serve('POST /whatsapp/meow/pair/:id', call => pair(call, idIn(call.params), call.body.phone)),
  ]
}

interface CommandCall {
  readonly session: Session
  readonly query?: { readonly oldServerIsOff?: string | undefined }
}

/**
 * A connection that came back from a backup waits until somebody says that the desk it comes from is off for good: two servers on one
 * pairing make WhatsApp log both out. Throws `ERR_WAPP_RESTORED`.
 */
async function takeUp(
  parts: Parts,
  { viewer }: Session,
  connection: Connection,
  { oldServerIsOff }: NonNullable<CommandCall['query']>,
): Promise<void> {
  if (!isRestored(connection)) return
  if (oldServerIsOff !== 'true') throw new AppError('ERR_WAPP_RESTORED')
  const { id } = connection
  await change(parts, async tx => {
    await getSql(tx)`
      update whatsapp set trouble = null, version = version + 1 where id = ${id} and trouble ->> 'reason' = 'restored'`
    await writeLog(tx, { action: 'connection.takeUp', userId: viewer.id, whatsappId: id })
    await publishConnectionEvents(tx, [id], 'update')
  })
}

function hasRunOut({ status, qrcode, qrExpiresAt }: Connection): boolean {
  if (status === 'qrcode') return qrcode === null || (qrExpiresAt !== null && Date.parse(qrExpiresAt) <= Date.now())
  return status === 'DISCONNECTED' || status === 'LOGGEDOUT' || status === 'TIMEOUT'
}

/** Meta needs the whole address of the webhook, as it is reached from outside. */
function withAddress({ config }: Parts, connection: Connection): Connection {
  const { webhookUrl } = connection
  return { ...connection, webhookUrl: webhookUrl && config.publicUrl ? config.publicUrl + webhookUrl : webhookUrl }
}
