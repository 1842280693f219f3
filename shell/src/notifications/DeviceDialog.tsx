import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Dialog, Switch, toast } from '@balcao/ui/parts'
import { useSession } from '@balcao/ui/session'
import { Volume2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import './bell.css'
import './late.ts'
import { openBell } from './bells.ts'
import { disable, enable, getDeviceState } from './device.ts'
import { isMuted, setMuted } from './device-state.ts'
import { play } from './sounds.ts'

/** The opt-in prompt: what comes, that it begins with a new sign-in, and the sounds of this device (spec 1 §2, §4). */
export default function DeviceDialog() {
  const t = useTexts('shell')
  const { settings } = useSession()
  const [state, setState] = useState(getDeviceState)
  const [muted, mute] = useState(isMuted)
  const [busy, during] = useBusy()
  const close = () => openBell(null)

  useEffect(() => {
    if (state === 'unsupported') toast.error(t('device.unsupported'))
  }, [state, t])

  const act = () =>
    during(async () => {
      if (state !== 'on') return setState(await enable())
      try {
        await disable()
      } finally {
        setState(getDeviceState())
      }
    })

  return (
    <Dialog
      title={t('device.title')}
      intro={t(`device.${state}`)}
      onClose={close}
      footer={
        <>
          <Button kind="plain" onClick={close}>
            {t(state === 'off' ? 'device.later' : 'device.close')}
          </Button>
          {state === 'off' && (
            <Button kind="primary" busy={busy} onClick={act} data-autofocus="">
              {t('device.enable')}
            </Button>
          )}
          {state === 'on' && (
            <Button busy={busy} onClick={act}>
              {t('device.disable')}
            </Button>
          )}
        </>
      }
    >
      {state === 'off' && (
        <ul className="s-device-facts">
          <li>{t('device.what')}</li>
          <li>{t('device.private')}</li>
          <li>{t('device.signOut')}</li>
        </ul>
      )}
      <div className="s-device-sound">
        <Switch
          label={t('device.sounds')}
          checked={!muted}
          onChange={on => {
            setMuted(!on)
            mute(!on)
          }}
        />
        <Button kind="plain" size="small" icon={Volume2} onClick={() => void play(settings.sound ?? 'default')}>
          {t('device.listen')}
        </Button>
      </div>
    </Dialog>
  )
}
