// Message templates of the official API: listed for a ticket's connection, sent also outside the 24 hours.
import type { AnswerOf, Message } from '@balcao/contract'
import { Type } from '@balcao/contract/schema'
import type { Static } from 'typebox'
import { AppError } from '../http/errors.ts'
import { checkerOf } from '../http/validate.ts'
import { change, type Parts } from '../parts.ts'
import type { Session } from '../sessions/authenticate.ts'
import { getTicket } from '../tickets/get.ts'
import { lockTicket } from '../tickets/lock.ts'
import { ticketEvents } from '../tickets/present.ts'
import { appendMessage } from './append.ts'
import { handOver } from './hand-over.ts'
import { messageEvents } from './present.ts'

/** A template as listed; `parameters` are the components of the sending with their values, in Meta's own form. */
const ChosenTemplate = Type.Object({
  id: Type.Optional(Type.String({ maxLength: 100 })),
  name: Type.String({ minLength: 1, maxLength: 512 }),
  language: Type.String({ minLength: 2, maxLength: 20 }),
  components: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 30 })),
  parameters: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 30 })),
})
const checkTemplate = checkerOf(ChosenTemplate)

/** Approved templates; none and the reason where the connection has none to offer. */
export async function listTemplates(
  parts: Parts,
  session: Session,
  ticketId: number,
): Promise<AnswerOf<'GET /meta/templates/:ticketId'>> {
  const { whatsapp } = await getTicket(parts.db, session, ticketId)
  if (whatsapp.api !== 'cloud_api') return { templates: [], reason: 'not_supported' }
  try {
    return { templates: [...(await parts.supervisor.templates(whatsapp.id))], reason: null }
  } catch (error) {
    parts.log.warn({ err: error, whatsappId: whatsapp.id }, 'templates could not be listed')
    return { templates: [], reason: 'unavailable' }
  }
}

/** Sends a template in an open ticket. Throws `ERR_VALIDATION`, `ERR_SENDING_WAPP_MSG` (spec 1 §7). */
export async function sendTemplate(parts: Parts, session: Session, ticketId: number, given: unknown): Promise<Message> {
  const template = checkTemplate(given)
  const { whatsapp } = await getTicket(parts.db, session, ticketId)
  if (whatsapp.api !== 'cloud_api') throw new AppError('ERR_SENDING_WAPP_MSG')
  return change(parts, async tx => {
    const ticket = await lockTicket(tx, session, ticketId)
    if (ticket.status !== 'open') throw new AppError('ERR_SENDING_WAPP_MSG', { status: ticket.status })
    const { id, name, language, components = [], parameters = [] } = template
    const messageId = await appendMessage(tx, {
      ticketId,
      body: textOf(template),
      mediaType: 'template',
      state: 'queued',
      userId: session.viewer.id,
      templateData: { id: id ?? name, components },
    })
    const { whatsappId, contactId } = ticket
    const payload = { type: 'template', name, lang: language, components: parameters } as const
    await handOver(tx, { whatsappId, contactId, messageId, operation: 'message', payload })
    await ticketEvents(tx, [{ ticketId, action: 'update' }])
    const [message] = await messageEvents(tx, [messageId], 'create')
    if (!message) throw new AppError('ERR_CREATING_MESSAGE')
    return message
  })
}

/** The words of a template, for lists and search. */
function textOf({ name, components = [] }: Static<typeof ChosenTemplate>): string {
  const body = components.find(
    (each): each is { text: string } =>
      each !== null &&
      typeof each === 'object' &&
      'type' in each &&
      String(each.type).toUpperCase() === 'BODY' &&
      'text' in each &&
      typeof each.text === 'string',
  )
  return body?.text ?? name
}
