// The words in double braces while one is being written, each with what it stands for now.
import { useTexts } from '@balcao/ui/i18n'
import type { Ref } from 'react'
import './late.ts'
import { Suggestions, type SuggestionsHandle } from './Suggestions.tsx'
import { type PlaceholderValues, toWordValues, WORDS } from './wording.ts'

interface WordListProps {
  /** The letters after the braces. */
  readonly typed: string
  readonly words: () => PlaceholderValues | null
  readonly onChoose: (piece: string) => void
  readonly ref: Ref<SuggestionsHandle>
}

export default function WordList({ typed, words, onChoose, ref }: WordListProps) {
  const t = useTexts('tickets')
  const now = words()
  const offered = WORDS.filter(word => word.startsWith(typed.toLowerCase()))
  if (!now || offered.length === 0) return null
  const values = toWordValues(now)
  return (
    <Suggestions
      ref={ref}
      title={t('composer.words.title')}
      items={offered}
      idOf={word => word}
      none={null}
      onChoose={word => onChoose(`{{${word}}}`)}
      draw={word => (
        <>
          <code>{`{{${word}}}`}</code>
          <span>{values[word] || t(`composer.words.${word}`)}</span>
        </>
      )}
    />
  )
}
