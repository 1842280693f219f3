// The first steps as the server counts them, for their page and for the pages they are done on.
import { FIRST_STEPS, type FirstStep } from '@balcao/contract/first-steps/first-steps'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { addTexts } from '@balcao/ui/i18n'
import { combineStops, createThrottle, live } from '@balcao/ui/live'
import { useEffect } from 'react'
import pt from '../../locales/first-steps/pt.json'

addTexts('first-steps', {
  pt,
  en: () => import('../../locales/first-steps/en.json'),
  es: () => import('../../locales/first-steps/es.json'),
})

/** Where a step is done. */
export const STEP_PAGES: Readonly<Record<FirstStep, string>> = {
  connection: '/connections',
  queues: '/Queues',
  people: '/users',
  greeting: '/connections',
  hours: '/Settings',
  message: '/tickets',
}

/** What a step begins with on its page: an empty form, or a row that is marked there. */
const BEGINNINGS: Readonly<Partial<Record<FirstStep, string>>> = {
  connection: '#add',
  queues: '#add',
  people: '#add',
  hours: '#hours',
}

/** The way to a step, open for what it has to be filled with. */
export function toStepAddress(step: FirstStep, done: readonly FirstStep[]): string {
  return STEP_PAGES[step] + (done.includes(step) ? '' : (BEGINNINGS[step] ?? ''))
}

export function findNextStep(done: readonly FirstStep[]): FirstStep | undefined {
  return FIRST_STEPS.find(step => !done.includes(step))
}

/** A burst of events is one question. */
const EVENTS_MS = 300

/** Asked again with what may tick a step off. `isOnce`: not any more once they are over, as in a company at work. */
export function useFirstSteps({ isOnce = false } = {}) {
  const query = useQuery('first-steps', signal => api('GET /first-steps', { signal }))
  const { last, again } = query
  const isLive = !isOnce || last?.isOver === false
  useEffect(() => {
    if (!isLive) return
    const { ask: reload, stop } = createThrottle(again, EVENTS_MS)
    return combineStops(
      stop,
      live.on('whatsapp', reload),
      live.on('queue', reload),
      live.on('user', reload),
      live.on('ticket', reload),
      live.on('tag', reload),
      live.on('quickAnswer', reload),
      live.on('pergunta', reload),
      live.on('settings', reload),
      live.onReset(reload),
    )
  }, [isLive, again])
  return query
}
