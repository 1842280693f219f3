// Under a bubble that is not on the server yet: how far its file is, or why it was refused and what to do.
import { useTexts } from '@balcao/ui/i18n'
import type { UnsentMessage } from '../composer/outgoing.ts'
import { getStores } from '../desk/stores.ts'

export function UnsentNote({ entry }: { readonly entry: UnsentMessage | undefined }) {
  const t = useTexts('tickets')
  if (!entry) return null
  if (entry.state === 'refused')
    return (
      <p className="m-trouble">
        {entry.error}{' '}
        <button type="button" className="b-link" onClick={() => getStores().outgoing.retry(entry.clientId)}>
          {t('trouble.retry')}
        </button>{' '}
        <button type="button" className="b-link" onClick={() => getStores().outgoing.discard(entry.clientId)}>
          {t('trouble.discard')}
        </button>
      </p>
    )
  if (!entry.file || entry.progress === 0 || entry.progress === 1) return null
  return <progress className="m-progress" value={entry.progress} max={1} aria-label={t('file.sending')} />
}
