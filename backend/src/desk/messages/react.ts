// Reacting with one emoji; an empty one takes it back.
import { getCapabilities, type Message } from '@balcao/contract'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { changeMessage } from './change.ts'
import { enqueueOperation, toMessageRef } from './enqueue.ts'
import { lockMessage } from './lock-message.ts'

/** The company has one reaction a message, whoever of the team gave it. Throws `ERR_SENDING_WAPP_MSG`, `ERR_VALIDATION`. */
export async function reactToMessage(parts: Parts, session: Session, id: number, emoji: string): Promise<Message> {
  if (emoji !== '' && !/^\p{RGI_Emoji}$/v.test(emoji)) throw createFieldError('emoji', 'call.emoji')
  return change(parts, async tx => {
    const message = await lockMessage(tx, session, id)
    const ref = toMessageRef(message)
    const canReact = getCapabilities(message.api).react && !message.isStranded
    if (message.isDeleted || !ref || !canReact || message.ticket.status !== 'open')
      throw new AppError('ERR_SENDING_WAPP_MSG')
    await enqueueOperation(tx, message.route, id, { type: 'reaction', ref, emoji })
    const others = message.reactions.filter(reaction => !reaction.fromMe)
    const reactions = [...others, { by: session.name, fromMe: true, emoji, at: Date.now() }]
    return changeMessage(tx, session, id, { reactions })
  })
}
