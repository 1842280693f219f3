// What the screens of figures ask first: this month of the company, and the month before to compare with.
import { askAhead } from '@balcao/ui/api'
import { toCompanyDay } from '@balcao/ui/i18n'
import { getMonth, getPreviousPeriod, toQuery } from './dashboard/filter.ts'

export function askNumbers() {
  const month = { ...getMonth(toCompanyDay(new Date())), queueId: null, userId: null }
  const query = toQuery(month)
  askAhead('GET /dashboard/stats', query)
  askAhead('GET /dashboard/stats', toQuery({ ...month, ...getPreviousPeriod(month) }))
  askAhead('GET /dashboard/service-level', query)
  askAhead('GET /dashboard/cards', query)
  askAhead('GET /dashboard/users', query)
  askAhead('GET /ticketColaborador', query)
  askAhead('GET /ticketCliente', query)
  askAhead('GET /ticketQueue', query)
}

export function askServiceLevel() {
  askAhead(
    'GET /dashboard/service-level',
    toQuery({ ...getMonth(toCompanyDay(new Date())), queueId: null, userId: null }),
  )
}

export function askRatings() {
  const month = { ...getMonth(toCompanyDay(new Date())), queueId: null, userId: null }
  askAhead('GET /ticketNPS', toQuery(month))
  askAhead('GET /ticketNPS/summary', toQuery(month))
  askAhead('GET /ticketNPS/summary', toQuery({ ...month, ...getPreviousPeriod(month) }))
}
