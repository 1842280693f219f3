// What the AI may write for who attends: an answer, or what is typed in other words. A draft stands above the field until it is taken; it
// is never sent from here, and takes no word's place that it was not made of.
import { LANGUAGES } from '@balcao/contract/kit/language'
import { reportErrors } from '@balcao/ui/ask'
import { describeError, getLanguage, useTexts } from '@balcao/ui/i18n'
import { Button, IconButton } from '@balcao/ui/parts'
import { Check, RotateCw, Sparkles, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { replaceText } from './field.ts'
import { type AiRequest, useAiDraft } from './use-ai-draft.ts'
import './late.ts'

interface AssistPanelProps {
  readonly ticketId: number
  readonly field: RefObject<HTMLTextAreaElement | null>
  /** What is typed now. */
  readonly text: string
  readonly onClose: () => void
}

export default function AssistPanel({ ticketId, field, text, onClose }: AssistPanelProps) {
  const t = useTexts('tickets')
  const { draft, ask } = useAiDraft(ticketId)
  const [request, setRequest] = useState<AiRequest | null>(null)
  const panel = useRef<HTMLElement>(null)
  const use = useRef<HTMLButtonElement>(null)
  const first = useRef<HTMLDivElement>(null)
  const isTyped = text.trim() !== ''
  /** There are words that the draft was not made of: whether they go is for who wrote them to say. */
  const isBeside = isTyped && !(request && 'text' in request && request.text === text)

  function begin(next: AiRequest) {
    setRequest(next)
    void reportErrors(() => ask(next))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it opens: with nothing typed there is one thing to ask for
  useEffect(() => {
    focusUnlessElsewhere(isTyped ? first.current?.querySelector('button') : panel.current)
    if (!isTyped) begin({ task: 'answer', language: getLanguage() })
  }, [])

  useEffect(() => {
    if (draft?.state === 'done') focusUnlessElsewhere(use.current)
  }, [draft?.state])

  /** Typed, so that the browser's own undo brings back what stood there. */
  function take(draft: string, isInserted: boolean) {
    const element = field.current
    if (!element) return
    const { value, selectionEnd } = element
    const [from, to] = isInserted ? [selectionEnd, selectionEnd] : [0, value.length]
    const piece = isInserted ? joinLines(value.slice(0, from), draft, value.slice(to)) : draft
    onClose()
    replaceText(element, { from, to, piece, start: from + piece.length, end: from + piece.length })
  }

  function key(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }

  return (
    <section ref={panel} className="k-assist" tabIndex={-1} aria-label={t('assist.title')} onKeyDown={key}>
      <header className="k-assist-head">
        <Sparkles size={14} strokeWidth={2} aria-hidden="true" />
        <b>{t('assist.title')}</b>
        <IconButton icon={X} size="small" label={t('assist.discard')} tooltipSide="above" onClick={onClose} />
      </header>
      {isTyped && (
        <div ref={first} className="k-assist-tasks" role="toolbar" aria-label={t('assist.tasks')}>
          <Task onChoose={() => begin({ task: 'answer', language: getLanguage() })}>{t('assist.answer')}</Task>
          {(['spelling', 'formal', 'shorter'] as const).map(task => (
            <Task key={task} onChoose={() => begin({ task, text })}>
              {t(`assist.${task}`)}
            </Task>
          ))}
          {LANGUAGES.filter(language => language !== getLanguage()).map(language => (
            <Task key={language} onChoose={() => begin({ task: 'translateDraft', text, language })}>
              {t(`assist.to.${language}`)}
            </Task>
          ))}
        </div>
      )}
      {draft && (
        <div className="k-assist-draft" aria-live="polite" aria-busy={draft.state === 'writing'}>
          {draft.text === '' && draft.state === 'writing' ? (
            <p className="k-assist-wait">{t('assist.writing')}</p>
          ) : (
            <p>{draft.text}</p>
          )}
          {draft.state === 'failed' && <p className="k-problem">{describeError(draft.error)}</p>}
        </div>
      )}
      {draft && draft.state !== 'writing' && (
        <footer className="k-assist-foot">
          <span>{t('assist.check')}</span>
          {request && (
            <Button
              icon={RotateCw}
              onClick={() => {
                // The button goes until the next one is written.
                panel.current?.focus()
                begin('text' in request && isTyped ? { ...request, text } : request)
              }}
            >
              {t('assist.again')}
            </Button>
          )}
          {draft.state === 'done' && isBeside && (
            <Button onClick={() => take(draft.text, false)}>{t('assist.replace')}</Button>
          )}
          {draft.state === 'done' && (
            <button ref={use} type="button" className="b-button is-primary" onClick={() => take(draft.text, isBeside)}>
              <Check size={16} strokeWidth={2} aria-hidden="true" />
              {t(isBeside ? 'assist.insert' : 'assist.use')}
            </button>
          )}
        </footer>
      )}
    </section>
  )
}

/** A piece on lines of its own between what stands around it. */
function joinLines(before: string, piece: string, after: string): string {
  const isApart = (edge: string | undefined) => edge === undefined || /\s/.test(edge)
  return `${isApart(before.at(-1)) ? '' : '\n'}${piece}${isApart(after[0]) ? '' : '\n'}`
}

/** Whoever writes on meanwhile keeps the field, and who went to a dialog, a message or a row stays there. */
function focusUnlessElsewhere(element: HTMLElement | null | undefined) {
  const now = document.activeElement
  const isHere = now === null || now === document.body || now.closest('.k-composer') !== null
  if (isHere && !now?.matches('textarea, input')) element?.focus({ preventScroll: true })
}

function Task({ children, onChoose }: { readonly children: string; readonly onChoose: () => void }) {
  return (
    <button type="button" className="k-assist-task" onClick={onChoose}>
      {children}
    </button>
  )
}
