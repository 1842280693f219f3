// Under a bubble that is not on the server yet: how far its file is, that it may be taken away, or why it was refused and what to do.
import { useTexts } from '@balcao/ui/i18n'
import type { UnsentMessage } from '../composer/outgoing.ts'
import { getStores } from '../desk/stores.ts'

export function UnsentNote({ entry }: { readonly entry: UnsentMessage | undefined }) {
  const t = useTexts('tickets')
  if (!entry) return null
  const discard = (
    <button type="button" className="b-link" onClick={() => getStores().outgoing.discard(entry.clientId)}>
      {t('trouble.discard')}
    </button>
  )
  if (entry.state === 'refused')
    return (
      <p className="m-trouble">
        {entry.error}{' '}
        <button type="button" className="b-link" onClick={() => getStores().outgoing.retry(entry.clientId)}>
          {t('trouble.retry')}
        </button>{' '}
        {discard}
      </p>
    )
  // Once its file is up nobody knows whether the server has it.
  if (entry.state === 'waiting' && entry.isDelayed && entry.file && !entry.uploadId)
    return <p className="m-trouble is-unknown">{discard}</p>
  if (!entry.file || entry.progress === 0 || entry.progress === 1) return null
  return <progress className="m-progress" value={entry.progress} max={1} aria-label={t('file.sending')} />
}
