// The quick answers while the text begins with `/`, the chosen one shown as it will go out, with its file.
import type { QuickAnswer } from '@balcao/contract'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { FileText, Image, Music, Video } from 'lucide-react'
import { type Ref, useEffect, useState } from 'react'
import { FormattedText } from '../message/FormattedText.tsx'
import { server } from '../server.ts'
import './late.ts'
import { Suggestions, type SuggestionsHandle } from './Suggestions.tsx'
import { fillWords, type Words } from './wording.ts'

const WAIT_MS = 150
const MOST = 8

interface QuickAnswersProps {
  readonly search: string
  readonly words: () => Words | null
  readonly onChoose: (answer: QuickAnswer) => void
  readonly ref: Ref<SuggestionsHandle>
}

export default function QuickAnswers({ search, words, onChoose, ref }: QuickAnswersProps) {
  const t = useTexts('tickets')
  const { answers, error, waiting } = useAnswers(search)
  return (
    <Suggestions
      ref={ref}
      title={t('quick.title')}
      items={answers}
      waiting={waiting}
      idOf={answer => answer.id}
      none={error !== null ? errorText(error) : !waiting && t('quick.none')}
      onChoose={onChoose}
      draw={answer => (
        <>
          <code>/{answer.shortcut.replace(/^\//, '')}</code>
          <span>{answer.message}</span>
          {answer.mediaUrl && <Icon of={iconOf(answer)} size={16} label={answer.mediaName ?? t('media.application')} />}
        </>
      )}
      preview={answer => <Preview answer={answer} words={words()} />}
    />
  )
}

function Preview({ answer, words }: { readonly answer: QuickAnswer; readonly words: Words | null }) {
  const t = useTexts('tickets')
  return (
    <>
      {answer.mediaUrl && answer.mediaType === 'image' && (
        <img className="k-quick-image" src={answer.mediaUrl} alt="" />
      )}
      {answer.mediaUrl && (
        <span className="k-quick-file">
          <Icon of={iconOf(answer)} size={16} />
          {answer.mediaName ?? t('media.application')}
        </span>
      )}
      <FormattedText text={words ? fillWords(answer.message, words) : answer.message} />
    </>
  )
}

function iconOf({ mediaType }: QuickAnswer) {
  switch (mediaType) {
    case 'image':
      return Image
    case 'audio':
      return Music
    case 'video':
      return Video
    default:
      return FileText
  }
}

interface Found {
  readonly search: string | null
  readonly answers: readonly QuickAnswer[]
  readonly error: unknown
}

function useAnswers(search: string) {
  const [found, setFound] = useState<Found>({ search: null, answers: [], error: null })
  useEffect(() => {
    let stale = false
    const ask = async () => {
      try {
        const answers = await server.quickAnswers(search)
        if (!stale) setFound({ search, answers: answers.slice(0, MOST), error: null })
      } catch (error) {
        if (!stale) setFound({ search, answers: [], error })
      }
    }
    const timer = setTimeout(() => void ask(), WAIT_MS)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [search])
  return { ...found, waiting: found.search !== search }
}
