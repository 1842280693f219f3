import type { MassSend } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { describeError, type Texts, useTexts } from '@balcao/ui/i18n'
import { ConfirmDialog, toast } from '@balcao/ui/parts'
import { useCallback, useState } from 'react'
import { describeSendState } from './words.ts'

export type Steering = 'pause' | 'resume' | 'cancel'

/** Time to read it and think again. */
const UNDO_MS = 8000
/** What takes it back; what was cancelled stays so. */
const BACK = { pause: 'resume', resume: 'pause', cancel: null } as const satisfies Record<Steering, Steering | null>

/** Pauses, resumes or cancels a send. Where somebody was faster, it says how the send stands now. */
export async function steerSend(
  { id }: MassSend,
  steering: Steering,
  onDone: (send: MassSend) => void,
  t: Texts,
): Promise<void> {
  const params = { id }
  try {
    const send = await api(`PUT /envioMassa/:id/${steering}`, { params })
    onDone(send)
    const back = BACK[steering]
    const undo = back && { label: t('steer.undo'), perform: () => void steerWithUndo(send, back, onDone, t) }
    toast.success(t(`steer.${steering}.done`), undo ? { action: undo, key: `send ${id}`, shownMs: UNDO_MS } : undefined)
  } catch (error) {
    if (!isApiError(error, 'ERR_INVALID_TRANSITION')) throw error
    const now = await api('GET /envioMassa/:id', { params })
    onDone(now)
    toast.info(t('steer.meanwhile', { standing: describeSendState(now, t, new Date()).text }))
  }
}

/** Pauses and resumes sends from their buttons; a second press, before the first one is answered, is the same press. */
export function useSteering(onDone: (send: MassSend) => void) {
  const t = useTexts('sends')
  const [underWay] = useState(() => new Set<number>())
  return useCallback(
    (send: MassSend, steering: Exclude<Steering, 'cancel'>) => {
      if (underWay.has(send.id)) return
      underWay.add(send.id)
      void steerWithUndo(send, steering, onDone, t).finally(() => underWay.delete(send.id))
    },
    [underWay, onDone, t],
  )
}

/** Without a question: it can be taken back, and a send that runs on while one reads does not wait. */
async function steerWithUndo(
  send: MassSend,
  steering: Exclude<Steering, 'cancel'>,
  onDone: (send: MassSend) => void,
  t: Texts,
): Promise<void> {
  try {
    await steerSend(send, steering, onDone, t)
  } catch (error) {
    toast.error(describeError(error))
  }
}

interface CancelSendProps {
  readonly send: MassSend
  readonly onDone: (send: MassSend) => void
  readonly onClose: () => void
}

/** Asks before a send is cancelled, with what that means for those who wait. */
export function CancelSend({ send, onDone, onClose }: CancelSendProps) {
  const t = useTexts('sends')
  const [busy, during] = useBusy()
  const cancel = async () => {
    await steerSend(send, 'cancel', onDone, t)
    onClose()
  }
  return (
    <ConfirmDialog
      title={t('steer.cancel.title')}
      text={t('steer.cancel.text', { count: Math.max(0, send.total - send.enviados) })}
      action={t('steer.cancel.action')}
      keep={t('steer.cancel.keep')}
      danger
      busy={busy}
      onConfirm={() => during(cancel)}
      onClose={onClose}
    />
  )
}
