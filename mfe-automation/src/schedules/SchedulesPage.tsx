import type { Schedule } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { ScheduleForm } from '@balcao/ui/forms'
import { addTexts, formatNumber, type Texts, textsOf, useTexts } from '@balcao/ui/i18n'
import { Chips, ConfirmDialog, useNarrowerThan } from '@balcao/ui/parts'
import { type Column, DataPage, FileLabel, useRows } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { Calendar, Eye, Pencil, ScrollText } from 'lucide-react'
import { useState } from 'react'
import pt from '../../locales/schedules/pt.json'
import { Detail } from './Detail.tsx'
import { Logs } from './Logs.tsx'
import { SCHEDULES } from './means.ts'
import { dayOf, nameOf, rhythmText, timeOf } from './words.ts'

addTexts('schedules', {
  pt,
  en: () => import('../../locales/schedules/en.json'),
  es: () => import('../../locales/schedules/es.json'),
})

/** Title and message, one under the other. */
const ROW = 58

type Open = { readonly what: 'before' | 'new' } | { readonly what: 'edit' | 'view' | 'logs'; readonly id: number }

/** Scheduled sends (spec 3 §2): how often, when, to whom, how far; their form, their logs, what each says. */
export default function SchedulesPage() {
  const t = useTexts('schedules')
  const rows = useRows(SCHEDULES)
  const mayAll = useUser().profile !== 'user'
  const isNarrow = useNarrowerThan('wide')
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const shown = open && 'id' in open ? rows.find(open.id) : undefined
  // Undefined: nothing is edited; null: a new one.
  const edited = open?.what === 'edit' ? open.id : open?.what === 'new' ? null : undefined
  const opens = (what: 'edit' | 'view' | 'logs') => (row: Schedule) => setOpen({ what, id: row.id })
  return (
    <>
      <DataPage
        texts="schedules"
        icon={Calendar}
        rows={rows}
        columns={edited !== undefined ? BESIDE : isNarrow ? NARROW : COLUMNS}
        height={ROW}
        isWide
        nameOf={nameOf}
        chosen={shown?.id ?? null}
        onAdd={() => setOpen({ what: 'before' })}
        isEditing={edited !== undefined}
        panel={
          edited !== undefined && (
            <ScheduleForm
              key={edited}
              about={null}
              mayAll={mayAll}
              scheduleId={edited}
              onSaved={rows.put}
              onClose={close}
            />
          )
        }
        actions={[
          { id: 'view', icon: Eye, perform: opens('view') },
          { id: 'edit', icon: Pencil, perform: opens('edit') },
          { id: 'logs', icon: ScrollText, perform: opens('logs') },
        ]}
        cardOf={schedule => ({
          title: <span className="min-w-0 truncate text-body font-semibold">{nameOf(schedule)}</span>,
          text: `${[t(`every.${schedule.recurrence}`), rhythmText(schedule, t), timeOf(schedule)].filter(Boolean).join(' · ')}\n${sentOf(schedule, t)}`,
          note: <Recipients schedule={schedule} />,
        })}
        remove={{ call: id => api('DELETE /agendamento/:id', { params: { id } }), already: 'ERR_NO_SCHEDULE_FOUND' }}
      />
      {open?.what === 'before' && (
        <ConfirmDialog
          title={t('before.title')}
          text={t('before.text')}
          action={t('before.action')}
          danger={false}
          onConfirm={() => setOpen({ what: 'new' })}
          onClose={close}
        />
      )}
      {open?.what === 'view' && shown && <Detail schedule={shown} onSteered={rows.put} onClose={close} />}
      {open?.what === 'logs' && shown && <Logs schedule={shown} onClose={close} />}
    </>
  )
}

const COLUMNS: readonly Column<Schedule>[] = [
  {
    id: 'title',
    cell: schedule => (
      <span className="grid max-w-64 min-w-40">
        <bdi className="truncate" title={nameOf(schedule)}>
          {nameOf(schedule)}
        </bdi>
        <span className="flex items-center gap-2 truncate text-small font-normal text-text-2">
          {schedule.title && <bdi className="truncate">{schedule.message}</bdi>}
          {schedule.mediaName && <FileLabel name={schedule.mediaName} />}
        </span>
      </span>
    ),
  },
  { id: 'recurrence', cell: ({ recurrence }) => textsOf('schedules')(`every.${recurrence}`) },
  { id: 'value', cell: schedule => rhythmText(schedule, textsOf('schedules')) },
  { id: 'time', cell: timeOf },
  { id: 'day', cell: dayOf },
  { id: 'sent', figures: true, cell: ({ enviados }) => formatNumber(enviados) },
  { id: 'total', figures: true, cell: schedule => <Total schedule={schedule} /> },
  { id: 'recipients', cell: schedule => <Recipients schedule={schedule} /> },
]

/** What there is room for beside the form. */
const BESIDE = COLUMNS.filter(({ id }) => ['title', 'recurrence', 'day', 'total'].includes(id))
/** How often and when in one column, one under the other. */
const NARROW = COLUMNS.filter(({ id }) => id !== 'value').map(column =>
  column.id === 'recurrence' ? { ...column, cell: rhythmOf } : column,
)

function rhythmOf(schedule: Schedule) {
  const t = textsOf('schedules')
  return (
    <span className="grid">
      {t(`every.${schedule.recurrence}`)}
      <span className="text-small">{rhythmText(schedule, t)}</span>
    </span>
  )
}

/** How many it goes to, and how it stands where that is not plain. */
function Total({ schedule: { total, state } }: { readonly schedule: Schedule }) {
  const t = useTexts('schedules')
  const isMarked = state !== 'waiting' && state !== 'done'
  return (
    <span className="ml-auto grid max-w-28 whitespace-normal">
      {total === 0 ? t('awaiting') : formatNumber(total)}
      {isMarked && <span className={MARKS[state] ?? 'text-primary-text'}>{t(`state.${state}`)}</span>}
    </span>
  )
}

const MARKS: Partial<Record<Schedule['state'], string>> = {
  paused: 'text-brass-text font-semibold',
  stopped: 'text-danger font-semibold',
  cancelled: 'text-muted',
}

function sentOf({ enviados, total }: Schedule, t: Texts): string {
  return total === 0 ? t('awaiting') : t('sentOf', { count: enviados, total })
}

function Recipients({ schedule: { allContacts, contacts, tags } }: { readonly schedule: Schedule }) {
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
