import { MB } from '@balcao/contract'
import { type FormCall, readForm } from '../../desk/media/form.ts'
import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { changeScheduleState } from './change-state.ts'
import { readScheduleForm, type ScheduleInput } from './form.ts'
import { hideRecipients } from './hidden-recipients.ts'
import { countRecipients, getSchedule, listScheduleLogs, listSchedules, listTicketLogs } from './list.ts'
import { countConnectionSchedules } from './orphaned.ts'
import { addSchedule, deleteSchedule, editSchedule, removeScheduleFile } from './save.ts'

const FORM_LIMIT = 25 * MB

export function scheduleRoutes(parts: Parts): Route[] {
  const { db } = parts
  const idIn = (params: { readonly id: string }) => parseId(params.id, 'ERR_NO_SCHEDULE_FOUND')
  const readSchedule = <T>(call: FormCall<Session>, work: (form: ScheduleInput, session: Session) => Promise<T>) =>
    readForm(parts, call, (form, session) => work(readScheduleForm(form), session), FORM_LIMIT)
  return [
    serve('GET /agendamento', async ({ session, query }) => {
      const { agendamentos, ...page } = await listSchedules(db, session, query)
      return { agendamentos: agendamentos.map(schedule => hideRecipients(session, schedule)), ...page }
    }),
    serve('GET /agendamento/count', ({ session, query }) => countRecipients(db, session, query)),
    serve('GET /agendamento/logs/ticket/:ticketId', ({ session, params }) =>
      listTicketLogs(db, session, parseId(params.ticketId, 'ERR_NO_TICKET_FOUND')),
    ),
    serve('GET /agendamento/logs/:id', ({ session, params, query }) =>
      listScheduleLogs(db, session, idIn(params), query),
    ),
    serve('GET /whatsapp/:id/schedules', ({ params }) =>
      countConnectionSchedules(db, parseId(params.id, 'ERR_NO_WAPP_FOUND')),
    ),
    serve('GET /agendamento/:id', async ({ session, params }) =>
      hideRecipients(session, await getSchedule(db, session, idIn(params))),
    ),
    serve('POST /agendamento', call =>
      readSchedule(call, async (form, session) => hideRecipients(session, await addSchedule(parts, session, form))),
    ),
    serve('PUT /agendamento/:id', call =>
      readSchedule(call, (form, session) => editSchedule(parts, session, idIn(call.params), form)),
    ),
    serve('PUT /agendamento/:id/pause', async ({ session, params }) =>
      hideRecipients(session, await changeScheduleState(parts, session, idIn(params), 'pause')),
    ),
    serve('PUT /agendamento/:id/resume', async ({ session, params }) =>
      hideRecipients(session, await changeScheduleState(parts, session, idIn(params), 'resume')),
    ),
    serve('PUT /agendamento/:id/cancel', async ({ session, params }) =>
      hideRecipients(session, await changeScheduleState(parts, session, idIn(params), 'cancel')),
    ),
    serve('DELETE /agendamento/file/:id', ({ session, params }) => removeScheduleFile(parts, session, idIn(params))),
    serve('DELETE /agendamento/:id', ({ session, params }) => deleteSchedule(parts, session, idIn(params))),
  ]
}
