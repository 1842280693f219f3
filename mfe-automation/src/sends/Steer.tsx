import type { MassSend } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { ConfirmDialog, toast } from '@balcao/ui/parts'

export type Steering = 'pause' | 'resume' | 'cancel'

interface SteerProps {
  readonly send: MassSend
  readonly what: Steering
  readonly onDone: (send: MassSend) => void
  readonly onClose: () => void
}

/** Asks before a send is paused, resumed or cancelled, with what that means for those who wait. */
export function Steer({ send, what, onDone, onClose }: SteerProps) {
  const t = useTexts('sends')
  const [busy, during] = useBusy()
  const { total, enviados } = send
  const steer = async () => {
    onDone(await api(`PUT /envioMassa/:id/${what}`, { params: { id: send.id } }))
    toast.success(t(`steer.${what}.done`))
    onClose()
  }
  return (
    <ConfirmDialog
      title={t(`steer.${what}.title`)}
      text={t(`steer.${what}.text`, { count: Math.max(0, total - enviados) })}
      action={t(`steer.${what}.action`)}
      danger={what === 'cancel'}
      busy={busy}
      onConfirm={() => during(steer)}
      onClose={onClose}
    />
  )
}
