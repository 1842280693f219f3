import type { PresenceViewer } from '@balcao/contract'
import type { useTexts } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { useEffect } from 'react'
import { getStores } from '../desk/stores.ts'
import { useKnown } from '../tickets/signals.ts'

/** A page in the background looks at nothing; a glance at another one is no absence. */
const HIDDEN_MS = 60_000

/** The colleagues who look at a ticket now, oneself left out. */
export function useViewers(ticketId: number): readonly PresenceViewer[] {
  return useKnown(getStores().looking, ticketId)
}

/** Tells the team that this ticket is looked at, while the page is. */
export function useViewingPresence(ticketId: number) {
  useEffect(() => {
    let leave: (() => void) | null = live.join(ticketId)
    let timer: ReturnType<typeof setTimeout> | undefined
    function turn() {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') leave ??= live.join(ticketId)
      else
        timer = setTimeout(() => {
          leave?.()
          leave = null
        }, HIDDEN_MS)
    }
    document.addEventListener('visibilitychange', turn)
    return () => {
      document.removeEventListener('visibilitychange', turn)
      clearTimeout(timer)
      leave?.()
    }
  }, [ticketId])
}

type Texts = ReturnType<typeof useTexts>

/** 'Bruna', 'Bruna e Diego', 'Bruna e mais 2'. */
export function formatFirstNames(people: readonly { readonly name: string }[], t: Texts): string {
  const [first = '', second = ''] = people.map(({ name }) => name.split(' ')[0] ?? name)
  if (people.length <= 1) return first
  if (people.length === 2) return t('viewers.two', { first, second })
  return t('viewers.more', { first, count: people.length - 1 })
}

/** What they do here, in words: 'Bruna está respondendo. Diego está olhando.' Empty when nobody is here. */
export function describeViewers(people: readonly PresenceViewer[], t: Texts): string {
  const writing = people.filter(person => person.writing)
  const looking = people.filter(person => !person.writing)
  return [
    writing.length > 0 ? t('viewers.writing', { count: writing.length, who: formatFirstNames(writing, t) }) : null,
    looking.length > 0 ? t('viewers.looking', { count: looking.length, who: formatFirstNames(looking, t) }) : null,
  ]
    .filter(part => part)
    .join(' ')
}
