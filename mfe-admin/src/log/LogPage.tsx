import { LOG_KINDS, LOG_SOURCES } from '@balcao/contract/log'
import words from '@balcao/contract/texts/log/pt.json'
import { api } from '@balcao/ui/api'
import { usePeople } from '@balcao/ui/ask'
import {
  addTexts,
  currentLanguage,
  dayOf,
  formatDate,
  formatMoment,
  formatTime,
  type Texts,
  useTexts,
} from '@balcao/ui/i18n'
import { Button, IconButton } from '@balcao/ui/parts'
import { Link, useSearchParams } from '@balcao/ui/router'
import { type Column, DataPage, ExportButton, FilterButton, useRows } from '@balcao/ui/screens'
import { ChevronDown, ChevronUp, History, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import '../settings/texts.ts'
import pt from '../../locales/log/pt.json'
import { doerOf, From, sourceWords, Who } from './cells.tsx'
import { Details, hasDetails } from './Details.tsx'
import { type Entry, filtersOf, type LogQuery, logOf, type Thing, thingIn } from './list.ts'
import { sentenceOf } from './words.ts'

addTexts('log', {
  pt: words,
  en: () => import('@balcao/contract/texts/log/en.json'),
  es: () => import('@balcao/contract/texts/log/es.json'),
})
addTexts('log-page', {
  pt,
  en: () => import('../../locales/log/en.json'),
  es: () => import('../../locales/log/es.json'),
})

const SYSTEM = 0
const SPANS = ['today', 'yesterday', 'week', 'month', 'lastMonth'] as const

/** The activity log (decisions-2 §16): of the whole company, or of the one thing its address names. */
export default function LogPage() {
  const [params] = useSearchParams()
  const thing = thingIn(params)
  return <Entries key={thing ? `${thing.entity} ${thing.id}` : 'all'} thing={thing} />
}

function Entries({ thing }: { readonly thing: Thing | null }) {
  const t = useTexts('log-page')
  const [today] = useState(() => dayOf(new Date()))
  const [means] = useState(() => logOf(thing, today))
  const rows = useRows(means)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const toggle = (id: number) =>
    setOpen(old => new Set(old.has(id) ? [...old].filter(one => one !== id) : [...old, id]))
  return (
    <DataPage
      texts="log-page"
      icon={History}
      rows={rows}
      columns={COLUMNS}
      nameOf={entry => sentenceOf(entry)}
      groupOf={({ createdAt }) => dayWords(createdAt, t)}
      cardOf={entry => ({
        before: <Who entry={entry} bare />,
        title: titleOf(entry),
        text: [doerOf(entry), sourceWords(entry.origem), formatMoment(entry.createdAt)].filter(Boolean).join(' · '),
      })}
      buttons={
        <>
          <Button icon={RefreshCw} onClick={rows.reload}>
            {t('reload')}
          </Button>
          <ExportButton
            label={t('sheet')}
            begin={() =>
              api('POST /log/export', {
                body: { ...filtersOf(rows.filters, thing, today), language: currentLanguage() },
              })
            }
          />
        </>
      }
      filters={thing ? <OneThing /> : <Filters filters={rows.filters} onChange={rows.filter} />}
      actionsOf={entry =>
        hasDetails(entry) && (
          <IconButton
            icon={open.has(entry.id) ? ChevronUp : ChevronDown}
            label={t(open.has(entry.id) ? 'fold' : 'unfold', { name: sentenceOf(entry) })}
            aria-expanded={open.has(entry.id)}
            onClick={() => toggle(entry.id)}
          />
        )
      }
      belowOf={entry => open.has(entry.id) && <Details entry={entry} />}
    />
  )
}

const COLUMNS: readonly Column<Entry>[] = [
  {
    id: 'at',
    width: 'w-28',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
  },
  { id: 'who', width: 'w-56', cell: entry => <Who entry={entry} /> },
  {
    id: 'what',
    cell: entry => (
      <span className="flex min-w-0 items-center gap-2">
        <bdi className="truncate">{sentenceOf(entry)}</bdi>
        <About entry={entry} />
      </span>
    ),
  },
  { id: 'from', width: 'w-40', cell: entry => <From entry={entry} /> },
]

/** 'Hoje, 23/11/2026' */
function dayWords(at: string, t: Texts): string {
  const ago = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000))
  const near = dayOf(at) === ago(0) ? 'today' : dayOf(at) === ago(1) ? 'yesterday' : null
  return near ? `${t(`span.${near}`)}, ${formatDate(at)}` : formatDate(at)
}

function titleOf(entry: Entry): string {
  return entry.about ? `${sentenceOf(entry)}: ${entry.about}` : sentenceOf(entry)
}

/** What it was done to; one press shows all that was done to it. */
function About({ entry }: { readonly entry: Entry }) {
  const thing = thingOf(entry)
  if (!entry.about) return null
  if (!thing) return <bdi className="truncate text-muted">{entry.about}</bdi>
  return (
    <Link to={`/log?entity=${thing.entity}&entityId=${thing.id}`} className="truncate font-semibold text-primary-text">
      <bdi>{entry.about}</bdi>
    </Link>
  )
}

function thingOf({ entity, ticketId, contactId, queueId, whatsappId, entityId }: Entry): Thing | null {
  const id = { ticket: ticketId, contact: contactId, queue: queueId, connection: whatsappId }[entity] ?? entityId
  if (id !== null) return { entity, id }
  return contactId === null ? null : { entity: 'contact', id: contactId }
}

interface FiltersProps {
  readonly filters: LogQuery
  readonly onChange: (part: Partial<LogQuery>) => void
}

function Filters({ filters, onChange }: FiltersProps) {
  const t = useTexts('log-page')
  const { now: people } = usePeople()
  return (
    <>
      <FilterButton
        label={t('filter.span')}
        options={SPANS.map(value => ({ value, label: t(`span.${value}`) }))}
        value={filters.span}
        onChange={span => onChange({ span })}
      />
      <FilterButton
        label={t('filter.person')}
        options={[
          { value: SYSTEM, label: t('system') },
          ...(people ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={filters.userId}
        onChange={userId => onChange({ userId })}
      />
      <FilterButton
        label={t('filter.kind')}
        options={LOG_KINDS.map(value => ({ value, label: t(`kind.${value}`) }))}
        value={filters.entity}
        onChange={entity => onChange({ entity })}
      />
      <FilterButton
        label={t('filter.origem')}
        options={LOG_SOURCES.map(value => ({ value, label: t(`origem.${value}`) }))}
        value={filters.origem}
        onChange={origem => onChange({ origem })}
      />
    </>
  )
}

/** The history of one thing is shown; the way back to all. */
function OneThing() {
  const t = useTexts('log-page')
  return (
    <Link to="/log" className="text-cell font-semibold text-primary-text">
      {t('all')}
    </Link>
  )
}
