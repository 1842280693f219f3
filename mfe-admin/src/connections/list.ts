// The connections on the screen, in the order of the server.
import type { Connection, NamedLiveEvent } from '@balcao/contract'
import type { RowChange } from '@balcao/ui/rows'

/** The default first, then by name. */
export function compareConnections(one: Connection, other: Connection) {
  const byName = one.name.localeCompare(other.name, 'pt-BR', { numeric: true })
  return Number(other.isDefault) - Number(one.isDefault) || byName || one.id - other.id
}

/** Live events carry no address or only its path, for the rest is the server's public one; the whole one stays once known. */
export function withAddress(connection: Connection, known: Connection | undefined): Connection {
  const whole = known?.webhookUrl?.startsWith('http') && !connection.webhookUrl?.startsWith('http')
  return whole && known ? { ...connection, webhookUrl: known.webhookUrl } : connection
}

/** What an event changes; the brief connection that other profiles get is not enough for this page and changes nothing. */
export function toRowChange(
  event: NamedLiveEvent<'whatsapp'> | NamedLiveEvent<'whatsappSession'>,
): RowChange<Connection> | null {
  if (event.action === 'delete') return { gone: event.whatsappId, version: event.version }
  const row = event.event === 'whatsappSession' ? event.session : event.whatsapp
  return isFullConnection(row) ? { put: row, isNew: event.action === 'create' } : null
}

export function isFullConnection(connection: object): connection is Connection {
  return 'capabilities' in connection && 'version' in connection
}

/** Whether a connection needs a person: everything but connected and being connected right now. */
export function isAttentionNeeded({ status, trouble }: Pick<Connection, 'status' | 'trouble'>): boolean {
  if (status === 'CONNECTED') return false
  if (status === 'OPENING') return trouble !== null && trouble.next !== 'retry'
  return true
}
