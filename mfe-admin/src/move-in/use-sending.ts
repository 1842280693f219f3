import type { MoveIn } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { describeError } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { useEffect, useRef, useState } from 'react'
import { sendDump } from './send-dump.ts'

interface Sending {
  readonly id: number
  readonly received: number
}

/** The dump that this page sends; it stops when the page is left. */
export function useSending(again: () => void) {
  const [sending, setSending] = useState<Sending | null>(null)
  const leaving = useRef<AbortController | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  async function send(file: File, move: MoveIn): Promise<void> {
    if (leaving.current) return
    const { id } = move
    const controller = new AbortController()
    const { signal } = controller
    leaving.current = controller
    try {
      setSending({ id, received: move.dump?.received ?? 0 })
      await sendDump(file, move, { signal, onProgress: received => setSending({ id, received }) })
      await api('POST /move-in/:id/read', { params: { id }, body: {} })
    } catch (error) {
      if (!signal.aborted) toast.error(describeError(error))
    } finally {
      leaving.current = null
      setSending(null)
      again()
    }
  }
  return { sending, send, stop: () => leaving.current?.abort() }
}
