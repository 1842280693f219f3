import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { assist } from './assist.ts'
import { createAiPace } from './pace.ts'
import { summarise } from './summary.ts'
import { requestTranscription } from './transcription.ts'

export function aiRoutes(parts: Parts): Route[] {
  const pace = createAiPace()
  return [
    serve('GET /ai', () => ({ enabled: parts.config.ai !== null })),
    serve('POST /tickets/ai/assist/:id', ({ session, params, body, request }) =>
      assist(parts, pace, session, parseId(params.id, 'ERR_NO_TICKET_FOUND'), body, request.signal),
    ),
    serve('POST /tickets/ai/resume/:id', ({ session, params, query }) =>
      summarise(parts, session, parseId(params.id, 'ERR_NO_TICKET_FOUND'), query.language ?? 'pt'),
    ),
    serve('POST /messages/transcribe/:id', ({ session, params }) =>
      requestTranscription(parts, session, parseId(params.id, 'ERR_NO_MESSAGE_FOUND', Number.MAX_SAFE_INTEGER)),
    ),
  ]
}
