// What the table of scheduled sends shows of each, and how much of it there is room for.
import type { Schedule } from '@balcao/contract'
import { excerptLine } from '@balcao/contract/kit/search'
import { formatNumber, getTexts, type Texts, useTexts } from '@balcao/ui/i18n'
import { Chips } from '@balcao/ui/parts'
import { type Column, FileLabel, Marked } from '@balcao/ui/screens'
import {
  describeRhythm,
  describeScheduleState,
  formatNextDay,
  formatScheduleName,
  formatScheduleTime,
} from './words.ts'

/** How much of a message is shown while it is searched. */
const LINE = 120

/** What is searched is marked, where it stands. */
export function makeColumns(search: string): Columns {
  const found = search === '' ? [] : [search]
  const all = [makeTitleColumn(found), ...COLUMNS]
  return {
    wide: all,
    beside: all.filter(({ id }) => BESIDE.includes(id)),
    narrow: all
      .filter(({ id }) => id !== 'value')
      .map(column => (column.id === 'recurrence' ? { ...column, cell: renderRhythm } : column)),
  }
}

interface Columns {
  readonly wide: readonly Column<Schedule>[]
  /** What there is room for beside the form. */
  readonly beside: readonly Column<Schedule>[]
  /** How often and when in one column, one under the other. */
  readonly narrow: readonly Column<Schedule>[]
}

const BESIDE = ['title', 'recurrence', 'day', 'total']

function makeTitleColumn(found: readonly string[]): Column<Schedule> {
  return {
    id: 'title',
    cell: schedule => (
      <span className="grid max-w-64 min-w-40 max-lg:min-w-32">
        <bdi className="truncate" title={formatScheduleName(schedule)}>
          <Marked text={formatScheduleName(schedule)} words={found} />
        </bdi>
        <span className="flex items-center gap-2 truncate text-small font-normal text-text-2">
          {schedule.title && (
            <bdi className="truncate">
              <Marked
                text={found.length > 0 ? excerptLine(schedule.message, found, LINE) : schedule.message}
                words={found}
              />
            </bdi>
          )}
          {schedule.mediaName && <FileLabel name={schedule.mediaName} />}
        </span>
      </span>
    ),
  }
}

const COLUMNS: readonly Column<Schedule>[] = [
  { id: 'recurrence', cell: ({ recurrence }) => getTexts('schedules')(`every.${recurrence}`) },
  { id: 'value', cell: schedule => describeRhythm(schedule, getTexts('schedules')) },
  { id: 'time', cell: formatScheduleTime },
  { id: 'day', cell: formatNextDay },
  { id: 'sent', figures: true, cell: ({ enviados }) => formatNumber(enviados) },
  { id: 'total', figures: true, cell: schedule => <Total schedule={schedule} /> },
  { id: 'recipients', cell: schedule => <Recipients schedule={schedule} /> },
]

function renderRhythm(schedule: Schedule) {
  const t = getTexts('schedules')
  return (
    <span className="grid">
      {t(`every.${schedule.recurrence}`)}
      <span className="text-small">{describeRhythm(schedule, t)}</span>
    </span>
  )
}

/** How many it goes to, and how it stands where that is not plain. */
function Total({ schedule }: { readonly schedule: Schedule }) {
  const t = useTexts('schedules')
  const { total, state, stateReason } = schedule
  const isLost = stateReason === 'connection_deleted'
  const isMarked = isLost || (state !== 'waiting' && state !== 'done')
  return (
    <span className="ml-auto grid max-w-28 whitespace-normal [overflow-wrap:normal]">
      {total === 0 ? t('awaiting') : formatNumber(total)}
      {isMarked && (
        <span className={MARKS[isLost ? 'stopped' : state] ?? 'text-primary-text'}>
          {describeScheduleState(schedule, t)}
        </span>
      )}
    </span>
  )
}

const MARKS: Partial<Record<Schedule['state'], string>> = {
  paused: 'text-brass-text font-semibold',
  stopped: 'text-danger font-semibold',
  cancelled: 'text-muted',
}

export function formatSentCount({ enviados, total }: Schedule, t: Texts): string {
  return total === 0 ? t('awaiting') : t('sentOf', { count: enviados, total })
}

export function Recipients({ schedule: { allContacts, contacts, tags } }: { readonly schedule: Schedule }) {
  const t = useTexts('schedules')
  const [only] = contacts
  if (allContacts) return t('recipients.all')
  if (tags.length > 0)
    return (
      <span className="flex gap-1">
        <Chips tags={tags} />
      </span>
    )
  if (!only) return null
  return contacts.length === 1 ? (
    <bdi className="block max-w-44 truncate">{only.name || only.number}</bdi>
  ) : (
    t('recipients.contacts', { count: contacts.length })
  )
}
