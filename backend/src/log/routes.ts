import { sqlOf } from '../database/raw.ts'
import { type Route, serve } from '../http/serve.ts'
import type { Parts } from '../parts.ts'

export function logRoutes({ db }: Parts): Route[] {
  return [
    serve('POST /log', async ({ session, body }) => {
      const { descricao, origem, ticketId } = reported(body.log)
      const [row] = await sqlOf(db)<{ id: string }[]>`
        insert into log_entry (descricao, origem, user_id, ticket_id, reported)
        values (${descricao}, ${origem}, ${session.viewer.id}, ${ticketId}, true) returning id`
      return { id: Number(row?.id), descricao, origem, userId: session.viewer.id, ticketId, reported: true }
    }),
  ]
}

/** What a client says it did: kept as said, marked as such, and never more than two short texts and a number. */
function reported(log: unknown): { descricao: string; origem: string; ticketId: number | null } {
  const given = log !== null && typeof log === 'object' ? log : {}
  const text = (key: string) => {
    const value: unknown = Reflect.get(given, key)
    return typeof value === 'string' ? value.slice(0, 500) : ''
  }
  const ticketId: unknown = Reflect.get(given, 'ticketId')
  const isId = typeof ticketId === 'number' && Number.isInteger(ticketId) && ticketId > 0 && ticketId < 2 ** 31
  return { descricao: text('descricao'), origem: text('origem'), ticketId: isId ? ticketId : null }
}
