// The program of the setting uriIframe, in a frame of our own page that may show exactly that origin.
import { parseIntegrationAddress } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Bone, Drawer, EmptyState, ErrorState, Skeleton, useNarrowerThan } from '@balcao/ui/parts'
import { useSetting } from '@balcao/ui/session'
import { ExternalLink, Unplug } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

/** Longer than this it counts as not answering, though it may still come. */
const PATIENCE_MS = 15_000

export function IntegrationPanel({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('tickets')
  const over = useNarrowerThan('wide')
  const address = parseIntegrationAddress(useSetting('uriIframe'))
  const [round, setRound] = useState(0)
  return (
    <Drawer
      title={t('integration.title')}
      over={over}
      onClose={onClose}
      tools={
        address && (
          <a
            className="b-icon-button"
            href={address.href}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t('integration.open')}
            title={t('integration.open')}
          >
            <ExternalLink size={20} strokeWidth={1.6} aria-hidden="true" />
          </a>
        )
      }
    >
      {address ? (
        <Frame key={`${address.href} ${round}`} host={address.host} onRetry={() => setRound(round + 1)} />
      ) : (
        <EmptyState icon={Unplug} title={t('integration.wrong')} text={t('integration.wrongText')} />
      )}
    </Drawer>
  )
}

function Frame({ host, onRetry }: { readonly host: string; readonly onRetry: () => void }) {
  const t = useTexts('tickets')
  const frame = useRef<HTMLIFrameElement>(null)
  const state = useFrameState(frame)
  return (
    <div className="n-panel">
      {state === 'loading' && (
        <div className="n-wait">
          <Skeleton>
            <Bone width="55%" height={18} />
            <Bone />
            <Bone width="80%" />
            <Bone height={120} />
          </Skeleton>
        </div>
      )}
      {state === 'failed' && (
        <ErrorState
          title={t('integration.failed')}
          text={t('integration.failedText', { host })}
          icon={Unplug}
          onRetry={onRetry}
        />
      )}
      {/* Our own page: it frames the program and says how it goes. */}
      <iframe
        ref={frame}
        className={state === 'ready' ? 'n-frame' : 'n-frame is-hidden'}
        title={t('integration.frame', { host })}
        src="/media/integration"
      />
    </div>
  )
}

function useFrameState(frame: React.RefObject<HTMLIFrameElement | null>): 'loading' | 'ready' | 'failed' {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  useEffect(() => {
    const impatient = setTimeout(() => setState(now => (now === 'loading' ? 'failed' : now)), PATIENCE_MS)
    function hear(event: MessageEvent<unknown>) {
      if (event.source !== frame.current?.contentWindow || event.origin !== location.origin) return
      const { data } = event
      const command = typeof data === 'object' && data !== null && 'integration' in data ? data.integration : null
      // What failed stays so: the browser also says `loaded` of its own page about the failure.
      if (command === 'failed') setState('failed')
      if (command === 'loaded') setState(now => (now === 'failed' ? now : 'ready'))
    }
    window.addEventListener('message', hear)
    return () => {
      clearTimeout(impatient)
      window.removeEventListener('message', hear)
    }
  }, [frame])
  return state
}
