// All the dashboard's numbers of a filter, fetched together so that they agree.
import type { AnswerOf } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { type Filter, periodBefore, queryOf } from './filter.ts'

export interface Numbers {
  readonly stats: AnswerOf<'GET /dashboard/stats'>
  /** The same of the period before, to compare with. */
  readonly before: AnswerOf<'GET /dashboard/stats'>
  readonly cards: AnswerOf<'GET /dashboard/cards'>
  readonly people: AnswerOf<'GET /dashboard/users'>['users']
  readonly byPerson: AnswerOf<'GET /ticketColaborador'>
  readonly byContact: AnswerOf<'GET /ticketCliente'>
  readonly byQueue: AnswerOf<'GET /ticketQueue'>
}

export type Person = Numbers['people'][number]

export async function loadNumbers(filter: Filter, signal: AbortSignal): Promise<Numbers> {
  const query = queryOf(filter)
  const { firstDate, lastDate } = query
  const [stats, before, cards, { users: people }, byPerson, byContact, byQueue] = await Promise.all([
    api('GET /dashboard/stats', { query, signal }),
    api('GET /dashboard/stats', { query: queryOf({ ...filter, ...periodBefore(filter) }), signal }),
    api('GET /dashboard/cards', { query: { firstDate, lastDate }, signal }),
    api('GET /dashboard/users', { query, signal }),
    api('GET /ticketColaborador', { query, signal }),
    api('GET /ticketCliente', { query, signal }),
    api('GET /ticketQueue', { query, signal }),
  ])
  return { stats, before, cards, people, byPerson, byContact, byQueue }
}
