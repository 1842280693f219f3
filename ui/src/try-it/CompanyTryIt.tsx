import { type Connection, type ConnectionBrief, hasFlow, type Question, type Queue } from '@balcao/contract'
import type { PlayedConnection } from '@balcao/contract/follow-up/play'
import { parseSettings, type Settings } from '@balcao/contract/settings/settings'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Field, Select } from '@balcao/ui/parts'
import { useState } from 'react'
import { TryIt } from './TryIt.tsx'

interface CompanyTryItProps {
  /** As they stand on the page, saved or not; what is not given is asked of the server. */
  readonly settings?: Settings
  /** As it stands in its form; without one the company's connections are to choose from. */
  readonly connection?: PlayedConnection & { readonly queueIds: readonly number[] }
}

/**
 * `TryIt` with what it needs: for the settings page (`settings`), and for the form of a connection (`connection`).
 *
 * @example <CompanyTryIt settings={settings} />
 */
export function CompanyTryIt({ settings: initial, connection: edited }: CompanyTryItProps) {
  return (
    <Company connection={edited}>
      {({ connection, queues, questions, stored }) => (
        <TryIt settings={initial ?? stored} connection={connection} queues={queues} questions={questions} />
      )}
    </Company>
  )
}

/**
 * The bot alone, with questions as they stand on the page: whether it is switched on or not, and where Typebot answers in its place, too.
 *
 * @example <BotTryIt questions={rows} settings={{ botCloseTicket }} />
 */
export function BotTryIt({
  questions,
  settings,
}: {
  readonly questions: readonly Question[]
  readonly settings: Partial<Settings>
}) {
  const t = useTexts('try-it')
  return (
    <Company>
      {({ connection, queues, stored, isFlows }) => (
        <>
          {isFlows && <p className="m-0 text-small text-text-2">{t('flow')}</p>}
          <TryIt
            isBot
            settings={{ ...stored, ...settings, activeBot: true }}
            connection={{ ...connection, publicDNSTypebot: '', publicIDTypebot: '' }}
            queues={queues}
            questions={questions}
          />
        </>
      )}
    </Company>
  )
}

interface TryItData {
  readonly connection: PlayedConnection
  readonly queues: readonly Queue[]
  readonly questions: readonly Question[]
  readonly stored: Settings
  /** A flow of Typebot's answers its customers. */
  readonly isFlows: boolean
}

interface CompanyProps {
  readonly connection?: CompanyTryItProps['connection']
  readonly children: (played: TryItData) => React.ReactNode
}

function Company({ connection: edited, children }: CompanyProps) {
  const t = useTexts('try-it')
  const [chosen, choose] = useState<number | null>(null)
  const company = useQuery('company', async () => {
    const [all, queues, stored, questions] = await Promise.all([
      api('GET /whatsapp'),
      api('GET /queue'),
      api('GET /settings'),
      api('GET /pergunta'),
    ])
    return {
      connections: all.map(toPlayedConnection),
      queues,
      questions,
      stored: parseSettings(Object.fromEntries(stored.map(({ key, value }) => [key, value]))),
    }
  })
  if (company.error)
    return (
      <p className="text-small text-text-2">
        {t('failed')}{' '}
        <Button size="small" onClick={company.again}>
          {t('again')}
        </Button>
      </p>
    )
  if (!company.now) return <div className="h-[34rem] w-[316px] max-w-full" aria-busy="true" />
  const { connections, queues, questions, stored } = company.now
  const listed = connections.find(({ id }) => id === chosen) ?? connections.find(one => one.isDefault) ?? connections[0]
  const connection = edited ?? listed
  if (!connection) return <p className="w-[316px] max-w-full text-small text-text-2">{t('noConnection')}</p>
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {!edited && listed && connections.length > 1 && (
        <Field label={t('connection')}>
          <Select
            value={listed.id}
            onChange={choose}
            options={connections.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
      )}
      {children({
        connection,
        queues: filterConnectionQueues(queues, connection.queueIds),
        questions,
        stored,
        isFlows: edited ? hasFlow(edited) : listed?.isFlows === true,
      })}
    </div>
  )
}

/** Who is no administrator knows a connection by its name alone: it is played without words of its own. */
function toPlayedConnection(connection: Connection | ConnectionBrief) {
  return { ...NO_WORDS, isDefault: false, queueIds: [], ...connection, isFlows: hasFlow(connection) }
}

const NO_WORDS = {
  greetingMessage: '',
  greetingBotMessage: '',
  greetingMessageRedirect: '',
  nps: false,
  npsMessage: '',
  npsTksMessage: '',
  farewellMessage: '',
  publicDNSTypebot: '',
  publicIDTypebot: '',
}

/** In the order of the list, which is that of the menu. */
function filterConnectionQueues(queues: readonly Queue[], ids: readonly number[]): Queue[] {
  return queues.filter(({ id }) => ids.includes(id))
}
