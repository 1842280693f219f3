// Who sees a protocol: whoever may see its ticket, and who gave it (decisions-2 §22).
import type { AccessSettings, Viewer } from '@balcao/contract'
import type postgres from 'postgres'
import { type SqlFragment, visibleTicketsSql } from './visible-tickets.ts'

/** A condition that holds for the protocols a viewer may see; `p` is the protocol, `t` its ticket. */
export function visibleProtocolsSql(sql: postgres.Sql, viewer: Viewer, settings: AccessSettings): SqlFragment {
  return sql`(p.user_id = ${viewer.id} or ${visibleTicketsSql(sql, viewer, settings)})`
}
