// The quick answers above the composer: they push the messages up and cover nothing. Arrows choose, Enter uses.
import type { QuickAnswer } from '@balcao/contract'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Icon, Kbd } from '@balcao/ui/parts'
import { FileText } from 'lucide-react'
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useState } from 'react'
import { server } from '../server.ts'

const WAIT_MS = 150
const MOST = 8

export interface QuickAnswersHandle {
  /** Whether the key was meant for the list. */
  key(event: KeyboardEvent): boolean
}

interface QuickAnswersProps {
  readonly search: string
  readonly onChoose: (answer: QuickAnswer) => void
  readonly onClose: () => void
  readonly ref: Ref<QuickAnswersHandle>
}

export function QuickAnswers({ search, onChoose, ref }: QuickAnswersProps) {
  const t = useTexts('tickets')
  const { answers, error } = useAnswers(search)
  const [chosen, setChosen] = useState(0)
  const index = Math.min(chosen, Math.max(0, answers.length - 1))
  useImperativeHandle(ref, () => ({
    key(event) {
      const answer = answers[index]
      if (event.key === 'ArrowDown') setChosen((index + 1) % Math.max(1, answers.length))
      else if (event.key === 'ArrowUp') setChosen((index + answers.length - 1) % Math.max(1, answers.length))
      else if ((event.key === 'Enter' || event.key === 'Tab') && answer) onChoose(answer)
      else return false
      event.preventDefault()
      return true
    },
  }))
  return (
    <div className="k-quick">
      <p className="k-quick-head">
        {t('quick.title')}
        <span className="k-quick-keys">
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd> {t('quick.choose')} <Kbd>Enter</Kbd> {t('quick.use')}
        </span>
      </p>
      {error !== null && <p className="k-quick-none">{errorText(error)}</p>}
      {error === null && answers.length === 0 && <p className="k-quick-none">{t('quick.none')}</p>}
      <div role="listbox" aria-label={t('quick.title')}>
        {answers.map((answer, at) => (
          <button
            key={answer.id}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            className={at === index ? 'k-answer is-chosen' : 'k-answer'}
            onPointerDown={event => event.preventDefault()}
            onClick={() => onChoose(answer)}
          >
            <code>/{answer.shortcut.replace(/^\//, '')}</code>
            <span>{answer.message}</span>
            {answer.mediaUrl && <Icon of={FileText} size={16} label={answer.mediaName ?? t('media.application')} />}
          </button>
        ))}
      </div>
    </div>
  )
}

function useAnswers(search: string) {
  const [found, setFound] = useState<{ answers: readonly QuickAnswer[]; error: unknown }>({ answers: [], error: null })
  useEffect(() => {
    let stale = false
    const timer = setTimeout(async () => {
      try {
        const answers = await server.quickAnswers(search)
        if (!stale) setFound({ answers: answers.slice(0, MOST), error: null })
      } catch (error) {
        if (!stale) setFound({ answers: [], error })
      }
    }, WAIT_MS)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [search])
  return found
}
