import { Id, Nullable, type Static, Type } from '../kit/schema.ts'
import { QueueBrief } from '../queues/queue.ts'

/** What the bot is asked, and answers (spec 3 §3; decisions-2 §9). `order`: its number in the bot's menu. */
export const Question = Type.Object({
  id: Id,
  pergunta: Type.String(),
  resposta: Type.String(),
  queueId: Nullable(Id),
  queue: Nullable(QueueBrief),
  openTicket: Type.Boolean({ description: 'whoever chooses it is served by people then' }),
  order: Type.Integer({ description: 'its number, from 1' }),
  version: Type.Integer(),
})
export type Question = Static<typeof Question>
