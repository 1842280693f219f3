import { MOST_PAUSED_MS, type MomentName } from '@balcao/contract/calendar/moments'
import { useBusy } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import { MomentChips, MomentField, type MomentInput } from '@balcao/ui/forms'
import { useTexts } from '@balcao/ui/i18n'
import { DockedDialog, Field, FormButtons, TextArea, TextInput } from '@balcao/ui/parts'
import { useLeaveQuestion } from '@balcao/ui/screens'
import { useState } from 'react'
import { change } from '../actions/change.ts'
import { closeDialog } from '../desk/view.ts'
import { holdDialog } from './hold-dialog.ts'
import { keepReason, listPauseReasons, readLastReason } from './reasons.ts'
import type { DialogTarget } from './target.ts'
import { useAnchor } from './use-anchor.ts'

const OFFERED: readonly MomentName[] = ['inAnHour', 'tomorrow', 'monday']

/**
 * open → paused: a reason is required; a text, if any, is for the team (spec 1 §5). A time is chosen by one press, with the reason of last
 * time unless another one is given: then the conversation comes back by itself.
 */
export function PauseDialog({ target: { context, contexts, many } }: { readonly target: DialogTarget }) {
  const t = useTexts('tickets')
  const [reasons] = useState(() => listPauseReasons(t))
  const [tag, setTag] = useState(readLastReason)
  const [knowsReason] = useState(tag !== '')
  const [own, setOwn] = useState<MomentInput>({ words: '', at: null })
  const [message, setMessage] = useState('')
  const [errors, setErrors] = useState<{ readonly tag?: string; readonly own?: string }>({})
  const [busy, during] = useBusy()
  const anchor = useAnchor('ticket.pause')
  const { close, question } = useLeaveQuestion(message.trim() !== '', closeDialog)

  function pause(pauseUntil: string | null) {
    if (busy) return
    const pauseTag = tag.trim()
    if (pauseTag === '') return setErrors({ tag: describeFault('call.pause') })
    keepReason(pauseTag)
    const request = {
      pauseTag,
      ...(pauseUntil === null ? {} : { pauseUntil }),
      ...(message.trim() === '' ? {} : { pauseMessage: message.trim() }),
    }
    if (many) return many(request)
    const leave = holdDialog()
    during(async () => (await change(context, { status: 'paused', ...request })) && leave())
  }

  function submit() {
    const { words, at } = own
    if (words.trim() === '') return pause(null)
    const ahead = at === null ? 0 : at.getTime() - Date.now()
    if (at === null || ahead <= 0 || ahead > MOST_PAUSED_MS) return setErrors({ own: describeFault('call.pauseAhead') })
    pause(at.toISOString())
  }

  function choose(next: string) {
    setTag(next)
    setErrors({})
  }

  return (
    <DockedDialog
      anchor={anchor}
      title={many ? t('pause.titleMany', { count: contexts.length }) : t('pause.title')}
      intro={t('pause.intro')}
      onClose={close}
      onSubmit={submit}
      footer={question ?? <FormButtons framed action={t('pause.do')} busy={busy} onClose={close} />}
    >
      <div className="g-form">
        <Field label={t('pause.tag')} error={errors.tag} required>
          <TextInput value={tag} maxLength={100} placeholder={t('pause.placeholder')} onChange={choose} />
        </Field>
        <fieldset className="g-reasons" aria-label={t('pause.reasons')}>
          {reasons.map(reason => (
            <button key={reason} type="button" aria-pressed={reason === tag} onClick={() => choose(reason)}>
              {reason}
            </button>
          ))}
        </fieldset>
        <MomentChips
          label={t('pause.until')}
          offered={OFFERED}
          hasFocus={knowsReason}
          onChoose={({ at }) => pause(at.toISOString())}
        >
          <button type="button" onClick={() => pause('answer')}>
            {t('pause.answer')}
          </button>
        </MomentChips>
        <MomentField
          {...own}
          label={t('pause.own')}
          error={errors.own}
          hint={t('pause.ownHint')}
          onChange={next => {
            setOwn(next)
            setErrors({})
          }}
        />
        <Field label={t('pause.message')} hint={t('pause.messageHint')}>
          <TextArea value={message} maxLength={4096} onChange={setMessage} />
        </Field>
      </div>
    </DockedDialog>
  )
}
