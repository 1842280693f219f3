// The field with everything around it: what is answered or edited, files, suggestions, tools. For tickets and internal chats.
import '../conversation/texts.ts'
import { getCapabilities } from '@balcao/contract/connections/kinds'
import { hasKeyboard, isComposing, useHeldLetters } from '@balcao/ui/actions'
import { reportErrors } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { defineLatePart } from '@balcao/ui/parts'
import { Lock } from 'lucide-react'
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, useDeferredValue, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { clearMarks, marked as markedRows } from '../bulk/marked.ts'
import { ClaimNote } from '../viewers/ClaimNote.tsx'
import { useClaim } from '../viewers/use-claim.ts'
import { hasCaption } from './attachments.ts'
import { useOpeningEnds } from './coming.ts'
import type { ComposerContext } from './composer-context.ts'
import { keepMembers } from './drafts.ts'
import { markNextBlank, replaceText } from './field.ts'
import { type Format, resolveFormat } from './formats.ts'
import { toggleLineMark, toggleMark } from './formatting.ts'
import { isOver } from './length.ts'
import type { NamedPerson } from './MentionList.tsx'
import { ReadAs } from './ReadAs.tsx'
import type { SuggestionsHandle } from './Suggestions.tsx'
import { TargetBar } from './TargetBar.tsx'
import { type ComposerPanel, Tools } from './Tools.tsx'
import { useAssistAction } from './use-assist-action.ts'
import { useComposer } from './use-composer.ts'
import { useDrop } from './use-drop.ts'
import { useFocusOnOpen, useGrow, useTypingEnds, useWriteKey } from './use-grow.ts'
import { useTemplatesAsked } from './use-templates-asked.ts'
import { findNameBefore, findWordBefore, parseQuickSearch } from './wording.ts'

const QuickAnswers = defineLatePart(() => import('./QuickAnswers.tsx'), 'inline')
const WordList = defineLatePart(() => import('./WordList.tsx'), 'inline')
const MentionList = defineLatePart(() => import('./MentionList.tsx'), 'inline')
const Attachments = defineLatePart(() => import('./Attachments.tsx'), 'inline')
const FormatBar = defineLatePart(() => import('./FormatBar.tsx'), 'inline')
const AssistPanel = defineLatePart(() => import('./AssistPanel.tsx'), 'inline', AssistRoom)
const WindowNote = defineLatePart(() => import('./WindowNote.tsx'), 'inline')
const Emojis = defineLatePart(() => import('./Emojis.tsx'))
const Recorder = defineLatePart(() => import('./Recorder.tsx'), 'inline', RecorderRoom)
const TemplateDialog = defineLatePart(() => import('./TemplateDialog.tsx'))
const ContactDialog = defineLatePart(() => import('./ContactDialog.tsx'))

interface EditorProps {
  readonly place: ComposerContext
  readonly placeholder: string
}

