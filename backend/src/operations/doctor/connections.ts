// Every connection: whether it runs, and what is known against what it runs with. Each has a doctor of its own for the rest.

import { describeLibrary } from '../../desk/connections/library.ts'
import { loadConnections } from '../../desk/connections/present.ts'
import { getSql } from '../../platform/database/raw.ts'
import type { CheckContext, CheckFinding } from './checks.ts'

/** Refused webhooks in a day that are more than somebody trying. */
const MANY_REFUSED = 10

export async function checkConnections({ config, db }: CheckContext): Promise<readonly CheckFinding[]> {
  const connections = await loadConnections(db)
  const refused = await getSql(db)<{ id: number; count: number }[]>`
    select whatsapp_id as id, coalesce(sum(count), 0)::int as count from whatsapp_count
    where what = 'refused' and hour > now() - interval '24 hours' group by whatsapp_id`
  const refusedBy = new Map(refused.map(({ id, count }) => [id, count]))
  return connections.flatMap(({ id, name, api, status, trouble }) => {
    const isUp = status === 'CONNECTED'
    const about = { name, id }
    const found: CheckFinding[] = [
      isUp
        ? { code: 'connection.up', level: 'ok', params: about }
        : { code: 'connection.down', level: 'warning', params: { ...about, status, reason: trouble?.reason ?? '' } },
    ]
    const library = describeLibrary(api, config)
    if (library.known !== null)
      found.push({ code: 'connection.library', level: 'danger', params: { ...about, library: library.name } })
    const count = refusedBy.get(id) ?? 0
    if (count >= MANY_REFUSED) found.push({ code: 'connection.webhook', level: 'warning', params: { ...about, count } })
    return found
  })
}
