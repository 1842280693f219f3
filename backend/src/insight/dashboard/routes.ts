import { idOf } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { zoneOfDays } from '../figures/zone.ts'
import { dashboardCards } from './cards.ts'
import { openedByContact, openedByPerson, openedByQueue } from './opened.ts'
import { dashboardPeople, ticketsOf } from './people.ts'
import { dashboardStats } from './stats.ts'

export function dashboardRoutes(parts: Pick<Parts, 'db' | 'readDb'>): Route[] {
  const db = parts.readDb ?? parts.db
  /** Periods are of the days that are shown. */
  const zoneOf = async ({ settings }: Session) => (await zoneOfDays(db)) ?? settings.timezone
  return [
    serve('GET /dashboard/stats', async ({ session, query }) =>
      dashboardStats(db, query, await zoneOf(session), new Date()),
    ),
    serve('GET /dashboard/cards', async ({ session, query }) =>
      dashboardCards(db, query, await zoneOf(session), new Date()),
    ),
    serve('GET /dashboard/users', async ({ session, query }) =>
      dashboardPeople(db, query, await zoneOf(session), new Date()),
    ),
    serve('GET /dashboard/users/:id', ({ params, query }) =>
      ticketsOf(db, idOf(params.id, 'ERR_NO_USER_FOUND'), query),
    ),
    serve('GET /ticketQueue', async ({ session, query }) =>
      openedByQueue(db, query, await zoneOf(session), new Date()),
    ),
    serve('GET /ticketColaborador', async ({ session, query }) =>
      openedByPerson(db, query, await zoneOf(session), new Date()),
    ),
    serve('GET /ticketCliente', async ({ session, query }) =>
      openedByContact(db, query, await zoneOf(session), new Date()),
    ),
  ]
}
