import { useHeldLetters } from '@balcao/ui/actions'
import { Boundary, defineLatePart, RemoteArea, RowSkeletons, useSkeleton } from '@balcao/ui/parts'
import { lazy, Suspense, useState } from 'react'
import type { RemoteDefinition } from './definitions.ts'
import { loadApp, RemoteNotLoaded, register } from './load.ts'

/** Fetched ahead by the frame: it is needed when there is no line. */
export const NotLoaded = defineLatePart(
  () => import(/* webpackChunkName: "lazy-palette" */ './NotLoaded.tsx'),
  'inline',
)

/** One remote in its own area: a failure, a hang of 10 s or a crash shows a card here and nowhere else, which tries again by itself. */
export function RemoteView({ remote, label }: { readonly remote: RemoteDefinition; readonly label: string }) {
  const [attempt, setAttempt] = useState(0)
  const [App, setApp] = useState(() => lazy(() => loadApp(remote)))

  function retry() {
    register([remote], true)
    setApp(() => lazy(() => loadApp(remote)))
    setAttempt(attempt + 1)
  }

  return (
    <RemoteArea name={remote.name} className="s-remote">
      <Boundary
        key={attempt}
        fallback={error => (
          <NotLoaded failure={error instanceof RemoteNotLoaded ? error.failure : null} label={label} onRetry={retry} />
        )}
      >
        <Suspense fallback={<Waiting />}>
          <App />
        </Suspense>
      </Boundary>
    </RemoteArea>
  )
}

function Waiting() {
  useHeldLetters('page')
  const shown = useSkeleton(true)
  return shown ? <RowSkeletons /> : null
}
