// What breaks, or cannot be loaded, says so in its own place and takes nothing else with it (decision 0163).
import { RotateCw } from 'lucide-react'
import { Component, type ReactNode, useEffect, useState } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useLineBack } from '../../session/use-line-back.ts'
import { Button } from './Button.tsx'
import { joinClasses } from './classes.ts'
import { findLoadFailure, type LoadFailure } from './load-failure.ts'
import { Portal } from './Portal.tsx'

/** How a failure is shown: in its place, over the page where the part has no place of its own, or not at all. */
export type FailurePlace = 'inline' | 'floating' | 'nowhere'

interface BoundaryProps {
  readonly place?: FailurePlace
  /** Instead of the usual words. */
  readonly fallback?: (error: unknown) => ReactNode
  /** Called before everything within is drawn again, and when it is left as it failed: whoever comes back finds it tried again. */
  readonly onRetry?: () => void
  readonly children: ReactNode
}

/** Give it a `key` where another thing to show deserves a new try. */
export class Boundary extends Component<BoundaryProps, { failure: { readonly error: unknown } | null }> {
  override state: { readonly failure: { readonly error: unknown } | null } = { failure: null }

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } }
  }

  override componentWillUnmount() {
    if (this.state.failure !== null) this.props.onRetry?.()
  }

  override render() {
    const { failure } = this.state
    const { place, fallback, onRetry, children } = this.props
    if (failure === null) return children
    if (fallback !== undefined) return fallback(failure.error)
    const retry = () => {
      onRetry?.()
      this.setState({ failure: null })
    }
    return <PartFailed error={failure.error} place={place} onRetry={retry} />
  }
}

interface PartFailedProps {
  readonly error: unknown
  readonly place?: FailurePlace
  readonly onRetry: () => void
  /** Gives it up; offered where a part was asked for and can be left alone. */
  readonly onClose?: () => void
}

/** A part that failed: tried again, by itself where the line comes back, or, when the files it needs are those of a former version, the page is loaded anew. */
export function PartFailed({ error, place = 'inline', onRetry, onClose }: PartFailedProps) {
  const t = useTexts('ui')
  const failure = useLoadFailure(error)
  useLineBack(onRetry)
  if (place === 'nowhere') return null
  const card = (
    <div className={joinClasses('b-part-failed', place === 'floating' && 'is-floating')} role="alert">
      <span>{t(`part.${failure ?? 'failed'}`)}</span>
      {failure === 'newVersion' ? (
        <Button size="small" kind="primary" icon={RotateCw} onClick={() => location.reload()}>
          {t('part.reload')}
        </Button>
      ) : (
        <Button size="small" icon={RotateCw} onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
      {onClose && (
        <Button size="small" kind="plain" onClick={onClose}>
          {t('close')}
        </Button>
      )}
    </div>
  )
  return place === 'floating' ? <Portal>{card}</Portal> : card
}

/** Why it failed; null until that is found. */
function useLoadFailure(error: unknown): LoadFailure | null {
  const [found, setFound] = useState<LoadFailure | null>(navigator.onLine ? null : 'offline')
  useEffect(() => {
    let left = false
    void findLoadFailure(error).then(failure => {
      if (!left) setFound(failure)
    })
    return () => {
      left = true
    }
  }, [error])
  return found
}
