import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { StatusPill, Switch } from '@balcao/ui/parts'
import { useSetting, useUser } from '@balcao/ui/session'

/** Whether the bot answers new tickets (`activeBot`): administrators switch it, everybody sees it. */
export function BotSwitch() {
  const t = useTexts('questions')
  const isOn = useSetting('activeBot')
  const isAdmin = useUser().profile === 'admin'
  const [busy, during] = useBusy()
  const label = t(isOn ? 'bot.on' : 'bot.off')
  if (!isAdmin) return <StatusPill kind={isOn ? 'ok' : 'quiet'}>{label}</StatusPill>
  return (
    <Switch
      label={label}
      checked={isOn}
      disabled={busy}
      onChange={on =>
        during(() =>
          api('PUT /settings/:key', { params: { key: 'activeBot' }, body: { value: on ? 'enabled' : 'disabled' } }),
        )
      }
    />
  )
}
