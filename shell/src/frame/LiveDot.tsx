import { useTexts } from '@balcao/ui/i18n'
import { useSession } from '@balcao/ui/session'

/** The state of the line, always in sight: a dot and a word. */
export function LiveDot() {
  const t = useTexts('shell')
  const { state, done, total } = useSession().connection
  const text =
    state === 'live'
      ? t('line.live')
      : state === 'offline'
        ? t('line.offlineShort')
        : state === 'catching-up'
          ? t('line.catchingUp', { done, total })
          : t('line.connecting')
  return (
    <span className={`s-live is-${state}`} role="status" title={text}>
      <span className="s-live-dot" />
      <span className="s-live-word">{text}</span>
    </span>
  )
}
