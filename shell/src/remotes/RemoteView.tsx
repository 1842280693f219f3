import { useHeldLetters } from '@balcao/ui/actions'
import { Boundary, defineLatePart, type LoadFailure, RemoteArea, RowSkeletons, useSkeleton } from '@balcao/ui/parts'
import { type ComponentType, useEffect, useState } from 'react'
import type { RemoteDefinition } from './definitions.ts'
import { findApp, forgetApp, loadApp, RemoteNotLoaded } from './load.ts'

/** Fetched ahead by the frame: it is needed when there is no line. */
export const NotLoaded = defineLatePart(
  () => import(/* webpackChunkName: "lazy-palette" */ './NotLoaded.tsx'),
  'inline',
)

/** One remote in its own area: a failure, a hang of 10 s or a crash shows a card here and nowhere else, which tries again by itself. */
export function RemoteView({ remote, label }: { readonly remote: RemoteDefinition; readonly label: string }) {
  const [attempt, setAttempt] = useState(0)
  const { App, failure } = useApp(remote, attempt)

  function retry() {
    forgetApp(remote)
    setAttempt(attempt + 1)
  }

  return (
    <RemoteArea name={remote.name} className="s-remote">
      <Boundary key={attempt} fallback={() => <NotLoaded failure={null} label={label} onRetry={retry} />}>
        {App ? <App /> : failure ? <NotLoaded failure={failure} label={label} onRetry={retry} /> : <Waiting />}
      </Boundary>
    </RemoteArea>
  )
}

/** The App of a remote, drawn in the moment it is here, or why it is not. Not `lazy`: see `defineLatePart`. */
function useApp(remote: RemoteDefinition, attempt: number) {
  const [state, setState] = useState<AppState>(() => ({ attempt, App: findApp(remote), failure: null }))
  const isHere = state.attempt === attempt && state.App !== null
  useEffect(() => {
    if (isHere) return
    let left = false
    const put = (App: ComponentType | null, failure: LoadFailure | null) => {
      if (!left) setState({ attempt, App, failure })
    }
    loadApp(remote).then(
      App => put(App, null),
      (error: unknown) => {
        const { failure, arriving } = error instanceof RemoteNotLoaded ? error : { failure: 'failed' as const }
        put(null, failure)
        // What comes after its time is shown, not fetched once more.
        arriving?.then(
          App => put(App, null),
          () => undefined,
        )
      },
    )
    return () => {
      left = true
    }
  }, [remote, attempt, isHere])
  return state.attempt === attempt ? state : { App: null, failure: null }
}

interface AppState {
  readonly attempt: number
  readonly App: ComponentType | null
  readonly failure: LoadFailure | null
}

function Waiting() {
  useHeldLetters('page')
  const shown = useSkeleton(true)
  return shown ? <RowSkeletons /> : null
}