export function Editor({ place, placeholder }: EditorProps) {
  const t = useTexts('tickets')
  const field = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const emojiButton = useRef<HTMLButtonElement>(null)
  const suggestions = useRef<SuggestionsHandle>(null)
  const [panel, setPanel] = useState<ComposerPanel | null>(null)
  const [caret, setCaret] = useState(0)
  const composer = useComposer(place, field)
  const { text, sheet, target, comment, editing } = composer
  const { ticket } = place
  const answers = !comment && !editing && (composer.anything || panel === 'record')
  const claim = useClaim(ticket?.id ?? null, ticket !== null && answers)
  const dropping = useDrop(composer.addFiles)
  const search = ticket && !target && !comment && sheet.files.length === 0 ? parseQuickSearch(text) : null
  const word = ticket && search === null ? findWordBefore(text, caret) : null
  const names = ticket && (comment || (ticket.isGroup && !editing && sheet.files.length === 0))
  const called = names ? findNameBefore(text, caret) : null
  const chosen = sheet.files.find(file => file.id === sheet.chosen)
  const shown = useDeferredValue(text)
  useGrow(field, text)
  useFocusOnOpen(field, ticket?.id ?? null, place.accept !== null)
  useOpeningEnds(place.accept ? 'fails' : 'stands')
  useWriteKey(field)
  useTypingEnds(field)
  const isUnassisted = panel !== 'record' && panel !== 'assist'
  useAssistAction(ticket !== null && !comment && !composer.blocked && !editing && isUnassisted, {
    prepare: () => void AssistPanel.fetch().catch(() => undefined),
    perform: () => setPanel('assist'),
  })
  useTemplatesAsked(ticket?.id ?? null, () => setPanel('template'))

  /** The field stands there anew after recording, and has the focus before the next key; on phones its keyboard would cover what was said. */
  function backToField() {
    flushSync(() => setPanel(null))
    if (hasKeyboard()) field.current?.focus()
  }

  /** What goes out by itself from a dialog needs a conversation that is one's own. */
  function choosePanel(next: ComposerPanel | null) {
    if (place.accept === null || (next !== 'template' && next !== 'contact')) return setPanel(next)
    const { accept } = place
    void reportErrors(async () => (await accept()) && setPanel(next))
  }

  function send() {
    if (composer.sendable && claim.pass()) composer.send()
  }

  /** Enter and the button: what was to be chosen from a list is not sent, nor before the list is there. */
  function press() {
    const isComing =
      search !== null || (word !== null && !WordList.isHere()) || (called !== null && !MentionList.isHere())
    const list = suggestions.current
    if (list ? field.current && !list.take(field.current) : !isComing) send()
  }

  function format(how: Format) {
    const element = field.current
    if (!element) return
    const { value, selectionStart: start, selectionEnd: end } = element
    replaceText(
      element,
      'mark' in how ? toggleMark(value, start, end, how.mark) : toggleLineMark(value, start, end, how.line),
    )
  }

  function chooseWord(piece: string) {
    const element = field.current
    if (!element || word === null) return
    const from = element.value.lastIndexOf('{{', caret)
    replaceText(element, { from, to: caret, piece, start: from + piece.length, end: from + piece.length })
  }

  function chooseName({ id, name }: NamedPerson) {
    const element = field.current
    if (!element) return
    if (typeof id === 'string') keepMembers(place.lane, [{ id, name }])
    const from = element.value.lastIndexOf('@', caret - 1)
    const end = from + name.length + 2
    replaceText(element, { from, to: caret, piece: `@${name} `, start: end, end })
  }

  function key(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (isComposing(event.nativeEvent)) return
    if ((search !== null || word !== null || called !== null) && suggestions.current?.key(event)) return
    const how = resolveFormat(event)
    if (how) {
      event.preventDefault()
      format(how)
    } else if (event.key === 'Tab') {
      if (ticket && markNextBlank(event.currentTarget, event.shiftKey)) event.preventDefault()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey && (event.ctrlKey || hasKeyboard())) {
      event.preventDefault()
      press()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (target) composer.clearTarget()
      else if (word !== null || called !== null) setCaret(0)
      else if (search !== null) composer.setText('')
      else if (markedRows.ids.length > 0) clearMarks()
      else field.current?.closest<HTMLElement>('.c-conversation')?.focus({ preventScroll: true })
    }
  }

  function takeFiles({ target }: ChangeEvent<HTMLInputElement>) {
    composer.addFiles([...(target.files ?? [])])
    target.value = ''
  }

  function paste(event: ClipboardEvent) {
    if (event.clipboardData.files.length === 0 || isFormattedText(event.clipboardData)) return
    event.preventDefault()
    composer.addFiles([...event.clipboardData.files])
  }

  if (panel === 'record')
    return (
      <footer className="k-composer">
        <ClaimNote claim={claim} onSend={claim.pass} />
        <Recorder onTyping={place.typing} mayGo={claim.pass} onSend={composer.sendVoice} onClose={backToField} />
      </footer>
    )
  return (
    <footer className="k-composer" data-lane={place.lane}>
      {ticket && !place.onlyComments && (ticket.isOutOfGroup || getCapabilities(ticket.whatsapp.api).window24h) && (
        <WindowNote ticket={ticket} onTemplate={() => choosePanel('template')} />
      )}
      <ClaimNote claim={claim} onSend={send} />
      {search !== null && (
        <QuickAnswers ref={suggestions} search={search} words={composer.words} onChoose={composer.takeAnswer} />
      )}
      {word !== null && <WordList ref={suggestions} typed={word} words={composer.words} onChoose={chooseWord} />}
      {called !== null && ticket && (
        <MentionList
          key={`${comment}`}
          ref={suggestions}
          ticket={ticket}
          comment={comment}
          typed={called}
          onChoose={chooseName}
        />
      )}
      {panel === 'assist' && ticket && !editing && (
        <AssistPanel key={ticket.id} ticketId={ticket.id} field={field} text={text} onClose={backToField} />
      )}
      <div className={comment ? 'k-box is-note' : 'k-box'}>
        {target && <TargetBar target={target} onClose={composer.clearTarget} />}
        {comment && (
          <p className="k-note">
            <Lock size={14} strokeWidth={2} aria-hidden="true" />
            {t('comment.head')}
          </p>
        )}
        {sheet.files.length > 0 && <Attachments sheet={sheet} onChange={composer.changeSheet} />}
        <textarea
          ref={field}
          rows={1}
          className="k-field"
          aria-label={t('composer.label', { name: place.name })}
          placeholder={chosen ? t(hasCaption(chosen) ? 'composer.caption' : 'composer.beforeAudio') : placeholder}
          value={text}
          maxLength={65_536}
          onChange={event => {
            composer.setText(event.target.value)
            setCaret(event.target.selectionEnd)
          }}
          onSelect={event => setCaret(event.currentTarget.selectionEnd)}
          onKeyDown={key}
          onPaste={paste}
          onFocus={() => ticket && void Promise.allSettled([QuickAnswers.fetch(), WordList.fetch()])}
        />
        {composer.length && (
          <p className={isOver(composer.length) ? 'k-length is-over' : 'k-length'}>
            {t('composer.length', { length: composer.length.length, most: composer.length.most })}
          </p>
        )}
        {ticket && !comment && <ReadAs text={shown} words={composer.words} />}
        {panel === 'format' && <FormatBar onFormat={format} />}
        <Tools
          place={place}
          composer={composer}
          panel={panel}
          emojiButton={emojiButton}
          onPanel={choosePanel}
          onSend={press}
          onAttach={() => chooser.current?.click()}
          onCamera={() => camera.current?.click()}
        />
        {dropping && !editing && <p className="k-drop">{t('composer.drop')}</p>}
      </div>
      {panel === 'emojis' && (
        <Emojis
          anchor={emojiButton}
          onClose={() => setPanel(null)}
          onChoose={emoji => {
            setPanel(null)
            composer.insert(emoji)
          }}
        />
      )}
      {panel === 'template' && ticket && <TemplateDialog ticket={ticket} onClose={() => setPanel(null)} />}
      {panel === 'contact' && ticket && <ContactDialog ticket={ticket} onClose={() => setPanel(null)} />}
      <input ref={chooser} type="file" multiple hidden aria-label={t('composer.attach')} onChange={takeFiles} />
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label={t('composer.camera')}
        onChange={takeFiles}
      />
      <p className="b-only-read" aria-live="polite">
        {composer.problem ?? ''}
      </p>
      {composer.problem && <p className="k-problem">{composer.problem}</p>}
    </footer>
  )
}

/** Cells of a spreadsheet: a picture of them lies beside. A copied picture has no words, a copied file has no format. */
function isFormattedText(data: DataTransfer): boolean {
  return data.getData('text/plain') !== '' && ['text/html', 'text/rtf'].some(type => data.types.includes(type))
}

function RecorderRoom() {
  return <div className="k-box k-recorder" aria-busy="true" />
}

/** Who chose it by the keyboard may write on: no letter is a key until the panel has the focus. */
function AssistRoom() {
  useHeldLetters('layer')
  return null
}
