// What a row has to say before what was said last: something here has not gone out.
import { truncateText } from '@balcao/contract'
import { isComment, stripCommentPrefix } from '@balcao/contract/messages/comments'
import { useCallback, useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { drafts } from '../composer/drafts.ts'
import type { UnsentMessage } from '../composer/outgoing.ts'
import { splitSignature } from '../composer/wording.ts'
import { getStores } from '../desk/stores.ts'

export interface UnsentSummary {
  readonly kind: 'refused' | 'held' | 'draft' | 'waiting'
  /** Empty where it is a file without words. */
  readonly text: string
}

const LENGTH = 300

/** The one that asks most for somebody: refused, held back, begun, on its way. */
export function useUnsent(lane: number): UnsentSummary | null {
  const draft = useSnapshot(drafts).known[lane]
  const entry = useLastEntry(lane)
  if (entry?.state === 'refused') return { kind: 'refused', text: getUnsentText(entry) }
  if (draft) return { kind: draft.held ? 'held' : 'draft', text: truncateText(draft.text, LENGTH) }
  return entry ? { kind: 'waiting', text: getUnsentText(entry) } : null
}

function useLastEntry(lane: number): UnsentMessage | undefined {
  const { outgoing } = getStores()
  const last = useCallback(() => {
    const own = outgoing.all().filter(entry => entry.ticketId === lane)
    return own.findLast(entry => entry.state === 'refused') ?? own.at(-1)
  }, [outgoing, lane])
  return useSyncExternalStore(outgoing.subscribe, last)
}

function getUnsentText({ body, file }: UnsentMessage): string {
  const words = isComment(body) ? stripCommentPrefix(body) : splitSignature(body).body
  return truncateText(words || file?.name || '', LENGTH)
}
