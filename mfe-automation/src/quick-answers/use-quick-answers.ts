import type { QuickAnswer } from '@balcao/contract'
import { live } from '@balcao/ui/live'
import { useCallback, useEffect, useRef, useState } from 'react'
import { fetchPage } from './calls.ts'
import { afterEvent, firstPage, NO_ROWS, nextPage, type Rows, without, withRow } from './list.ts'

export type LoadState = 'loading' | 'ready' | 'failed'

/** The rows of a search: the first page at once, further ones on `more`, all of them live. */
export function useQuickAnswers(search: string) {
  const [rows, setRows] = useState<Rows>(NO_ROWS)
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
      const page = await fetchPage(search, null, call.signal)
      if (call.signal.aborted) return
      setRows(old => firstPage(old, search, page))
      setState('ready')
    } catch {
      if (!call.signal.aborted) setState('failed')
    }
  }, [search])

  const { nextCursor } = rows
  const more = useCallback(async () => {
    const call = running.current
    if (!call || call.signal.aborted || nextCursor === null) return
    setMoreState('loading')
    try {
      const page = await fetchPage(search, nextCursor, call.signal)
      if (call.signal.aborted) return
      setRows(old => (old.nextCursor === nextCursor ? nextPage(old, page) : old))
      setMoreState('idle')
    } catch {
      if (!call.signal.aborted) setMoreState('failed')
    }
  }, [search, nextCursor])

  useEffect(() => {
    void reload()
    const stops = [
      live.on('quickAnswer', event => setRows(old => afterEvent(old, event))),
      live.onReset(() => void reload()),
    ]
    return () => {
      running.current?.abort()
      for (const stop of stops) stop()
    }
  }, [reload])

  const put = useCallback((answer: QuickAnswer) => setRows(old => withRow(old, answer)), [])
  const drop = useCallback((id: number) => setRows(old => without(old, id)), [])
  return { rows, state, moreState, reload, more, put, drop }
}
