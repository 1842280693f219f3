import type { ResponseBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { createThrottle, live } from '@balcao/ui/live'
import { useEffect } from 'react'
import { getPreviousPeriod } from '../dashboard/filter.ts'
import { COUNTING_MS } from '../dashboard/pace.ts'
import { type NpsQuery, onRatingChange, toSummaryQuery } from './list.ts'

export interface Summary {
  readonly now: ResponseBody<'GET /ticketNPS/summary'>
  /** The same of the period before, to compare with. */
  readonly before: ResponseBody<'GET /ticketNPS/summary'>
}

/** Between two looks at what comes in great numbers. */
const LOOK_MS = 2000

/** What the ratings of a filter come to, live; the last answer stays until the next is there. */
export function useSummary(query: NpsQuery) {
  const request = toSummaryQuery(query)
  const earlier = toSummaryQuery({ ...query, ...getPreviousPeriod(query) })
  const { last, error, again } = useQuery(JSON.stringify(request), async (signal): Promise<Summary> => {
    const [now, before] = await Promise.all(
      [request, earlier].map(query => api('GET /ticketNPS/summary', { query, signal })),
    )
    if (!now || !before) throw new Error('No summary')
    return { now, before }
  })
  useEffect(() => {
    const { ask, stop } = createThrottle(again, LOOK_MS)
    const stops = [onRatingChange(ask), live.on('settings', ask), live.onReset(ask), stop]
    return () => {
      for (const stop of stops) stop()
    }
  }, [again])
  const isCounting = last?.now.counting?.what === 'days'
  useEffect(() => {
    if (!isCounting) return
    const clock = setInterval(again, COUNTING_MS)
    return () => clearInterval(clock)
  }, [isCounting, again])
  return { summary: last, error, again }
}
