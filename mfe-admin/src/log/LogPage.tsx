import { LOG_KINDS, LOG_SOURCES } from '@balcao/contract/log/log'
import words from '@balcao/contract/texts/log/pt.json'
import { api } from '@balcao/ui/api'
import { usePeople } from '@balcao/ui/ask'
import {
  addTexts,
  formatDate,
  formatMoment,
  formatTime,
  getLanguage,
  getTexts,
  type Texts,
  toCompanyDay,
  useTexts,
} from '@balcao/ui/i18n'
import { Button, IconButton } from '@balcao/ui/parts'
import { Link, useSearchParams } from '@balcao/ui/router'
import { type Column, DataPage, ExportButton, FilterButton, useRows } from '@balcao/ui/screens'
import { ChevronDown, ChevronUp, History, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import '../settings/texts.ts'
import pt from '../../locales/log/pt.json'
import { describeSource, From, nameActor, Who } from './cells.tsx'
import { Details, hasDetails } from './Details.tsx'
import { type LogListRow, type LogQuery, type LogSubject, makeLogOptions, parseSubject, toLogFilters } from './list.ts'
import { describeEntry } from './words.ts'

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
  const thing = parseSubject(params)
  return <Entries key={thing ? `${thing.entity} ${thing.id}` : 'all'} thing={thing} />
}

function Entries({ thing }: { readonly thing: LogSubject | null }) {
  const t = useTexts('log-page')
  const [options] = useState(() => makeLogOptions(thing))
  const rows = useRows(options)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const toggle = (id: number) =>
    setOpen(old => new Set(old.has(id) ? [...old].filter(one => one !== id) : [...old, id]))
  return (
    <DataPage
      texts="log-page"
      icon={History}
      rows={rows}
      columns={COLUMNS}
      nameOf={entry => describeEntry(entry)}
      groupOf={({ createdAt }) => formatDayHeading(createdAt, t)}
      cardOf={entry => ({
        before: <Who entry={entry} bare />,
        title: formatEntryTitle(entry),
        text: [nameActor(entry), describeSource(entry.origem), formatMoment(entry.createdAt)]
          .filter(Boolean)
          .join(' · '),
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
                body: { ...toLogFilters(rows.query, thing), language: getLanguage() },
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
            label={t(open.has(entry.id) ? 'fold' : 'unfold', { name: describeEntry(entry) })}
            aria-expanded={open.has(entry.id)}
            onClick={() => toggle(entry.id)}
          />
        )
      }
      belowOf={entry => open.has(entry.id) && <Details entry={entry} />}
    />
  )
}

const COLUMNS: readonly Column<LogListRow>[] = [
  {
    id: 'at',
    width: 'w-28 max-xl:w-20',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
  },
  { id: 'who', width: 'w-56 max-xl:w-44', cell: entry => <Who entry={entry} /> },
  {
    id: 'what',
    cell: entry => (
      <span className="flex min-w-0 items-center gap-2">
        <bdi className="truncate">{describeEntry(entry)}</bdi>
        <About entry={entry} />
      </span>
    ),
  },
  { id: 'from', width: 'w-40 max-xl:w-28', cell: entry => <From entry={entry} /> },
]

/** 'Hoje, 23/11/2026' */
function formatDayHeading(at: string, t: Texts): string {
  const ago = (days: number) => toCompanyDay(new Date(Date.now() - days * 86_400_000))
  const near = toCompanyDay(at) === ago(0) ? 'today' : toCompanyDay(at) === ago(1) ? 'yesterday' : null
  return near ? `${t(`span.${near}`)}, ${formatDate(at)}` : formatDate(at)
}

function formatEntryTitle(entry: LogListRow): string {
  return entry.about ? `${describeEntry(entry)}: ${entry.about}` : describeEntry(entry)
}

/** What it was done to; one press shows all that was done to it. */
function About({ entry }: { readonly entry: LogListRow }) {
  const thing = findSubject(entry)
  if (!entry.about) return null
  if (!thing) return <bdi className="truncate text-muted">{entry.about}</bdi>
  return (
    <Link to={`/log?entity=${thing.entity}&entityId=${thing.id}`} className="truncate font-semibold text-primary-text">
      <bdi>{entry.about}</bdi>
    </Link>
  )
}

function findSubject({ entity, ticketId, contactId, queueId, whatsappId, entityId }: LogListRow): LogSubject | null {
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
        options={LOG_KINDS.map(value => ({ value, label: getTexts('log')(`kind.${value}`) }))}
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
