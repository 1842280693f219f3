// Pausing needs a reason the list can show (spec 1 §5 "Pause").
import type { Ticket } from '@balcao/contract'
import { AppError } from '../http/errors.ts'
import { appendMessage } from '../messages/append.ts'
import type { Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { changeTicket, checkTransition } from './change.ts'

/** open → paused with a tag; the message, if any, stays inside as a comment. Throws `ERR_VALIDATION`, `ERR_INVALID_TRANSITION`. */
export async function pauseTicket(
  parts: Parts,
  session: Session,
  id: number,
  given: { pauseTag?: string | null | undefined; pauseMessage?: string | null | undefined },
): Promise<Ticket> {
  const pauseTag = given.pauseTag?.trim() ?? ''
  const comment = given.pauseMessage?.trim() ?? ''
  if (pauseTag === '')
    throw new AppError('ERR_VALIDATION', [
      { path: 'pauseTag', message: 'Preencha todos os campos para pausar esse atendimento' },
    ])
  return changeTicket(parts, session, id, ticket => {
    checkTransition(ticket, 'pause')
    return {
      patch: { status: 'paused', pauseTag },
      line: {
        code: 'paused',
        text: `${session.name} pausou o atendimento: ${pauseTag}`,
        params: { user: session.name, tag: pauseTag },
      },
      log: 'Atendimento pausado',
      also: async tx => {
        if (comment === '') return []
        const row = { ticketId: id, body: comment, mediaType: 'comment', state: 'sent' } as const
        return [await appendMessage(tx, { ...row, userId: session.viewer.id })]
      },
    }
  })
}
