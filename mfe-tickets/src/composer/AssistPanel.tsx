// What the AI may write for who attends: an answer, or what is typed in other words. A draft stands above the field until it is taken; it
// is never sent from here.
import { LANGUAGES } from '@balcao/contract/kit/language'
import { reportErrors } from '@balcao/ui/ask'
import { describeError, getLanguage, useTexts } from '@balcao/ui/i18n'
import { Button, IconButton } from '@balcao/ui/parts'
import { Check, RotateCw, Sparkles, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type AiRequest, useAiDraft } from './use-ai-draft.ts'
import './late.ts'

interface AssistPanelProps {
  readonly ticketId: number
  /** What is typed now. */
  readonly text: string
  readonly onUse: (text: string) => void
  readonly onClose: () => void
}

export default function AssistPanel({ ticketId, text, onUse, onClose }: AssistPanelProps) {
  const t = useTexts('tickets')
  const { draft, ask } = useAiDraft(ticketId)
  const [request, setRequest] = useState<AiRequest | null>(null)
  const panel = useRef<HTMLElement>(null)
  const use = useRef<HTMLButtonElement>(null)
  const first = useRef<HTMLDivElement>(null)
  const isTyped = text.trim() !== ''

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
                begin(request)
              }}
            >
              {t('assist.again')}
            </Button>
          )}
          {draft.state === 'done' && (
            <button ref={use} type="button" className="b-button is-primary" onClick={() => onUse(draft.text)}>
              <Check size={16} strokeWidth={2} aria-hidden="true" />
              {t('assist.use')}
            </button>
          )}
        </footer>
      )}
    </section>
  )
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
