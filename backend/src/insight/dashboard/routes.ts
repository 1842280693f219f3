import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { type Route, serve } from '../../policy/kit/serve.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { findFigureTimezone } from '../figures/zone.ts'
import { loadDashboardCards } from './cards.ts'
import { countOpenedByContact, countOpenedByPerson, countOpenedByQueue } from './opened.ts'
import { listPersonTickets, loadDashboardPeople } from './people.ts'
import { loadServiceLevel } from './service-level.ts'
import { loadDashboardStats } from './stats.ts'

export function dashboardRoutes(parts: Pick<Parts, 'db' | 'readDb'>): Route[] {
  const db = parts.readDb ?? parts.db
  /** Periods are of the days that are shown. */
  const zoneOf = async ({ settings }: Session) => (await findFigureTimezone(db)) ?? settings.timezone
  return [
    serve('GET /dashboard/stats', async ({ session, query }) =>
      loadDashboardStats(db, query, await zoneOf(session), new Date()),
    ),
    serve('GET /dashboard/service-level', async ({ session, query }) =>
      loadServiceLevel(db, session, query, await zoneOf(session), new Date()),
    ),
    serve('GET /dashboard/cards', async ({ session, query }) =>
      loadDashboardCards(db, query, await zoneOf(session), new Date()),
    ),
    serve('GET /dashboard/users', async ({ session, query }) =>
      loadDashboardPeople(db, query, await zoneOf(session), new Date()),
    ),
    serve('GET /dashboard/users/:id', ({ params, query }) =>
      listPersonTickets(db, parseId(params.id, 'ERR_NO_USER_FOUND'), query),
    ),
    serve('GET /ticketQueue', async ({ session, query }) =>
      countOpenedByQueue(db, query, await zoneOf(session), new Date()),
    ),
    serve('GET /ticketColaborador', async ({ session, query }) =>
      countOpenedByPerson(db, query, await zoneOf(session), new Date()),
    ),
    serve('GET /ticketCliente', async ({ session, query }) =>
      countOpenedByContact(db, query, await zoneOf(session), new Date()),
    ),
  ]
}
