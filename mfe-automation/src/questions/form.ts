// The form of a question (spec 3 §2, §5): what stands in it, and the body that is sent.
import type { Question } from '@balcao/contract'

export interface QuestionFields {
  readonly pergunta: string
  readonly resposta: string
  readonly queueId: number | null
  readonly openTicket: boolean
}

export function toFields(question: Question | null): QuestionFields {
  const { pergunta = '', resposta = '', queueId = null, openTicket = false } = question ?? {}
  return { pergunta, resposta, queueId, openTicket }
}
