// Satisfaction (decisions-2 §11): what is resolved may be rated by who was served, and stands in `nps` until then.
import { RATES } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { windowOpenSql } from '../connections/window.ts'
import type { LockedTicket } from './lock.ts'

/** How the customer is asked. */
export interface Survey {
  readonly text: string
  readonly options: readonly string[]
}

const ASK = 'De 1 a 5, que nota você dá ao nosso atendimento?'

/**
 * What the customer of a ticket is asked when it is resolved; null: nothing. Not without the connection's `nps`, in groups, of whom nothing
 * is said to by itself, within 24 hours of another survey, or where it could not be delivered.
 */
export async function loadSurvey(tx: Tx, { contactId, whatsappId, isGroup }: LockedTicket): Promise<Survey | null> {
  if (isGroup) return null
  const sql = getSql(tx)
  const [row] = await sql<{ text: string }[]>`
    select w.nps_message as text from whatsapp w join contact c on c.id = ${contactId}
      left join contact_channel h on h.whatsapp_id = w.id and h.contact_id = c.id
    where w.id = ${whatsappId} and w.nps and w.deleted_at is null and c.resposta_automatica and ${windowOpenSql(sql)}
      and not exists (select 1 from ticket t join ticket_span s on s.ticket_id = t.id
        where t.contact_id = c.id and s.status = 'nps' and s.begun_at > now() - interval '24 hours')`
  return row ? { text: row.text.trim() || ASK, options: RATES } : null
}
