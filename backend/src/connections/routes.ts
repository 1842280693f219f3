import { type Connection, isLinkedDevice, pairPhoneProblem } from '@balcao/contract'
import { AppError, wrongField } from '../http/errors.ts'
import { type Route, serve } from '../http/serve.ts'
import { idOf } from '../http/validate.ts'
import { change, type Parts } from '../parts.ts'
import { schedulesBy } from '../schedules/lost.ts'
import { deleteConnection } from './delete.ts'
import { healthOf } from './health.ts'
import { seeNews } from './news.ts'
import { briefOf, loadConnections } from './present.ts'
import { addConnection, editConnection } from './save.ts'

export function connectionRoutes(parts: Parts): Route[] {
  const { db, supervisor } = parts
  const one = async (id: number): Promise<Connection> => {
    const [connection] = await loadConnections(db, [id])
    if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
    return withAddress(parts, connection)
  }
  const idIn = (params: { readonly id: string }) => idOf(params.id, 'ERR_NO_WAPP_FOUND')
  /** Asks the supervisor for something about a connection that exists, and answers the connection as it then is. */
  const after = async (id: number, ask: (id: number) => Promise<void>): Promise<Connection> => {
    await one(id)
    await ask(id)
    return one(id)
  }
  /** The same of what only a device linked to a phone can. */
  const linked = async (id: number, ask: (id: number) => Promise<void>): Promise<Connection> => {
    const { capabilities } = await one(id)
    if (!isLinkedDevice(capabilities)) throw new AppError('ERR_WAPP_NOT_OFFERED')
    return after(id, ask)
  }
  const pair = async (id: number, phone: string) => {
    const digits = phone.replace(/\D/g, '')
    const problem = pairPhoneProblem(digits)
    if (problem) throw wrongField('phone', problem)
    const { capabilities, status } = await one(id)
    if (!capabilities.pair.includes('code')) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
    if (status === 'CONNECTED') throw new AppError('ERR_WAPP_NOT_OFFERED')
    return { paircode: await supervisor.pair(id, digits) }
  }
  /** The code that is shown; its owner is asked for a new one only where the present one has run out (decisions-2 §22). */
  const newestQr = async (id: number) => {
    const known = await one(id)
    if (!known.capabilities.pair.includes('qr')) throw new AppError('ERR_WAPP_NOT_OFFERED')
    const { status, qrcode, qrExpiresAt } = hasRunOut(known) ? await after(id, supervisor.start) : known
    return { status, qrcode, qrExpiresAt }
  }
  return [
    serve('GET /whatsapp', async ({ session }) => {
      const all = await loadConnections(db)
      return session.viewer.profile === 'admin' ? all.map(each => withAddress(parts, each)) : all.map(briefOf)
    }),
    serve('GET /whatsapp/:id', ({ params }) => one(idIn(params))),
    serve('GET /whatsapp/:id/health', async ({ params }) => healthOf(db, parts.config, await one(idIn(params)))),
    serve('POST /whatsapp', ({ session, body }) => addConnection(parts, session, body)),
    serve('PUT /whatsapp/:id', ({ session, params, body }) => editConnection(parts, session, idIn(params), body)),
    serve('DELETE /whatsapp/:id', ({ session, params, query }) =>
      deleteConnection(parts, session, idIn(params), query.force === 'true'),
    ),
    serve('GET /whatsapp/:id/schedules', ({ params }) => schedulesBy(db, idIn(params))),
    serve('PUT /whatsapp/:id/news', ({ params }) => after(idIn(params), id => change(parts, tx => seeNews(tx, id)))),
    serve('POST /whatsappsession/:id', ({ params }) => after(idIn(params), id => supervisor.start(id))),
    serve('PUT /whatsappsession/:id', ({ params }) => linked(idIn(params), id => supervisor.recreate(id))),
    serve('DELETE /whatsappsession/:id', ({ params }) => linked(idIn(params), id => supervisor.logout(id))),
    serve('POST /whatsapp/restart/', ({ body }) => after(body.whatsappId, id => supervisor.restart(id))),
    serve('DELETE /whatsapp/recreate/:id', ({ params }) => linked(idIn(params), id => supervisor.recreate(id))),
    serve('POST /whatsapp/pair/:id', ({ params, body }) => pair(idIn(params), body.phone)),
    serve('GET /whatsapp/meow/qr/:id', ({ params }) => newestQr(idIn(params))),
    serve('POST /whatsapp/meow/pair/:id', ({ params, body }) => pair(idIn(params), body.phone)),
  ]
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
