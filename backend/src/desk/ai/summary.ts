// A ticket in a few lines (spec 1 §7: POST /tickets/ai/resume/{id}).
import type { Language } from '@balcao/contract'
import { AppError, createFieldError } from '../../platform/http/errors.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { watchSession } from '../../policy/sessions/watch.ts'
import { getTicket } from '../tickets/get.ts'
import { toLogReferences } from '../tickets/lock.ts'
import { AiError, completeChat } from './client.ts'
import { readConversation } from './conversation.ts'
import { createFence } from './fence.ts'
import { countAiUse } from './usage.ts'

/** Throws `ERR_NO_AI_KEY`, `ERR_AI_FAILED`, `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`. */
export async function summarise(
  parts: Parts,
  session: Session,
  ticketId: number,
  language: Language,
): Promise<{ resume: string }> {
  const { ai } = parts.config
  const ticket = await getTicket(parts.db, session, ticketId)
  if (!ai) throw new AppError('ERR_NO_AI_KEY')
  const text = await readConversation(parts.db, ticketId)
  if (text === '') throw createFieldError('id', 'call.noMessages')

  const { guard, enclose } = createFence()
  const running = new AbortController()
  const unwatch = watchSession(parts, session, running)
  const { text: resume, use } = await completeChat(
    ai,
    guard(INSTRUCTIONS[language]),
    enclose('conversation', text),
    running.signal,
  )
    .catch((error: unknown) => {
      if (!(error instanceof AiError)) throw error
      parts.log.warn({ status: error.status, ticketId }, 'a summary was not made')
      throw new AppError('ERR_AI_FAILED')
    })
    .finally(unwatch)
  const by = { userId: session.viewer.id, ...toLogReferences(ticket) }
  await change(parts, async tx => {
    await writeLog(tx, { action: 'ticket.summarise', ...by })
    await countAiUse(tx, use)
  })
  return { resume }
}

const INSTRUCTIONS: Record<Language, string> = {
  pt: 'Você resume atendimentos de uma empresa para o colega que vai continuar. Responda em português do Brasil, em texto simples, com no máximo 120 palavras: o que o cliente quer, o que já foi feito e combinado, e o que falta. Não invente nada.',
  en: 'You summarise customer-service conversations for the colleague who takes over. Answer in English, in plain text, in at most 120 words: what the customer wants, what was done and agreed, and what is still to do. Invent nothing.',
  es: 'Resume atenciones de una empresa para el colega que va a continuar. Responda en español, en texto simple, con un máximo de 120 palabras: qué quiere el cliente, qué se hizo y acordó, y qué falta. No invente nada.',
}
