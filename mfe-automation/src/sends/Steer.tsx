import type { MassSend } from '@balcao/contract'
import { api, isApiError } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { ConfirmDialog, toast } from '@balcao/ui/parts'
import { standingOf } from './words.ts'

export type Steering = 'pause' | 'resume' | 'cancel'

interface SteerProps {
  readonly send: MassSend
  readonly what: Steering
  readonly onDone: (send: MassSend) => void
  readonly onClose: () => void
}

/**
 * Asks before a send is paused, resumed or cancelled, with what that means for those who wait. Where somebody was faster, it says how
 * the send stands now.
 */
export function Steer({ send, what, onDone, onClose }: SteerProps) {
  const t = useTexts('sends')
  const [busy, during] = useBusy()
  const { total, enviados } = send
  const params = { id: send.id }
  const steer = async () => {
    try {
      onDone(await api(`PUT /envioMassa/:id/${what}`, { params }))
      toast.success(t(`steer.${what}.done`))
    } catch (error) {
      if (!isApiError(error, 'ERR_INVALID_TRANSITION')) throw error
      const now = await api('GET /envioMassa/:id', { params })
      onDone(now)
      toast.info(t('steer.meanwhile', { standing: standingOf(now, t, new Date()).text }))
    }
    onClose()
  }
  return (
    <ConfirmDialog
      title={t(`steer.${what}.title`)}
      text={t(`steer.${what}.text`, { count: Math.max(0, total - enviados) })}
      action={t(`steer.${what}.action`)}
      keep={what === 'cancel' ? t('steer.cancel.keep') : undefined}
      danger={what === 'cancel'}
      busy={busy}
      onConfirm={() => during(steer)}
      onClose={onClose}
    />
  )
}
