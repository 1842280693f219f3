// The manager's figures (decisions-2 §12, §23). Days are whole days in the company's time zone, both ends included.

import type { Endpoint } from '../kit/endpoint.ts'
import { LIMITS } from '../kit/limits.ts'
import { Id, Nullable, Type } from '../kit/schema.ts'
import { Ticket } from '../tickets/ticket.ts'
import { CountingProgress } from './counting.ts'

const Day = Type.String({ maxLength: 30, description: 'YYYY-MM-DD; what follows is not read' })

const Period = {
  firstDate: Type.Optional(Day),
  lastDate: Type.Optional(Day),
}

/** The dashboard's filters: the current month, everybody and every queue unless said otherwise. */
export const Filters = Type.Object({ ...Period, queueId: Type.Optional(Id), userId: Type.Optional(Id) })

const Named = Type.Object({ id: Id, name: Type.String() })

/** The mean of each day on which there was one. */
const Means = Type.Array(
  Type.Object({
    date: Type.String({ description: 'YYYY-MM-DD' }),
    seconds: Type.Integer({ minimum: 0, description: 'working time' }),
    tickets: Type.Integer({ minimum: 1 }),
  }),
)

const Total = Type.Integer({ minimum: 0 })
export const Rates = Type.Object({
  average: Nullable(Type.Number({ description: '1 to 5; null: nobody rated' })),
  count: Total,
})

export const RatesOfEach = Type.Array(Total, {
  minItems: 5,
  maxItems: 5,
  description: 'how many gave 1, 2, 3, 4 and 5',
})

const TimelyShare = Type.Object({ inTime: Total, total: Total })
/** Of everything, or of a queue or person. */
const ServiceLevel = {
  first: TimelyShare,
  later: TimelyShare,
  late: Type.Integer({ minimum: 0, description: 'tickets whose answer is late now' }),
  lateWaiting: Type.Integer({ minimum: 0, description: 'of them those that nobody has accepted' }),
}

export const dashboardEndpoints = {
  'GET /dashboard/stats': {
    summary:
      'In service, waiting, paused, with the bot and in the survey now; closed, opened by hour, mean waiting time (TME) and service time (TMA) of a period',
    description:
      'TME: working time from when a ticket first waits for people to its first acceptance, by the day, person and queue of the acceptance. TMA: from an acceptance to the resolving, without pauses, waiting and survey, by the day, person and queue of the resolving. `tmeSeconds` and `tmaSeconds` are means over all tickets of the period; null: there are none.',
    audience: 'admin',
    query: Filters,
    answer: Type.Object({
      open: Total,
      pending: Total,
      paused: Total,
      bot: Total,
      nps: Total,
      closed: Total,
      opened: Total,
      queues: Type.Array(
        Type.Object({
          id: Nullable(Id),
          name: Type.String(),
          color: Type.String(),
          open: Total,
          pending: Total,
        }),
      ),
      hours: Type.Array(Type.Object({ hour: Type.Integer({ minimum: 0, maximum: 23 }), tickets: Total }), {
        description: 'of opening, 8 to 19',
      }),
      tme: Means,
      tma: Means,
      tmeSeconds: Nullable(Total),
      tmaSeconds: Nullable(Total),
      rating: Rates,
      rates: RatesOfEach,
      openGroups: Type.Integer({ minimum: 0, description: 'of those in service' }),
      waitingSince: Nullable(Type.String({ description: 'ISO 8601: since when the one waits that waits longest' })),
      counting: Nullable(CountingProgress),
    }),
  },
  'GET /dashboard/service-level': {
    summary: 'How many answers of a period came until they were due, and what is late now, by queue and by person',
    description:
      'For managers of their own queues, as far as they see the tickets. Queues and people that are gone are named as long as they count; `id` null: of nobody.',
    query: Filters,
    answer: Type.Object({
      ...ServiceLevel,
      hasTargets: Type.Boolean({ description: 'a queue says until when it answers' }),
      queues: Type.Array(Type.Object({ ...Named.properties, color: Type.String(), ...ServiceLevel })),
      people: Type.Array(Type.Object({ id: Nullable(Id), name: Type.String(), ...ServiceLevel })),
      counting: Nullable(CountingProgress),
    }),
  },
  'GET /dashboard/cards': {
    summary: 'How much there is of everything: tickets and messages of a period, the rest as it is now',
    audience: 'admin',
    query: Type.Object(Period),
    answer: Type.Object({
      users: Type.Object({ active: Total, total: Type.Integer({ description: 'without the owner' }) }),
      queues: Total,
      connections: Type.Object({ connected: Total, total: Total }),
      schedules: Total,
      contacts: Total,
      groups: Total,
      tickets: Total,
      messages: Total,
    }),
  },
  'GET /dashboard/users': {
    summary: 'Everybody with what they serve now, and closed and were given as stars in a period',
    audience: 'admin',
    query: Filters,
    answer: Type.Object({
      users: Type.Array(
        Type.Object({
          id: Id,
          name: Type.String(),
          profilePicUrl: Nullable(Type.String()),
          active: Type.Boolean(),
          status: Type.Union([Type.Literal('online'), Type.Literal('away'), Type.Literal('offline')]),
          open: Total,
          closed: Total,
          rating: Rates,
        }),
      ),
    }),
  },
  'GET /dashboard/users/:id': {
    summary: 'The live tickets somebody serves or has paused, as in lists',
    audience: 'admin',
    query: Type.Object({
      queueId: Type.Optional(Id),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.personTicketsMost })),
    }),
    errors: ['ERR_NO_USER_FOUND'],
    answer: Type.Object({ tickets: Type.Array(Ticket), hasMore: Type.Boolean() }),
  },
  'GET /ticketQueue': {
    summary: 'Tickets opened in a period, by queue; null: without one',
    audience: 'admin',
    query: Filters,
    answer: Type.Array(
      Type.Object({
        queue: Nullable(Type.Object({ ...Named.properties, color: Type.String() })),
        Total,
      }),
    ),
  },
  'GET /ticketColaborador': {
    summary: 'Tickets opened in a period, by their present person; null: nobody',
    audience: 'admin',
    query: Filters,
    answer: Type.Array(Type.Object({ user: Nullable(Named), Total })),
  },
  'GET /ticketCliente': {
    summary: 'Tickets opened in a period, by contact: the four with the most, then all others as null',
    audience: 'admin',
    query: Filters,
    answer: Type.Array(Type.Object({ contact: Nullable(Named), Total })),
  },
} as const satisfies Record<string, Endpoint>
