import { useTexts } from '@balcao/ui/i18n'
import { Button, DockedDialog, Field, TextArea, TextInput } from '@balcao/ui/parts'
import { useState } from 'react'
import { change } from '../actions/change.ts'
import type { TicketContext } from '../actions/ticket-action.ts'
import { closeDialog } from '../desk/view.ts'
import { Cancel } from './AcceptDialog.tsx'
import { useAnchor } from './use-anchor.ts'

/** open → paused: a reason is required, words to the customer are not (spec 1 §5). */
export function PauseDialog({ context }: { readonly context: TicketContext }) {
  const t = useTexts('tickets')
  const [tag, setTag] = useState('')
  const [message, setMessage] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const anchor = useAnchor('ticket.pause')

  async function pause() {
    if (busy) return
    if (tag.trim() === '') return setError(t('pause.required'))
    setBusy(true)
    const ticket = await change(context, {
      status: 'paused',
      pauseTag: tag.trim(),
      ...(message.trim() === '' ? {} : { pauseMessage: message.trim() }),
    })
    setBusy(false)
    if (ticket) closeDialog()
  }

  return (
    <DockedDialog
      anchor={anchor}
      title={t('pause.title')}
      intro={t('pause.intro')}
      onClose={closeDialog}
      onSubmit={() => void pause()}
      footer={
        <>
          <Cancel />
          <Button type="submit" kind="primary" busy={busy}>
            {t('pause.do')}
          </Button>
        </>
      }
    >
      <div className="g-form">
        <Field label={t('pause.tag')} error={error} required>
          <TextInput
            value={tag}
            maxLength={100}
            placeholder={t('pause.placeholder')}
            onChange={next => {
              setTag(next)
              setError(null)
            }}
          />
        </Field>
        <Field label={t('pause.message')} hint={t('pause.messageHint')}>
          <TextArea value={message} maxLength={4096} onChange={setMessage} />
        </Field>
      </div>
    </DockedDialog>
  )
}
