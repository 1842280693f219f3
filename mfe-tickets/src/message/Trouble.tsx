// Why a message of ours did not go out, or that nobody knows; and the one thing to do about it (spec 1 §8).
import type { ErrorLog, Message } from '@balcao/contract'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { useState } from 'react'
import { takeMessage } from '../conversation/conversation-store.ts'
import { server } from '../server.ts'

type Texts = ReturnType<typeof useTexts>

export function Trouble({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const [busy, setBusy] = useState(false)
  if (
    message.id < 0 ||
    !message.fromMe ||
    message.isDeleted ||
    (message.state !== 'failed' && message.state !== 'unknown')
  )
    return null
  if (message.state === 'unknown') return <p className="m-trouble is-unknown">{t('trouble.unknown')}</p>

  async function again() {
    setBusy(true)
    try {
      takeMessage(await server.retry(message.id))
    } catch (error) {
      toast.error(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <p className="m-trouble">
      {reasonOf(message.errorLog, t)}{' '}
      <button type="button" className="b-link" disabled={busy} onClick={again}>
        {t('trouble.retry')}
      </button>
    </p>
  )
}

/** The text of an error log: 131047 has its own, others show details or message, none at all reads 404 (spec 1 §8). */
export function reasonOf(log: ErrorLog | null, t: Texts): string {
  if (!log) return '404'
  if (String(log.code) === '131047') return t('trouble.window')
  return log.error_data?.details || log.message || String(log.code)
}
