import type { QuickAnswer } from '@balcao/contract'
import { live } from '@balcao/ui/live'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { fetchPage } from './calls.ts'
import { firstPage, nextPage, type Rows, rowsFeed } from './list.ts'

export type LoadState = 'loading' | 'ready' | 'failed'

/** The rows of a search: the first page at once, further ones on `more`, all of them live. */
export function useQuickAnswers(search: string) {
  const [feed] = useState(rowsFeed)
  const rows = useSyncExternalStore(feed.subscribe, feed.now)
  const [state, setState] = useState<LoadState>('loading')
  const [moreState, setMoreState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const running = useRef<AbortController>(undefined)

  const reload = useCallback(async () => {
    running.current?.abort()
    const call = new AbortController()
    running.current = call
    setState(old => (old === 'failed' ? 'loading' : old))
    setMoreState('idle')
    try {
      const ask = () => fetchPage(search, null, call.signal)
      if (await feed.fetch(ask, (now, page) => firstPage(now, search, page), { afresh: true })) setState('ready')
    } catch {
      if (!call.signal.aborted) setState('failed')
    }
  }, [feed, search])

  const { nextCursor } = rows
  const more = useCallback(async () => {
    const call = running.current
    if (!call || call.signal.aborted || nextCursor === null) return
    setMoreState('loading')
    try {
      const ask = () => fetchPage(search, nextCursor, call.signal)
      const put = (now: Rows, page: Awaited<ReturnType<typeof ask>>) =>
        now.nextCursor === nextCursor ? nextPage(now, page) : now
      if (await feed.fetch(ask, put)) setMoreState('idle')
    } catch {
      if (!call.signal.aborted) setMoreState('failed')
    }
  }, [feed, search, nextCursor])

  useEffect(() => {
    void reload()
    const stops = [live.on('quickAnswer', event => feed.take(event)), live.onReset(() => void reload())]
    return () => {
      running.current?.abort()
      for (const stop of stops) stop()
    }
  }, [feed, reload])

  const put = useCallback((saved: QuickAnswer) => feed.take({ saved }), [feed])
  const drop = useCallback((dropped: number) => feed.take({ dropped }), [feed])
  return { rows, state, moreState, reload, more, put, drop }
}
