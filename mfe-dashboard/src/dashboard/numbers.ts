// All the dashboard's numbers of a filter, fetched together so that they agree.
import type { ResponseBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { type Filter, getPreviousPeriod, toQuery } from './filter.ts'

export interface Numbers {
  readonly stats: ResponseBody<'GET /dashboard/stats'>
  /** The same of the period before, to compare with. */
  readonly before: ResponseBody<'GET /dashboard/stats'>
  readonly serviceLevel: ResponseBody<'GET /dashboard/service-level'>
  readonly cards: ResponseBody<'GET /dashboard/cards'>
  readonly people: ResponseBody<'GET /dashboard/users'>['users']
  readonly byPerson: ResponseBody<'GET /ticketColaborador'>
  readonly byContact: ResponseBody<'GET /ticketCliente'>
  readonly byQueue: ResponseBody<'GET /ticketQueue'>
}

export type PersonNumbers = Numbers['people'][number]

export async function loadNumbers(filter: Filter, signal: AbortSignal): Promise<Numbers> {
  const query = toQuery(filter)
  const { firstDate, lastDate } = query
  const [stats, before, serviceLevel, cards, { users: people }, byPerson, byContact, byQueue] = await Promise.all([
    api('GET /dashboard/stats', { query, signal }),
    api('GET /dashboard/stats', { query: toQuery({ ...filter, ...getPreviousPeriod(filter) }), signal }),
    api('GET /dashboard/service-level', { query, signal }),
    api('GET /dashboard/cards', { query: { firstDate, lastDate }, signal }),
    api('GET /dashboard/users', { query, signal }),
    api('GET /ticketColaborador', { query, signal }),
    api('GET /ticketCliente', { query, signal }),
    api('GET /ticketQueue', { query, signal }),
  ])
  return { stats, before, serviceLevel, cards, people, byPerson, byContact, byQueue }
}
