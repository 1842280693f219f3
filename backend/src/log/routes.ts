import { sqlOf } from '../database/raw.ts'
import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'

const LONGEST = 500

export function logRoutes({ db }: Parts): Route[] {
  return [
    serve('POST /log', async ({ session, body: { log } }) => {
      const { ticketId = null, contactId = null, queueId = null, whatsappId = null, messageId = null } = log
      const descricao = log.descricao?.slice(0, LONGEST) ?? ''
      const origem = log.origem?.slice(0, LONGEST) ?? ''
      const userId = session.viewer.id
      const [row] = await sqlOf(db)<{ id: string }[]>`
        insert into log_entry (descricao, origem, user_id, ticket_id, contact_id, queue_id, whatsapp_id, message_id, reported)
        values (${descricao}, ${origem}, ${userId}, ${ticketId}, ${contactId}, ${queueId}, ${whatsappId}, ${messageId}, true)
        returning id`
      const refs = { ticketId, contactId, queueId, whatsappId, messageId }
      return { id: Number(row?.id), descricao, origem, userId, ...refs, reported: true }
    }),
  ]
}
