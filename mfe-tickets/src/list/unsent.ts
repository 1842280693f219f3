// What a row has to say before what was said last: something here has not gone out.
import { beginningOf } from '@balcao/contract'
import { commentText, isComment } from '@balcao/contract/comments'
import { useCallback, useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { drafts } from '../composer/drafts.ts'
import type { Outgoing } from '../composer/outgoing.ts'
import { splitSignature } from '../composer/wording.ts'
import { stores } from '../desk/stores.ts'

export interface Unsent {
  readonly kind: 'refused' | 'held' | 'draft' | 'waiting'
  /** Empty where it is a file without words. */
  readonly text: string
}

const LENGTH = 300

/** The one that asks most for somebody: refused, held back, begun, on its way. */
export function useUnsent(lane: number): Unsent | null {
  const draft = useSnapshot(drafts).known[lane]
  const entry = useLastEntry(lane)
  if (entry?.state === 'refused') return { kind: 'refused', text: wordsOf(entry) }
  if (draft) return { kind: draft.held ? 'held' : 'draft', text: beginningOf(draft.text, LENGTH) }
  return entry ? { kind: 'waiting', text: wordsOf(entry) } : null
}

function useLastEntry(lane: number): Outgoing | undefined {
  const { outgoing } = stores()
  const last = useCallback(() => {
    const own = outgoing.all().filter(entry => entry.ticketId === lane)
    return own.findLast(entry => entry.state === 'refused') ?? own.at(-1)
  }, [outgoing, lane])
  return useSyncExternalStore(outgoing.subscribe, last)
}

function wordsOf({ body, file }: Outgoing): string {
  const words = isComment(body) ? commentText(body) : splitSignature(body).body
  return beginningOf(words || file?.name || '', LENGTH)
}
