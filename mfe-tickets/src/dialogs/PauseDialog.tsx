import { useBusy } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import { useTexts } from '@balcao/ui/i18n'
import { DockedDialog, Field, FormButtons, TextArea, TextInput } from '@balcao/ui/parts'
import { useState } from 'react'
import { change } from '../actions/change.ts'
import { closeDialog } from '../desk/view.ts'
import { keepReason, listPauseReasons } from './reasons.ts'
import type { DialogTarget } from './target.ts'
import { useAnchor } from './use-anchor.ts'

/** open → paused: a reason is required; a text, if any, is for the team (spec 1 §5). */
export function PauseDialog({ target: { context, contexts, many } }: { readonly target: DialogTarget }) {
  const t = useTexts('tickets')
  const [reasons] = useState(() => listPauseReasons(t))
  const [tag, setTag] = useState('')
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, during] = useBusy()
  const anchor = useAnchor('ticket.pause')

  function pause() {
    if (busy) return
    const pauseTag = tag.trim()
    if (pauseTag === '') return setError(describeFault('call.pause'))
    keepReason(pauseTag)
    const given = { pauseTag, ...(message.trim() === '' ? {} : { pauseMessage: message.trim() }) }
    if (many) return many(given)
    during(async () => (await change(context, { status: 'paused', ...given })) && closeDialog())
  }

  function choose(next: string) {
    setTag(next)
    setError(null)
  }

  return (
    <DockedDialog
      anchor={anchor}
      title={many ? t('pause.titleMany', { count: contexts.length }) : t('pause.title')}
      intro={t('pause.intro')}
      onClose={closeDialog}
      onSubmit={pause}
      footer={<FormButtons framed action={t('pause.do')} busy={busy} onClose={closeDialog} />}
    >
      <div className="g-form">
        <Field label={t('pause.tag')} error={error} required>
          <TextInput value={tag} maxLength={100} placeholder={t('pause.placeholder')} onChange={choose} />
        </Field>
        <fieldset className="g-reasons" aria-label={t('pause.reasons')}>
          {reasons.map(reason => (
            <button key={reason} type="button" aria-pressed={reason === tag} onClick={() => choose(reason)}>
              {reason}
            </button>
          ))}
        </fieldset>
        <Field label={t('pause.message')} hint={t('pause.messageHint')}>
          <TextArea value={message} maxLength={4096} onChange={setMessage} />
        </Field>
      </div>
    </DockedDialog>
  )
}
