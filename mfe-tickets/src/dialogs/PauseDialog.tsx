import { formatIsoDay, formatTimeOfDay, toInstant, toWallClock } from '@balcao/contract'
import { listMoments, MOST_PAUSED_MS, type MomentName } from '@balcao/contract/calendar/moments'
import { useBusy } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import { useTexts } from '@balcao/ui/i18n'
import { DockedDialog, Field, FormButtons, TextArea, TextInput, useNow } from '@balcao/ui/parts'
import { useSetting } from '@balcao/ui/session'
import { useRef, useState } from 'react'
import { change } from '../actions/change.ts'
import { closeDialog } from '../desk/view.ts'
import { keepReason, listPauseReasons, readLastReason } from './reasons.ts'
import type { DialogTarget } from './target.ts'
import { useAnchor } from './use-anchor.ts'

/** Left open, it offers what lies ahead then. */
const MINUTE_MS = 60_000
const OFFERED: readonly MomentName[] = ['inAnHour', 'tomorrow', 'monday']

/**
 * open → paused: a reason is required; a text, if any, is for the team (spec 1 §5). A time is chosen by one press, with the reason of last
 * time unless another one is given: then the conversation comes back by itself.
 */
export function PauseDialog({ target: { context, contexts, many } }: { readonly target: DialogTarget }) {
  const t = useTexts('tickets')
  const timezone = useSetting('timezone')
  const [reasons] = useState(() => listPauseReasons(t))
  const [tag, setTag] = useState(readLastReason)
  const [knowsReason] = useState(tag !== '')
  const now = new Date(useNow(MINUTE_MS))
  const [own, setOwn] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [message, setMessage] = useState('')
  const [errors, setErrors] = useState<{ readonly tag?: string; readonly own?: string }>({})
  const [busy, during] = useBusy()
  const anchor = useAnchor('ticket.pause')

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
    during(async () => (await change(context, { status: 'paused', ...request })) && closeDialog())
  }

  function submit() {
    // A time that is half written reads as none.
    if (own === '' && !field.current?.validity.badInput) return pause(null)
    const at = parseLocalTime(own, timezone)
    const ahead = at === null ? 0 : at.getTime() - Date.now()
    if (at === null || ahead <= 0 || ahead > MOST_PAUSED_MS) return setErrors({ own: describeFault('call.pauseAhead') })
    pause(at.toISOString())
  }

  function choose(next: string) {
    setTag(next)
    setErrors({})
  }

  const moments = listMoments(OFFERED, now, timezone)
  return (
    <DockedDialog
      anchor={anchor}
      title={many ? t('pause.titleMany', { count: contexts.length }) : t('pause.title')}
      intro={t('pause.intro')}
      onClose={closeDialog}
      onSubmit={submit}
      footer={<FormButtons framed action={t('pause.do')} busy={busy} onClose={closeDialog} />}
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
        <fieldset className="g-reasons is-named">
          <legend>{t('pause.until')}</legend>
          {moments.map(({ name, at }, index) => (
            <button
              key={name}
              type="button"
              data-autofocus={knowsReason && index === 0 ? '' : undefined}
              onClick={() => pause(at.toISOString())}
            >
              {t(`pause.moment.${name}`)}
            </button>
          ))}
          <button type="button" onClick={() => pause('answer')}>
            {t('pause.moment.answer')}
          </button>
        </fieldset>
        <Field label={t('pause.own')} error={errors.own} hint={t('pause.ownHint')}>
          <TextInput
            ref={field}
            type="datetime-local"
            value={own}
            min={toLocalTime(now, timezone)}
            onChange={next => {
              setOwn(next)
              setErrors({})
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

function toLocalTime(instant: Date, timezone: string): string {
  const clock = toWallClock(instant, timezone)
  return `${formatIsoDay(clock)}T${formatTimeOfDay(clock)}`
}

/** The instant at which the company's clocks show what the field says; null where it says nothing whole. */
function parseLocalTime(text: string, timezone: string): Date | null {
  const [year, month, day, hour, minute] = (/^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(text)?.slice(1) ?? []).map(
    Number,
  )
  if (year === undefined || month === undefined || day === undefined || hour === undefined || minute === undefined)
    return null
  return toInstant({ year, month, day, hour, minute }, timezone)
}
