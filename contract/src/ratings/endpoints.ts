// What customers answered to surveys (spec 3 §2 "NPS", §7; decisions-2 §11, §23). Ratings belong to the day on which they were given,
// surveys to the day on which they were sent. Days are whole days in the company's time zone, both ends included.

import { CountingProgress } from '../dashboard/counting.ts'
import { Filters, Rates, RatesOfEach } from '../dashboard/endpoints.ts'
import { JobReference, SheetLanguage } from '../jobs/job.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { Cursor, Id, Nullable, page, Type } from '../kit/schema.ts'
import { RatingEntry } from './rating.ts'

/** The dashboard's filters, and the connection. */
const RatingFilters = { ...Filters.properties, whatsappId: Type.Optional(Id) }

/** From one star to three. */
const Low = Type.Optional(Type.String({ maxLength: 5, description: 'true: from 1 to 3 alone' }))

export const ratingEndpoints = {
  'GET /ticketNPS': {
    summary: 'Ratings of a period, the newest first; the current month unless said otherwise',
    audience: 'admin',
    query: Type.Object({
      ...RatingFilters,
      low: Low,
      pageNumber: Type.Optional(Type.Integer({ minimum: 1 })),
      cursor: Cursor,
    }),
    answer: Type.Object({ entries: Type.Array(RatingEntry), ...page }),
  },
  'GET /ticketNPS/summary': {
    summary: 'What the ratings of a period come to: their mean, how many gave what, how many were asked and answered',
    audience: 'admin',
    query: Type.Object(RatingFilters),
    answer: Type.Object({
      rating: Rates,
      rates: RatesOfEach,
      asked: Type.Integer({ minimum: 0, description: 'surveys that were sent in the period' }),
      answered: Type.Integer({ minimum: 0, description: 'of those asked, be it by now' }),
      waiting: Type.Integer({ minimum: 0, description: 'of those asked, who can still answer' }),
      counting: Nullable(CountingProgress),
      trend: Type.Array(
        Type.Object({
          month: Type.String({ description: 'YYYY-MM' }),
          average: Nullable(Type.Number()),
          count: Type.Integer(),
        }),
        { description: 'the last six months up to that in which the period ends, or the current one' },
      ),
    }),
  },
  'POST /ticketNPS/export': {
    summary: 'A sheet of the ratings of a period',
    audience: 'admin',
    body: Type.Object({ ...RatingFilters, low: Type.Optional(Type.Boolean()), language: SheetLanguage }),
    answer: JobReference,
    status: 202,
  },
} as const satisfies Record<string, Endpoint>
