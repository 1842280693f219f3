import type { Endpoint } from '../kit/endpoint.ts'
import { LANGUAGES } from '../kit/language.ts'
import { Id, StringEnum, Type } from '../kit/schema.ts'
import { Message } from '../messages/message.ts'

/** Most characters of a text that is written anew or translated: WhatsApp takes no longer message. */
const MOST_TEXT = 4096

const language = StringEnum(LANGUAGES)

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
  'POST /tickets/ai/assist/:id': {
    summary:
      'A draft by the AI, as it is written: an answer to the customer, a text in other words, a message in another language',
    description:
      'The answer is a stream of plain text (UTF-8); it breaks off where the AI does. Closing the connection ends it. Nothing is sent or stored. A person has twenty requests a minute.',
    errors: ['ERR_NO_TICKET_FOUND', 'ERR_NO_MESSAGE_FOUND', 'ERR_NO_AI_KEY', 'ERR_AI_FAILED', 'ERR_TOO_MANY_ATTEMPTS'],
    body: Type.Union([
      Type.Object({ task: Type.Literal('answer'), language }),
      Type.Object({
        task: StringEnum(['formal', 'shorter', 'spelling']),
        text: Type.String({ maxLength: MOST_TEXT }),
      }),
      Type.Object({ task: Type.Literal('translateDraft'), text: Type.String({ maxLength: MOST_TEXT }), language }),
      Type.Object({ task: Type.Literal('translate'), messageId: Id, language }),
    ]),
    streams: true,
  },
  'POST /messages/transcribe/:id': {
    summary: 'Write a recording out; the text arrives as an update of the message',
    errors: ['ERR_NO_MESSAGE_FOUND', 'ERR_NO_AI_KEY', 'ERR_FETCH_WAPP_MSG'],
    answer: Message,
    status: 202,
  },
} as const satisfies Record<string, Endpoint>
