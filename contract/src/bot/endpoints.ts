import type { Endpoint } from '../kit/endpoint.ts'
import { ClientId, Id, IgnoredLog, Nullable, Type } from '../kit/schema.ts'
import { MOST_QUESTIONS } from './bot.ts'
import { Question } from './question.ts'

const Text = Type.String({ maxLength: 100_000 })
const QueueChoice = Type.Union([Nullable(Id), Type.String({ maxLength: 20 })], {
  description: 'its id, as a number or a text; null or empty: none',
})

/** Questions of the bot (spec 3 §2, §5, §7; decisions-2 §9). */
export const questionEndpoints = {
  'GET /pergunta': { summary: 'Questions, in the order of the bot’s menu', answer: Type.Array(Question) },
  'GET /pergunta/:id': { summary: 'One question', errors: ['ERR_NO_QUESTION_FOUND'], answer: Question },
  'POST /pergunta': {
    summary: `Add a question, behind the others; at most ${MOST_QUESTIONS}`,
    errors: ['ERR_NO_QUEUE_FOUND', 'ERR_TOO_MANY_QUESTIONS'],
    body: Type.Object({
      pergunta: Text,
      resposta: Text,
      queueId: Type.Optional(QueueChoice),
      openTicket: Type.Optional(Type.Boolean()),
      clientId: ClientId,
      log: IgnoredLog,
    }),
    answer: Question,
    status: 201,
  },
  'PUT /pergunta/:id': {
    summary: 'Change a question; what is left out stays',
    errors: ['ERR_NO_QUESTION_FOUND', 'ERR_NO_QUEUE_FOUND', 'ERR_CHANGED_MEANWHILE'],
    body: Type.Object({
      pergunta: Type.Optional(Text),
      resposta: Type.Optional(Text),
      queueId: Type.Optional(QueueChoice),
      openTicket: Type.Optional(Type.Boolean()),
      log: IgnoredLog,
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'what the change began from' })),
    }),
    answer: Question,
  },
  'PUT /pergunta/order': {
    summary: 'Put the questions in this order; those that are not named come behind them, as they were',
    errors: ['ERR_NO_QUESTION_FOUND'],
    body: Type.Object({ ids: Type.Array(Id, { maxItems: 1000 }), log: IgnoredLog }),
    answer: Type.Array(Question),
  },
  'DELETE /pergunta/:id': {
    summary: 'Delete a question',
    errors: ['ERR_NO_QUESTION_FOUND'],
    status: 204,
  },
} as const satisfies Record<string, Endpoint>
