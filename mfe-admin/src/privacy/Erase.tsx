import type { Erasure, HeldData } from '@balcao/contract'
import { ERASE_WORD } from '@balcao/contract/privacy/erased-name'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { formatDate, formatMoment, useTexts } from '@balcao/ui/i18n'
import { Banner, Button, Field, TextArea, toast } from '@balcao/ui/parts'
import { ConfirmDanger } from '@balcao/ui/screens'
import { Check, Clock, Lock, Trash2, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

interface EraseProps {
  readonly held: HeldData
  readonly onChanged: () => void
}

/** Erasing: held back by protocols until a reason is written, begun by a word, and undone until it begins. */
export function Erase({ held, onChanged }: EraseProps) {
  const t = useTexts('privacy')
  const section = useRef<HTMLElement>(null)
  const isAsked = held.erasure !== null
  const before = useRef(isAsked)
  useEffect(() => {
    if (before.current === isAsked) return
    before.current = isAsked
    // What was pressed is gone: who goes on by keys would begin at the top of the page.
    if (document.activeElement === document.body) section.current?.focus()
  }, [isAsked])
  return (
    <section ref={section} tabIndex={-1} className="b-card grid gap-3 px-4.5 py-4" aria-labelledby="privacy-erase">
      <h2 id="privacy-erase" className="b-card-title">
        {t('erase')}
      </h2>
      {held.erasure ? (
        <Asked erasure={held.erasure} onChanged={onChanged} />
      ) : (
        <Ask held={held} onChanged={onChanged} />
      )}
    </section>
  )
}

function Ask({ held, onChanged }: EraseProps) {
  const t = useTexts('privacy')
  const [reason, setReason] = useState('')
  const [isAsking, setAsking] = useState(false)
  const { count } = held.protocols
  const needsReason = count > 0
  return (
    <>
      {needsReason && (
        <>
          <Banner kind="info" icon={Lock}>
            {t('heldBack', { count })}
          </Banner>
          <Field label={t('reason')} hint={t('reasonHint')} required>
            <TextArea value={reason} onChange={setReason} rows={2} maxLength={2000} />
          </Field>
        </>
      )}
      <p className="m-0 text-cell text-text-2">{t('eraseText')}</p>
      <div>
        <Button
          kind="danger"
          icon={Trash2}
          disabled={needsReason && reason.trim() === ''}
          onClick={() => setAsking(true)}
        >
          {t('eraseNow')}
        </Button>
      </div>
      {isAsking && <Confirm {...{ held, reason, onChanged }} onClose={() => setAsking(false)} />}
    </>
  )
}

interface ConfirmProps extends EraseProps {
  readonly reason: string
  readonly onClose: () => void
}

function Confirm({ held, reason, onChanged, onClose }: ConfirmProps) {
  const t = useTexts('privacy')
  const { person, conversations, files } = held
  const count = files.pictures + files.recordings + files.documents
  return (
    <ConfirmDanger
      great
      title={t('confirm', { name: person.name || t('noName') })}
      figures={[
        { icon: Trash2, text: t('goes', { messages: conversations.messages, count }), danger: true },
        { icon: Lock, text: t('stays') },
        { icon: Clock, text: t('outside') },
      ]}
      wayOut={t('wayOut')}
      grace={t(held.graceDays === 0 ? 'graceNone' : 'grace', {
        count: held.graceDays,
        day: formatDate(addDaysToToday(held.graceDays)),
      })}
      action={t('eraseNow')}
      onConfirm={async () => {
        const erasure = await api('DELETE /privacy/:contactId', {
          params: { contactId: person.id },
          body: { confirm: ERASE_WORD, ...(reason.trim() && { reason: reason.trim() }) },
        })
        toast.success(t('asked', { at: formatMoment(erasure.dueAt) }))
      }}
      onDone={onChanged}
      onClose={onClose}
    />
  )
}

function addDaysToToday(days: number): Date {
  return new Date(Date.now() + days * 86_400_000)
}

function Asked({ erasure, onChanged }: { readonly erasure: Erasure; readonly onChanged: () => void }) {
  const t = useTexts('privacy')
  const by = erasure.user?.name ?? t('owner')
  return (
    <>
      <Banner kind="waiting" icon={erasure.state === 'running' ? Check : Clock}>
        {t(erasure.state === 'running' ? 'running' : 'waits', { at: formatMoment(erasure.dueAt) })}
      </Banner>
      <p className="m-0 text-cell text-text-2">
        {t('by', { name: by, day: formatDate(erasure.askedAt) })} {erasure.reason}
      </p>
      {erasure.state === 'waiting' && <UndoButton contactId={erasure.contactId} onChanged={onChanged} />}
    </>
  )
}

/** Takes a request back. */
export function UndoButton({ contactId, onChanged }: { readonly contactId: number; readonly onChanged: () => void }) {
  const t = useTexts('privacy')
  const [busy, during] = useBusy()
  const undo = async () => {
    // Also where it was undone by a colleague, or had begun: what stands here is not so any more.
    try {
      await api('POST /privacy/:contactId/undo', { params: { contactId } })
      toast.success(t('undone'))
    } finally {
      onChanged()
    }
  }
  return (
    <div>
      <Button icon={Undo2} busy={busy} onClick={() => during(undo)}>
        {t('undo')}
      </Button>
    </div>
  )
}
