// Every call this page makes, under the name of what it does.
import type { Connection } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { bodyOf, editBodyOf, type Fields } from './form.ts'
import { isWhole } from './list.ts'

/** All connections, whole; for admins the server sends no others. */
export async function fetchConnections(signal?: AbortSignal): Promise<Connection[]> {
  const found = await api('GET /whatsapp', { signal })
  return found.filter(isWhole)
}

export function fetchQueues(signal?: AbortSignal) {
  return api('GET /queue', { signal })
}

export function addConnection(fields: Fields) {
  return api('POST /whatsapp', { body: bodyOf(fields, false) })
}

export function changeConnection(id: number, fields: Fields) {
  return api('PUT /whatsapp/:id', { params: { id }, body: editBodyOf(fields) })
}

/** Throws `ERR_WAPP_HAS_LIVE_TICKETS` unless forced. */
export function deleteConnection(id: number, force: boolean) {
  return api('DELETE /whatsapp/:id', { params: { id }, query: force ? { force: 'true' } : {} })
}

/** Starts the session; a QR code follows where one is needed. */
export function startSession(id: number) {
  return api('POST /whatsappsession/:id', { params: { id } })
}

/** Forgets the pairing; a new QR code follows. */
export function startAfresh(id: number) {
  return api('PUT /whatsappsession/:id', { params: { id } })
}

/** Logs the phone out. */
export function endSession(id: number) {
  return api('DELETE /whatsappsession/:id', { params: { id } })
}

/** Restarts without forgetting the pairing. */
export function restartSession(id: number) {
  return api('POST /whatsapp/restart/', { body: { whatsappId: id } })
}

/** The code to be typed on the phone. `phone` is digits only. */
export async function askPairCode(id: number, phone: string) {
  const { paircode } = await api('POST /whatsapp/pair/:id', { params: { id }, body: { phone } })
  return paircode
}

/** The catalogue code of a refusal, or null. */
export function codeOf(error: unknown) {
  return isApiError(error) ? error.code : null
}
