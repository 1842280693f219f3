import { useTexts } from '@balcao/ui/i18n'
import { Banner } from '@balcao/ui/parts'
import { useLocation } from '@balcao/ui/router'
import { useSession } from '@balcao/ui/session'
import { Check, RotateCw, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'

/** A blink of the line is not worth a banner. */
const PATIENCE = 1500
const FAREWELL = 2500

/** The banner over the page: offline, catching up, and for a moment that all is up to date again. */
export function ConnectionLine() {
  const t = useTexts('shell')
  const { connection } = useSession()
  // Only what is written to somebody goes out by itself.
  const isForm = !useLocation().pathname.startsWith('/tickets')
  const shown = useShown(connection.state)
  if (shown === 'offline') {
    return (
      <Banner kind="waiting" icon={WifiOff}>
        <strong>{t('line.offline')}</strong> {t(isForm ? 'line.offlineForm' : 'line.offlineText')}
      </Banner>
    )
  }
  if (shown === 'catching-up') {
    const { done, total } = connection
    return (
      <Banner kind="info" icon={RotateCw} progress={total === 0 ? 0 : done / total}>
        {t('line.catchingUp', { done, total })}
      </Banner>
    )
  }
  if (shown === 'caught-up') {
    return (
      <Banner kind="ok" icon={Check}>
        {t('line.caughtUp')}
      </Banner>
    )
  }
  return null
}

type LineState = 'none' | 'offline' | 'catching-up' | 'caught-up'

function useShown(state: ReturnType<typeof useSession>['connection']['state']) {
  const [shown, setShown] = useState<LineState>('none')
  useEffect(() => {
    if (state === 'catching-up') setShown('catching-up')
    if (state === 'live') setShown(before => (before === 'none' ? 'none' : 'caught-up'))
    if (state !== 'offline' && state !== 'live') return
    const timer = setTimeout(
      () => setShown(state === 'offline' ? 'offline' : 'none'),
      state === 'offline' ? PATIENCE : FAREWELL,
    )
    return () => clearTimeout(timer)
  }, [state])
  return shown
}
