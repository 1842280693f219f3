// The connections on the screen: a pure list that takes live events by version, so a repeat or a late one changes nothing.
import type { Connection, LiveEventOf } from '@balcao/contract'
import { Feed } from '@balcao/ui/rows'

/** Live events that touch a connection. */
export type ConnectionEvent = LiveEventOf<'whatsapp'> | LiveEventOf<'whatsappSession'>

/** Past this many, cards give way to the dense table (look §11). */
export const CARDS_AT_MOST = 8

/** What changes the list: an event of the live line, or an answer to what was done here. */
export type ConnectionChange = ConnectionEvent | { readonly saved: Connection }

export function connectionsFeed() {
  return new Feed<readonly Connection[], ConnectionChange>(
    [],
    (list, change) => ('saved' in change ? withConnection(list, change.saved) : afterEvent(list, change)),
    change => {
      if ('saved' in change) return { id: change.saved.id, version: change.saved.version, gone: false }
      if (change.action === 'delete') return { id: change.whatsappId, version: change.version, gone: true }
      return { id: rowOf(change).id, version: change.version, gone: false }
    },
  )
}

/** The list after one live event. The brief connection that other profiles get is not enough for this page and is left out. */
export function afterEvent(list: readonly Connection[], event: ConnectionEvent): readonly Connection[] {
  if (event.action === 'delete') return list.filter(connection => connection.id !== event.whatsappId)
  const changed = rowOf(event)
  return isWhole(changed) ? withConnection(list, changed) : list
}

/** The connection an event tells of, brief or whole. */
export function rowOf(event: Exclude<ConnectionEvent, { readonly action: 'delete' }>) {
  return event.event === 'whatsappSession' ? event.session : event.whatsapp
}

/** The list with this connection put in or replaced, unless a newer one is already there. */
export function withConnection(list: readonly Connection[], changed: Connection): readonly Connection[] {
  const known = list.find(connection => connection.id === changed.id)
  if (known && known.version > changed.version) return list
  return inOrder([...list.filter(connection => connection.id !== changed.id), withAddress(changed, known)])
}

/** Afresh from the server; what live events brought meanwhile stays where it is newer. */
export function merged(list: readonly Connection[], fetched: readonly Connection[]): readonly Connection[] {
  const byId = new Map(list.map(connection => [connection.id, connection]))
  return inOrder(
    fetched.map(connection => {
      const known = byId.get(connection.id)
      return known && known.version > connection.version ? withAddress(known, connection) : connection
    }),
  )
}

/** Live events carry no address or only its path, for the rest is the server's public one; the whole one stays once known. */
function withAddress(connection: Connection, other: Connection | undefined): Connection {
  const whole = other?.webhookUrl?.startsWith('http') && !connection.webhookUrl?.startsWith('http')
  return whole && other ? { ...connection, webhookUrl: other.webhookUrl } : connection
}

/** The default first, then by name. */
export function inOrder(list: readonly Connection[]): readonly Connection[] {
  return [...list].sort(
    (one, other) =>
      Number(other.isDefault) - Number(one.isDefault) || one.name.localeCompare(other.name, 'pt-BR', { numeric: true }),
  )
}

/** Whether a connection needs a person: everything but connected and being connected right now. */
export function needsSomeone({ status, trouble }: Pick<Connection, 'status' | 'trouble'>): boolean {
  if (status === 'CONNECTED') return false
  if (status === 'OPENING') return trouble !== null && trouble.next !== 'retry'
  return true
}

export function isWhole(connection: object): connection is Connection {
  return 'capabilities' in connection && 'version' in connection
}
