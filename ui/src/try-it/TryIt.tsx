import { buildBotMenu } from '@balcao/contract/bot/bot'
import { getOptionName, getOptionNumber } from '@balcao/contract/follow-up/answers'
import {
  findMoment,
  findQueueName,
  isOver,
  NOTHING,
  type Play,
  type PlaySetup,
  playCustomerMessage,
  playResolution,
} from '@balcao/contract/follow-up/play'
import { addTexts, formatTime, useTexts } from '@balcao/ui/i18n'
import { Button, IconButton, Select, TextInput } from '@balcao/ui/parts'
import { PhonePreview } from '@balcao/ui/screens'
import { RotateCcw, SendHorizontal } from 'lucide-react'
import { useState } from 'react'
import pt from '../../locales/try-it/pt.json'
import { isComposing } from '../actions/composing.ts'

addTexts('try-it', {
  pt,
  en: () => import('../../locales/try-it/en.json'),
  es: () => import('../../locales/try-it/es.json'),
})

const WHEN = ['now', 'open', 'closed'] as const
type TryItMoment = (typeof WHEN)[number]

interface TryItProps extends PlaySetup {
  /** The page of the bot: what can be answered is offered, and nobody resolves what the bot has. */
  readonly isBot?: boolean
}

/**
 * A conversation to be tried: one writes as a customer would, and sees what the desk would say with these settings, texts, queues and
 * questions, saved or not. Nothing is sent. It holds no `form`, so it may stand in one.
 *
 * @example <TryIt settings={settings} connection={fields} queues={queues} questions={questions} />
 */
export function TryIt({ isBot = false, ...stage }: TryItProps) {
  const t = useTexts('try-it')
  const [play, setPlay] = useState(NOTHING)
  const [when, setWhen] = useState<TryItMoment>('now')
  const [text, setText] = useState('')
  const [began, setBegan] = useState(Date.now)
  const moments = {
    now: began,
    open: findMoment(stage.settings, 'open', began),
    closed: findMoment(stage.settings, 'closed', began),
  }
  // Each line a minute later, as people write.
  const clock = (moments[when] ?? began) + play.lines.length * 60_000
  function say(words: string) {
    if (words.trim() === '') return
    setPlay(playCustomerMessage(stage, play, words, clock))
    setText('')
  }
  function restart() {
    setBegan(Date.now())
    setPlay(NOTHING)
  }

  return (
    <div className="w-[316px] max-w-full">
      <PhonePreview
        label={t('label')}
        name={stage.connection.name || t('name')}
        messages={play.lines.map(({ at, ...line }) => ({
          ...line,
          time: formatTime(new Date(at)),
          isMarked: line.id === play.answered,
        }))}
        tools={
          <Button size="small" kind="plain" icon={RotateCcw} onClick={restart}>
            {t('restart')}
          </Button>
        }
      >
        {isBot && play.conversation.status === 'bot' && <Offered {...stage} onChoose={say} />}
        <div className="flex items-center gap-2">
          <TextInput
            value={text}
            onChange={setText}
            aria-label={t('write')}
            placeholder={t('write')}
            maxLength={500}
            autoComplete="off"
            className="min-w-0 flex-1"
            onKeyDown={event => {
              if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
              // Around it may stand a form, which is not to be sent.
              event.preventDefault()
              say(text)
            }}
          />
          <IconButton icon={SendHorizontal} label={t('send')} onClick={() => say(text)} />
        </div>
      </PhonePreview>
      <p role="status" className="mt-2 mb-3 text-small text-text-2">
        {describePlayState(play, stage, t)}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label={t('when.label')}
          className="flex-1"
          value={when}
          onChange={value => value && setWhen(value)}
          options={WHEN.map(value => ({ value, label: t(`when.${value}`), disabled: moments[value] === null }))}
        />
        {!isBot && (
          <Button
            disabled={isOver(play.conversation) || play.conversation.status === 'nps'}
            onClick={() => setPlay(playResolution(stage, play, clock))}
          >
            {t('resolve')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The first numbers of the menu, and the ways out of it. */
function Offered({ questions, settings, onChoose }: PlaySetup & { readonly onChoose: (words: string) => void }) {
  const menu = buildBotMenu(
    questions.map(({ pergunta: text }) => ({ text })),
    settings.botCloseTicket,
  )
  const offered = menu.map((option, at) => {
    const number = getOptionNumber(option, at)
    return { number, name: getOptionName(option), isFixed: at >= questions.length }
  })
  const shown = [...offered.slice(0, Math.min(3, questions.length)), ...offered.filter(({ isFixed }) => isFixed)]
  return (
    <div className="mb-2 flex flex-wrap gap-1.5">
      {shown.map(({ number, name, isFixed }) => (
        <button
          key={number}
          type="button"
          title={name}
          className="h-7 rounded-full border border-line bg-surface px-2.5 text-small text-ink hover:bg-hover"
          onClick={() => onChoose(number)}
        >
          {isFixed ? `${number} ${name.split(' ').at(-1)?.toLowerCase()}` : number}
        </button>
      ))}
    </div>
  )
}

/** Where the ticket stands, for who tries. */
function describePlayState(
  { lines, conversation, rate }: Play,
  stage: PlaySetup,
  t: ReturnType<typeof useTexts>,
): string {
  const { status, queueId, menusShown } = conversation
  if (lines.length === 0) return t('state.empty')
  if (status === 'closed') return rate === null ? t('state.closed') : t('state.rated', { rate })
  if (status === 'nps') return t('state.survey')
  const { publicDNSTypebot, publicIDTypebot } = stage.connection
  if (status === 'bot' && publicDNSTypebot.trim() !== '' && publicIDTypebot.trim() !== '') return t('state.typebot')
  const queue = findQueueName(stage, queueId)
  if (status === 'bot') return queue ? t('state.botIn', { queue }) : t('state.bot')
  if (queue) return t('state.queue', { queue })
  return menusShown === null ? t('state.noQueue') : t('state.choosing')
}
