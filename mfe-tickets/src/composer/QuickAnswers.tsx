// The quick answers while the text begins with `/`, the chosen one shown as it will go out, with its file.
import type { QuickAnswer } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { FileText, Image, Music, Video } from 'lucide-react'
import type { Ref } from 'react'
import { FormattedText } from '../message/FormattedText.tsx'
import './late.ts'
import { Suggestions, type SuggestionsHandle } from './Suggestions.tsx'
import { fillWords, type PlaceholderValues } from './wording.ts'

const WAIT_MS = 150
const MOST = 8

interface QuickAnswersProps {
  readonly search: string
  readonly words: () => PlaceholderValues | null
  readonly onChoose: (answer: QuickAnswer) => void
  readonly ref: Ref<SuggestionsHandle>
}

export default function QuickAnswers({ search, words, onChoose, ref }: QuickAnswersProps) {
  const t = useTexts('tickets')
  const { now, last, error, again } = useQuery(
    search,
    async () =>
      (await api('GET /quickAnswers', { query: { searchParam: search, mostUsed: 'true' } })).quickAnswers.slice(
        0,
        MOST,
      ),
    { waitMs: WAIT_MS },
  )
  const waiting = now === null && error === null
  return (
    <Suggestions
      ref={ref}
      title={t('quick.title')}
      items={error === null ? (last ?? []) : []}
      waiting={waiting}
      onRetry={error === null ? undefined : again}
      idOf={answer => answer.id}
      none={error !== null ? describeError(error) : !waiting && t('quick.none')}
      onChoose={answer => {
        onChoose(answer)
        // Where it stands next time is no reason to stop anybody.
        api('POST /quickAnswers/:id/use', { params: { id: answer.id } }).catch(() => undefined)
      }}
      draw={answer => (
        <>
          <code>/{answer.shortcut.replace(/^\//, '')}</code>
          <span>{answer.message}</span>
          {answer.mediaUrl && (
            <Icon of={getMediaIcon(answer)} size={16} label={answer.mediaName ?? t('media.application')} />
          )}
        </>
      )}
      preview={answer => <Preview answer={answer} words={words()} />}
    />
  )
}

function Preview({ answer, words }: { readonly answer: QuickAnswer; readonly words: PlaceholderValues | null }) {
  const t = useTexts('tickets')
  return (
    <>
      {answer.mediaUrl && answer.mediaType === 'image' && (
        <img className="k-quick-image" src={answer.mediaUrl} alt="" />
      )}
      {answer.mediaUrl && (
        <span className="k-quick-file">
          <Icon of={getMediaIcon(answer)} size={16} />
          {answer.mediaName ?? t('media.application')}
        </span>
      )}
      <FormattedText text={words ? fillWords(answer.message, words) : answer.message} />
    </>
  )
}

function getMediaIcon({ mediaType }: QuickAnswer) {
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
