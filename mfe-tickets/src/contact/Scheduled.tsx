// What is scheduled for this contact, for who may see it; a click opens it to be changed.
import type { Schedule, Ticket } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { formatMoment, useTexts } from '@balcao/ui/i18n'
import { combineStops, live } from '@balcao/ui/live'
import { Button } from '@balcao/ui/parts'
import { CalendarClock } from 'lucide-react'
import { useEffect } from 'react'
import { schedule } from '../actions/show.ts'
import { useTicketContext } from '../desk/use-ticket-context.ts'
import { view } from '../desk/view.ts'
import { useSoon } from './use-soon.ts'

export function Scheduled({ ticket }: { readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const context = useTicketContext(ticket)
  const offered = context.offers.scheduler
  const schedules = useSchedules(ticket.contactId, offered)
  const may = schedule.when(context)
  if (!offered || (schedules.length === 0 && !may)) return null
  return (
    <section className="x-section">
      <h4>{t('drawer.scheduled')}</h4>
      <ul className="x-history">
        {schedules.map(one => (
          <li key={one.id}>
            <button
              type="button"
              onClick={() => {
                view.scheduling = { ticketId: ticket.id, scheduleId: one.id }
              }}
            >
              <span className="x-line">
                <CalendarClock size={16} strokeWidth={1.8} aria-hidden="true" />
                <span className="x-said" dir="auto">
                  {one.title || one.message}
                </span>
              </span>
              <span className="x-line m-quiet">
                {one.nextRunAt
                  ? t('drawer.nextRun', { when: formatMoment(one.nextRunAt) })
                  : t(one.enviado ? 'drawer.ran' : 'drawer.noRun')}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {may && (
        <Button icon={CalendarClock} onClick={() => void schedule.perform(context)}>
          {t('action.schedule')}
        </Button>
      )}
    </section>
  )
}

/** Without an answer the rest of the drawer still stands; the next event asks again. */
function useSchedules(contactId: number, offered: boolean): readonly Schedule[] {
  const ask = async () => (await api('GET /agendamento', { query: { contactId } })).agendamentos
  const { last, again } = useQuery(offered ? contactId : null, ask)
  const soon = useSoon(again, 300)
  useEffect(() => combineStops(live.on('agendamento', soon), live.onReset(soon)), [soon])
  return (offered && last) || NONE
}

const NONE: readonly Schedule[] = []
