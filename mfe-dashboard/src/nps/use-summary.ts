import type { AnswerOf } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useAsked } from '@balcao/ui/ask'
import { live, nowAndThen } from '@balcao/ui/live'
import { useEffect } from 'react'
import { periodBefore } from '../stats/filter.ts'
import { askedOf, type NpsQuery, onRatings } from './list.ts'

export interface Summary {
  readonly now: AnswerOf<'GET /ticketNPS/summary'>
  /** The same of the period before, to compare with. */
  readonly before: AnswerOf<'GET /ticketNPS/summary'>
}

/** Between two looks at what comes in great numbers. */
const LOOK_MS = 2000

/** What the ratings of a filter come to, live; the last answer stays until the next is there. */
export function useSummary(query: NpsQuery) {
  const asked = askedOf(query)
  const earlier = askedOf({ ...query, ...periodBefore(query) })
  const { last, error, again } = useAsked(JSON.stringify(asked), async (signal): Promise<Summary> => {
    const [now, before] = await Promise.all(
      [asked, earlier].map(query => api('GET /ticketNPS/summary', { query, signal })),
    )
    if (!now || !before) throw new Error('No summary')
    return { now, before }
  })
  useEffect(() => {
    const { ask, stop } = nowAndThen(again, LOOK_MS)
    const stops = [onRatings(ask), live.onReset(ask), stop]
    return () => {
      for (const stop of stops) stop()
    }
  }, [again])
  return { summary: last, error, again }
}
