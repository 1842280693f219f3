// What breaks, or cannot be loaded, says so in its own place and takes nothing else with it (decision 0163).
import { RotateCw } from 'lucide-react'
import { Component, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../i18n/index.ts'
import { Button } from './Button.tsx'
import { classes } from './classes.ts'
import { Portal } from './Portal.tsx'

/** How a failure is shown: in its place, over the page where the part has no place of its own, or not at all. */
export type FailurePlace = 'inline' | 'floating' | 'nowhere'

interface BoundaryProps {
  readonly place?: FailurePlace
  /** Instead of the usual words. */
  readonly fallback?: ReactNode
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
    if (fallback !== undefined) return fallback
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
  const gone = useGone(error)
  const tryAgain = useEffectEvent(onRetry)
  useEffect(() => {
    const again = () => tryAgain()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  if (place === 'nowhere') return null
  const card = (
    <div className={classes('b-part-failed', place === 'floating' && 'is-floating')} role="alert">
      <span>{t(gone ? 'part.newVersion' : 'part.failed')}</span>
      {gone ? (
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

/** Whether what could not be loaded is not on the server any more: the page is of a former version. */
function useGone(error: unknown): boolean {
  const [gone, setGone] = useState(false)
  useEffect(() => {
    let left = false
    void isGone(error).then(is => {
      if (!left) setGone(is)
    })
    return () => {
      left = true
    }
  }, [error])
  return gone
}

/** A script that failed names its address; of a style the browser remembers how it was answered. */
async function isGone(error: unknown): Promise<boolean> {
  if (!(error instanceof Error) || error.name !== 'ChunkLoadError') return false
  const request: unknown = Reflect.get(error, 'request')
  if (typeof request !== 'string') return performance.getEntriesByType('resource').some(isMissingFile)
  try {
    const { status } = await fetch(request, { method: 'HEAD', cache: 'no-store' })
    return status === 404
  } catch {
    // No line: trying again is what helps.
    return false
  }
}

function isMissingFile(entry: PerformanceEntry): boolean {
  return entry.name.includes('/assets/') && 'responseStatus' in entry && entry.responseStatus === 404
}
