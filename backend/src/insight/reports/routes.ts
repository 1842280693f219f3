import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import { requestReport } from './ask.ts'

export function reportRoutes(parts: Parts): Route[] {
  return [
    serve('POST /report/ticket', call => requestReport(parts, call.session, 'ticket', call.body, call.query.preview)),
    serve('POST /report/contact', call => requestReport(parts, call.session, 'contact', call.body, call.query.preview)),
    serve('POST /report/queue', call => requestReport(parts, call.session, 'queue', call.body, call.query.preview)),
    serve('POST /report/user', call => requestReport(parts, call.session, 'user', call.body, call.query.preview)),
    serve('POST /report/message', call => requestReport(parts, call.session, 'message', call.body, call.query.preview)),
  ]
}
