// The field with everything around it: what is answered or edited, files, quick answers, tools.
import type { Ticket } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Banner, Checkbox, IconButton } from '@balcao/ui/parts'
import { useSession } from '@balcao/ui/session'
import { Clock, Lock, Paperclip, SendHorizontal, Smile, Zap } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { view } from '../desk/view.ts'
import { ClaimNote } from '../together/ClaimNote.tsx'
import { useClaim } from '../together/use-claim.ts'
import { Attachments } from './Attachments.tsx'
import { QuickAnswers, type QuickAnswersHandle } from './QuickAnswers.tsx'
import { TargetBar } from './TargetBar.tsx'
import { useComposer } from './use-composer.ts'
import { useDrop } from './use-drop.ts'
import { isComment, quickSearch, signatureOf } from './wording.ts'

const Emojis = lazy(() => import('./Emojis.tsx'))

export function Editor({ ticket }: { readonly ticket: Ticket }) {
  const t = useTexts('tickets')
  const { user } = useSession()
  const field = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const quick = useRef<QuickAnswersHandle>(null)
  const [emojis, setEmojis] = useState(false)
  const composer = useComposer(ticket, field)
  const { text, setText, files, addFiles, target, signing, setSigning, blocked, sendable } = composer
  const dropping = useDrop(addFiles)
  const comment = isComment(text) && target?.kind !== 'edit'
  const claim = useClaim(ticket, !comment && target?.kind !== 'edit' && (text.trim() !== '' || files.length > 0))
  function send() {
    if (sendable && claim.pass()) composer.send()
  }
  const search = target ? null : quickSearch(text)
  useGrow(field, text)

  function key(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.nativeEvent.isComposing) return
    if (search !== null && quick.current?.key(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (target) composer.clearTarget()
      else if (search !== null) setText('')
      else field.current?.blur()
    }
  }

  function paste(event: ClipboardEvent) {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    addFiles([...event.clipboardData.files])
  }

  return (
    <footer className="k-composer">
      {blocked === 'window' && (
        <Banner kind="waiting" icon={Clock}>
          {t('composer.windowClosed')}
        </Banner>
      )}
      <ClaimNote claim={claim} onSend={send} />
      {search !== null && (
        <QuickAnswers ref={quick} search={search} onChoose={composer.takeAnswer} onClose={() => setText('')} />
      )}
      {emojis && (
        <Suspense fallback={null}>
          <Emojis
            onClose={() => setEmojis(false)}
            onChoose={emoji => {
              composer.insert(emoji)
              setEmojis(false)
            }}
          />
        </Suspense>
      )}
      <div className={comment ? 'k-box is-note' : 'k-box'}>
        {target && <TargetBar target={target} onClose={composer.clearTarget} />}
        {comment && (
          <p className="k-note">
            <Lock size={14} strokeWidth={2} aria-hidden="true" />
            {t('comment.head')}
          </p>
        )}
        <Attachments files={files} onRemove={composer.removeFile} />
        <textarea
          ref={field}
          rows={1}
          className="k-field"
          aria-label={t('composer.label', { name: ticket.contact.name })}
          placeholder={t(files.length > 0 ? 'composer.caption' : 'composer.placeholder')}
          value={text}
          maxLength={65_536}
          onChange={event => setText(event.target.value)}
          onKeyDown={key}
          onPaste={paste}
        />
        <div className="k-tools">
          <IconButton
            icon={Paperclip}
            label={t('composer.attach')}
            tooltipSide="above"
            onClick={() => chooser.current?.click()}
          />
          <IconButton
            icon={Smile}
            label={t('composer.emoji')}
            tooltipSide="above"
            pressed={emojis}
            onClick={() => setEmojis(!emojis)}
          />
          <IconButton
            icon={Zap}
            label={t('composer.quick')}
            shortcut="/"
            tooltipSide="above"
            onClick={() => composer.begin('/')}
          />
          <IconButton
            icon={Lock}
            label={t('composer.comment')}
            tooltipSide="above"
            pressed={comment}
            onClick={composer.toggleComment}
          />
          <span className="k-space" />
          <Checkbox checked={signing} onChange={setSigning} className="k-sign">
            {t('composer.sign', { name: signatureOf(user?.name ?? '') })}
          </Checkbox>
          {comment ? (
            <button type="button" className="k-send is-note" disabled={!sendable} onClick={send}>
              {t('composer.commentSend')}
            </button>
          ) : (
            <button
              type="button"
              className="k-send"
              disabled={!sendable}
              aria-label={t('composer.send')}
              onClick={send}
            >
              <SendHorizontal size={20} strokeWidth={1.6} aria-hidden="true" />
            </button>
          )}
        </div>
        {dropping && <p className="k-drop">{t('composer.drop')}</p>}
      </div>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={t('composer.attach')}
        onChange={event => {
          addFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <p className="b-only-read" aria-live="polite">
        {composer.problem ?? ''}
      </p>
      {composer.problem && <p className="k-problem">{composer.problem}</p>}
    </footer>
  )
}

/** Grows with its text up to 5 rows. */
export function useGrow(field: React.RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again for each text
  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [field, text])
  useEffect(() => {
    // On phones the keyboard would hide what is to be read; J and K must not end as letters in the field.
    if (Date.now() - view.steppedAt < 1000) return
    if (window.matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true })
  }, [field])
}
