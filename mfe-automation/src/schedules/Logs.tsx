import { type Schedule, type ScheduleLogRow, truncateText } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { api } from '@balcao/ui/api'
import { getTexts, useTexts } from '@balcao/ui/i18n'
import { Dialog, Ticks } from '@balcao/ui/parts'
import {
  type Column,
  DataTable,
  type LiveRowOptions,
  MoreRows,
  type RowQuery,
  RowsFailed,
  useRows,
} from '@balcao/ui/screens'
import { useState } from 'react'
import { useLiveEvent } from '../use-live-event.ts'
import { formatLogStamp, formatScheduleName } from './words.ts'

type Row = ScheduleLogRow & { readonly version: number }

interface LogsProps {
  readonly schedule: Schedule
  readonly onClose: () => void
}

const REST_MS = 400
const PAGE = 40

/** What the runs of a scheduled send did, contact by contact (spec 3 §2): whether it went out, when, with which words, and its ticks. */
export function Logs({ schedule, onClose }: LogsProps) {
  const t = useTexts('schedules')
  const [options] = useState(() => makeLogOptions(schedule.id))
  const { rows, status, nextCursor, more, goOn, look, reload } = useRows(options)
  useLiveEvent(
    'agendamento',
    () => void (rows.length <= PAGE && look()),
    REST_MS,
    ({ agendamentoId }) => agendamentoId === schedule.id,
  )
  return (
    <Dialog title={t('logs.title')} intro={formatScheduleName(schedule)} width={860} onClose={onClose}>
      {status === 'failed' && rows.length === 0 ? (
        <RowsFailed text={t('logs.failed')} onRetry={reload} />
      ) : (
        <div className="max-h-[60vh] overflow-auto">
          <DataTable
            label={t('logs.title')}
            rows={rows}
            columns={COLUMNS}
            headOf={id => t(`logs.${id}`)}
            nameOf={({ contact }) => contact.name}
            loading={status === 'loading'}
            isWide
          >
            {status === 'ready' && rows.length === 0 && (
              <p className="m-0 border-t border-line p-4 text-cell text-muted">{t('logs.none')}</p>
            )}
          </DataTable>
          {nextCursor !== null && rows.length > 0 && <MoreRows state={more} onMore={goOn} />}
        </div>
      )}
    </Dialog>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'contact',
    cell: ({ contact: { name, number } }) => (
      <bdi className="block max-w-52 truncate">{name || (number ? formatPhone(number) : '')}</bdi>
    ),
  },
  {
    id: 'sent',
    cell: ({ wasSend, state }) => (
      <span className="flex items-center gap-1.5">
        {state !== 'excluded' && state !== 'waiting' && state !== 'cancelled' && <Ticks state={state} bare />}
        {getTexts('schedules')(wasSend ? 'yes' : 'notSent')}
      </span>
    ),
  },
  { id: 'date', cell: formatLogStamp },
  {
    id: 'body',
    cell: ({ body }) => (
      <bdi className="block max-w-80 truncate" title={truncateText(body, 1000)}>
        {body}
      </bdi>
    ),
  },
]

function makeLogOptions(id: number): LiveRowOptions<Row, RowQuery> {
  return {
    start: { search: '' },
    // They come in the order of the server and no event tells of one by itself.
    order: () => 0,
    matches: () => true,
    async page(_query, cursor, signal) {
      const query = { cursor: cursor ?? undefined, limit: PAGE }
      const { logs, nextCursor, count } = await api('GET /agendamento/logs/:id', { params: { id }, query, signal })
      return { rows: logs.map(row => ({ ...row, version: 0 })), nextCursor, count }
    },
    events: () => () => undefined,
  }
}
