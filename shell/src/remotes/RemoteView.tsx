import { useTexts } from '@balcao/ui/i18n'
import { Boundary, Button, EmptyState, RemoteArea, RowSkeletons, useSkeleton } from '@balcao/ui/parts'
import { useNavigate } from '@balcao/ui/router'
import { Plug } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { RemoteDefinition } from './definitions.ts'
import { loadApp, register } from './load.ts'

/** One remote in its own area: a failure, a hang of 10 s or a crash shows a retry card here and nowhere else. */
export function RemoteView({ remote, label }: { readonly remote: RemoteDefinition; readonly label: string }) {
  const [attempt, setAttempt] = useState(0)
  const [App, setApp] = useState(() => lazy(() => loadApp(remote.name)))

  function retry() {
    register([remote], true)
    setApp(() => lazy(() => loadApp(remote.name)))
    setAttempt(attempt + 1)
  }

  return (
    <RemoteArea name={remote.name} className="s-remote">
      <Boundary key={attempt} fallback={<Failed label={label} onRetry={retry} />}>
        <Suspense fallback={<Waiting />}>
          <App />
        </Suspense>
      </Boundary>
    </RemoteArea>
  )
}

function Waiting() {
  const shown = useSkeleton(true)
  return shown ? <RowSkeletons /> : null
}

function Failed({ label, onRetry }: { readonly label: string; readonly onRetry: () => void }) {
  const t = useTexts('shell')
  const navigate = useNavigate()
  return (
    <div className="s-remote-failed" role="alert">
      <EmptyState icon={Plug} tone="waiting" title={t('remote.failed', { area: label })} text={t('remote.text')}>
        <Button kind="primary" onClick={onRetry}>
          {t('remote.retry')}
        </Button>
        <Button kind="plain" onClick={() => void navigate('/tickets')}>
          {t('remote.back')}
        </Button>
      </EmptyState>
    </div>
  )
}
