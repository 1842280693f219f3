import { RECURRENCES, type Schedule } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { ScheduleForm } from '@balcao/ui/forms'
import { addTexts, useTexts } from '@balcao/ui/i18n'
import { Button, ConfirmDialog, EmptyState, Page, useNarrowerThan } from '@balcao/ui/parts'
import { useNavigate } from '@balcao/ui/router'
import { DataPage, FilterButton, useAddressedRows, useRow } from '@balcao/ui/screens'
import { useSession, useUser } from '@balcao/ui/session'
import { Calendar, CalendarOff, Eye, Pencil, ScrollText } from 'lucide-react'
import { useMemo, useState } from 'react'
import pt from '../../locales/schedules/pt.json'
import { formatSentCount, makeColumns, Recipients } from './columns.tsx'
import { Detail } from './Detail.tsx'
import { Logs } from './Logs.tsx'
import { ADDRESS } from './list.ts'
import { SCHEDULES } from './live-list.ts'
import { describeTiming, formatScheduleName } from './words.ts'

addTexts('schedules', {
  pt,
  en: () => import('../../locales/schedules/en.json'),
  es: () => import('../../locales/schedules/es.json'),
})

/** Title and message, one under the other. */
const ROW = 58

type OpenPanel =
  | { readonly panel: 'before' | 'new' }
  | { readonly panel: 'edit' | 'view' | 'logs'; readonly id: number }

/** Scheduled sends (spec 3 §2), where the company has them. */
export default function SchedulesPage() {
  const { allowAgendador } = useSession().settings
  // Not known yet: whoever comes by an address is not told that it is off before it is asked for.
  if (allowAgendador === undefined) return null
  return allowAgendador ? <Schedules /> : <SwitchedOff />
}

/** The page of what a setting switches off says so, and leads to the switch whoever may turn it. */
function SwitchedOff() {
  const t = useTexts('schedules')
  const navigate = useNavigate()
  const isAdmin = useUser().profile === 'admin'
  return (
    <Page title={t('title')}>
      <EmptyState icon={CalendarOff} title={t('off.title')} text={t(isAdmin ? 'off.switch' : 'off.ask')}>
        {isAdmin && (
          <Button kind="primary" onClick={() => void navigate('/Settings#allowAgendador')}>
            {t('off.open')}
          </Button>
        )}
      </EmptyState>
    </Page>
  )
}

/** How often, when, to whom, how far; their form, their logs, what each says. */
function Schedules() {
  const t = useTexts('schedules')
  const rows = useAddressedRows(SCHEDULES, ADDRESS)
  const { search } = rows.query
  const columns = useMemo(() => makeColumns(search), [search])
  const mayAll = useUser().profile !== 'user'
  const isNarrow = useNarrowerThan('wide')
  const [open, setOpen] = useState<OpenPanel | null>(null)
  const close = () => setOpen(null)
  const shown = useRow(rows, open && 'id' in open ? open.id : null)
  // Undefined: nothing is edited; null: a new one.
  const edited = open?.panel === 'edit' ? open.id : open?.panel === 'new' ? null : undefined
  const opens = (panel: 'edit' | 'view' | 'logs') => (row: Schedule) => setOpen({ panel, id: row.id })
  return (
    <>
      <DataPage
        texts="schedules"
        icon={Calendar}
        rows={rows}
        columns={edited !== undefined ? columns.beside : isNarrow ? columns.narrow : columns.wide}
        height={ROW}
        isWide
        nameOf={formatScheduleName}
        chosen={shown?.id ?? null}
        onAdd={() => setOpen({ panel: 'before' })}
        isEditing={edited !== undefined}
        filters={
          <FilterButton
            label={t('filter.recurrence')}
            options={RECURRENCES.map(value => ({ value, label: t(`every.${value}`) }))}
            value={rows.filters.recurrence}
            onChange={recurrence => rows.filter({ recurrence })}
          />
        }
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
          title: <bdi className="min-w-0 truncate text-body font-semibold">{formatScheduleName(schedule)}</bdi>,
          text: `${describeTiming(schedule, t)}\n${formatSentCount(schedule, t)}`,
          note: <Recipients schedule={schedule} />,
        })}
        remove={{ call: id => api('DELETE /agendamento/:id', { params: { id } }), already: 'ERR_NO_SCHEDULE_FOUND' }}
      />
      {open?.panel === 'before' && (
        <ConfirmDialog
          title={t('before.title')}
          text={t('before.text')}
          action={t('before.action')}
          danger={false}
          onConfirm={() => setOpen({ panel: 'new' })}
          onClose={close}
        />
      )}
      {open?.panel === 'view' && shown && <Detail schedule={shown} onSteered={rows.put} onClose={close} />}
      {open?.panel === 'logs' && shown && <Logs schedule={shown} onClose={close} />}
    </>
  )
}
