import type { ResponseBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useBusy, useQuery } from '@balcao/ui/ask'
import { describeError, formatMoment, useTexts } from '@balcao/ui/i18n'
import { Button, Dialog } from '@balcao/ui/parts'
import { Globe, SquareTerminal } from 'lucide-react'
import './late.ts'

type Device = ResponseBody<'GET /auth/devices'>[number]

/** Where one is signed in, in browsers and terminals, and how to end one of them (decisions-2 §23). */
export default function DevicesDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('shell')
  const { last: devices, error, again } = useQuery('devices', () => api('GET /auth/devices'))
  return (
    <Dialog
      title={t('devices.title')}
      intro={t('devices.intro')}
      onClose={onClose}
      width={520}
      footer={
        <Button kind="primary" onClick={onClose} data-autofocus="">
          {t('devices.close')}
        </Button>
      }
    >
      {error !== null && (
        <p className="s-account-error" role="alert">
          {describeError(error)}
        </p>
      )}
      <ul className="s-devices">
        {devices?.map(device => (
          <Row key={device.id} device={device} onEnded={again} />
        ))}
      </ul>
    </Dialog>
  )
}

function Row({ device, onEnded }: { readonly device: Device; readonly onEnded: () => void }) {
  const t = useTexts('shell')
  const [busy, during] = useBusy()
  const Icon = device.terminal === null ? Globe : SquareTerminal
  const name = device.terminal ?? t('devices.browser')
  const end = () =>
    during(async () => {
      await api('DELETE /auth/devices/:id', { params: { id: device.id } })
      onEnded()
    })
  return (
    <li>
      <Icon size={18} aria-hidden="true" />
      <div>
        <strong>{name}</strong>
        <span>
          {t('devices.last', { when: formatMoment(device.lastAt) })} ·{' '}
          {t('devices.since', { when: formatMoment(device.since) })}
        </span>
      </div>
      {device.current ? (
        <span>{t('devices.this')}</span>
      ) : (
        <Button kind="plain" busy={busy} onClick={end} aria-label={t('devices.endOf', { name })}>
          {t('devices.end')}
        </Button>
      )}
    </li>
  )
}
