import { useTexts } from '@balcao/ui/i18n'
import { Button, EmptyState, type LoadFailure, useCountdown } from '@balcao/ui/parts'
import { useLocation, useNavigate } from '@balcao/ui/router'
import { useLineBack } from '@balcao/ui/session'
import { CloudOff, Hourglass, type LucideIcon, Plug, RotateCw, WifiOff } from 'lucide-react'
import '../frame/late.ts'

const RETRY_SECONDS = 15
const ICONS: Record<LoadFailure, LucideIcon> = {
  offline: WifiOff,
  unreachable: CloudOff,
  slow: Hourglass,
  newVersion: RotateCw,
  failed: Plug,
}

interface NotLoadedProps {
  /** null: it was loaded, and broke by itself. */
  readonly failure: LoadFailure | null
  readonly label: string
  readonly onRetry: () => void
}

/** Stands where a page would: why it does not, when it is tried again, and where to go meanwhile. */
export default function NotLoaded({ failure, label, onRetry }: NotLoadedProps) {
  const t = useTexts('shell')
  return (
    <div className="s-remote-failed" role="alert">
      <EmptyState
        icon={failure ? ICONS[failure] : Plug}
        tone="waiting"
        title={failure ? t('remote.failed', { area: label }) : t('remote.broken')}
        text={t(`remote.why.${failure ?? 'failed'}`)}
      >
        {failure !== 'newVersion' && (
          <Button kind="primary" onClick={onRetry}>
            {t('remote.retry')}
          </Button>
        )}
        <WayOut isPrimary={failure === 'newVersion'} />
        {/* What broke by itself would break again, and a new version comes with the page. */}
        {failure && failure !== 'newVersion' && <Retrying failure={failure} onRetry={onRetry} />}
      </EmptyState>
    </div>
  )
}

/** Tries again: when the line is back, and every few seconds where there is one. */
function Retrying({ failure, onRetry }: { readonly failure: LoadFailure; readonly onRetry: () => void }) {
  const t = useTexts('ui')
  const left = useCountdown(failure === 'offline' ? undefined : RETRY_SECONDS, onRetry)
  useLineBack(onRetry)
  return left !== undefined && left > 0 ? <span className="b-quiet">{t('retryIn', { seconds: left })}</span> : null
}

/** To the conversations, or, from there and for a new version, to the page as the server has it now. */
function WayOut({ isPrimary }: { readonly isPrimary: boolean }) {
  const t = useTexts('shell')
  const navigate = useNavigate()
  const isHome = useLocation().pathname.startsWith('/tickets')
  return isHome || isPrimary ? (
    <Button kind={isPrimary ? 'primary' : 'plain'} onClick={() => location.reload()}>
      {t('remote.reload')}
    </Button>
  ) : (
    <Button kind="plain" onClick={() => void navigate('/tickets')}>
      {t('remote.back')}
    </Button>
  )
}
