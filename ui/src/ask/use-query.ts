import { isApiError } from '@balcao/ui/api'
import { describeError } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { useLineBack } from '@balcao/ui/session'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'

export interface QueryResult<T> {
  /** The answer to what is asked now; null while it is on its way, and without one. */
  readonly now: T | null
  /** The newest answer there is, be it to what was asked before. */
  readonly last: T | null
  /** Why there is no answer to what is asked now. */
  readonly error: unknown
  /**
   * Asks once more; always the same function. While an answer is on its way, once that came: who asks again and again, as a clock or
   * events do, would otherwise give up each answer that is slower than they are, and `last` would stand still.
   */
  readonly again: () => void
}

interface QueryOptions {
  /** Asked only so many milliseconds after the last change: while somebody types, while events come. */
  readonly waitMs?: number
  readonly onError?: (error: unknown) => void
}

interface QueryState<T> {
  readonly question: string | null
  readonly last: T | null
  readonly error: unknown
}

/** What has no answer for so long is given up for the next question. */
const PATIENCE_MS = 30_000

/**
 * Asks the server when first drawn, and anew whenever `key` is another one; null asks nothing. Only answers to this key count, and none
 * once the component is gone. What got no answer for want of a line is asked again when there is one.
 *
 * @example const { now: group, error, again } = useQuery(contactId, () => api('GET /contact/group/:id', { params: { id: contactId } }))
 */
export function useQuery<T>(
  key: string | number | null,
  ask: (signal: AbortSignal) => Promise<T>,
  { waitMs = 0, onError }: QueryOptions = {},
): QueryResult<T> {
  const [tries, setTries] = useState(0)
  const [came, setCame] = useState<QueryState<T>>({ question: null, last: null, error: null })
  const question = key === null ? null : `${tries} ${key}`
  const underWay = useRef<{ readonly since: number; isAskedAgain: boolean } | null>(null)
  const begin = useEffectEvent(async (key: string, left: AbortSignal) => {
    const turn = { since: Date.now(), isAskedAgain: false }
    underWay.current = turn
    try {
      const last = await ask(left)
      if (!left.aborted) setCame({ question: key, last, error: null })
    } catch (error) {
      if (left.aborted) return
      setCame(({ last }) => ({ question: key, last, error }))
      onError?.(error)
    } finally {
      if (underWay.current === turn) underWay.current = null
      if (!left.aborted && turn.isAskedAgain) setTries(before => before + 1)
    }
  })
  useEffect(() => {
    if (question === null) return
    const left = new AbortController()
    const timer = waitMs > 0 ? setTimeout(() => void begin(question, left.signal), waitMs) : undefined
    if (timer === undefined) void begin(question, left.signal)
    return () => {
      clearTimeout(timer)
      left.abort()
      underWay.current = null
    }
  }, [question, waitMs])
  const again = useCallback(() => {
    const turn = underWay.current
    if (turn && Date.now() - turn.since < PATIENCE_MS) turn.isAskedAgain = true
    else setTries(before => before + 1)
  }, [])
  const isNow = question !== null && came.question === question
  // What was asked over the line that is gone may hang there for minutes; where none is gone, the answer comes.
  useLineBack(isFirst => {
    const hangs = underWay.current !== null && !isFirst
    if (hangs || (isNow && isApiError(came.error, 'OFFLINE'))) setTries(before => before + 1)
  })
  return {
    now: isNow && came.error === null ? came.last : null,
    last: came.last,
    error: isNow ? came.error : null,
    again,
  }
}

/** For what stands there without the answer too. */
export const showErrorToast = { onError: (error: unknown) => void toast.error(describeError(error)) }
