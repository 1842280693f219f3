import type { Endpoint } from '../kit/endpoint.ts'
import { LANGUAGES } from '../kit/language.ts'
import { StringEnum, Type } from '../kit/schema.ts'
import { Message } from '../messages/message.ts'

/** What an OpenAI-compatible endpoint does for the desk (decisions §7). Without a key all of it answers `ERR_NO_AI_KEY`. */
export const aiEndpoints = {
  'GET /ai': {
    summary: 'Whether an AI key is configured: the desk then offers summaries and transcriptions',
    answer: Type.Object({ enabled: Type.Boolean() }),
  },
  'POST /tickets/ai/resume/:id': {
    summary: 'A summary of a ticket, written by the AI in the language asked for',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_AI_KEY', 'ERR_AI_FAILED'],
    query: Type.Object({ language: Type.Optional(StringEnum(LANGUAGES)) }),
    answer: Type.Object({ resume: Type.String() }),
  },
  'POST /messages/transcribe/:id': {
    summary: 'Write a recording out; the text arrives as an update of the message',
    errors: ['ERR_NO_MESSAGE_FOUND', 'ERR_NO_AI_KEY', 'ERR_FETCH_WAPP_MSG'],
    answer: Message,
    status: 202,
  },
} as const satisfies Record<string, Endpoint>
