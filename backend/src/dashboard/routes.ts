import { type Route, serve } from '../http/serve.ts'
import { idOf } from '../http/validate.ts'
import type { Parts } from '../parts.ts'
import { dashboardCards } from './cards.ts'
import { openedByContact, openedByPerson, openedByQueue } from './opened.ts'
import { dashboardPeople, ticketsOf } from './people.ts'
import { dashboardStats } from './stats.ts'

export function dashboardRoutes({ db }: Parts): Route[] {
  return [
    serve('GET /dashboard/stats', ({ session, query }) =>
      dashboardStats(db, query, session.settings.timezone, new Date()),
    ),
    serve('GET /dashboard/cards', ({ session, query }) =>
      dashboardCards(db, query, session.settings.timezone, new Date()),
    ),
    serve('GET /dashboard/users', ({ session, query }) =>
      dashboardPeople(db, query, session.settings.timezone, new Date()),
    ),
    serve('GET /dashboard/users/:id', ({ params, query }) =>
      ticketsOf(db, idOf(params.id, 'ERR_NO_USER_FOUND'), query),
    ),
    serve('GET /ticketQueue', ({ session, query }) => openedByQueue(db, query, session.settings.timezone, new Date())),
    serve('GET /ticketColaborador', ({ session, query }) =>
      openedByPerson(db, query, session.settings.timezone, new Date()),
    ),
    serve('GET /ticketCliente', ({ session, query }) =>
      openedByContact(db, query, session.settings.timezone, new Date()),
    ),
  ]
}
