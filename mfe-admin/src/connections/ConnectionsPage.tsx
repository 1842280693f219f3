import type { Connection } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { useActions } from '@balcao/ui/actions'
import { addTexts, formatDateTime, type Texts, useTexts } from '@balcao/ui/i18n'
import { Button, Chip, Chips, useNarrowerThan, useNow } from '@balcao/ui/parts'
import { type Column, DataPage } from '@balcao/ui/screens'
import { Plug, RotateCw } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import pt from '../../locales/connections/pt.json'
import { NextStep } from '../first-steps/NextStep.tsx'
import type { ConnectionPage, Window } from './actions.ts'
import { ConnectionCard } from './ConnectionCard.tsx'
import { ConnectionWindow } from './ConnectionWindow.tsx'
import { Doctor } from './doctor/Doctor.tsx'
import { describeBattery, describeLastMessage, describeSummary, LOW_BATTERY } from './facts.ts'
import { isAttentionNeeded } from './list.ts'
import { StatusOf, Trouble } from './marks.tsx'
import { Offers } from './Offers.tsx'
import { describeTrouble } from './trouble.ts'
import { useConnections } from './use-connections.ts'

addTexts('connections', {
  pt,
  en: () => import('../../locales/connections/en.json'),
  es: () => import('../../locales/connections/es.json'),
})

/** Past this many, cards give way to the dense table (look §11). */
const CARDS_AT_MOST = 8

const REFRESH = {
  id: 'connections.refresh',
  labelKey: 'connections:refresh',
  groupKey: 'connections:title',
  icon: RotateCw,
  shortcut: 'U',
}

/** The page of connections (spec 2 §2): every number, how it is doing, and what can be done about it. */
export default function ConnectionsPage() {
  const t = useTexts('connections')
  const { rows, queues } = useConnections()
  const list = rows.rows
  const isNarrow = useNarrowerThan('wide')
  const [open, setOpen] = useState<Window | null>(null)
  const [added, setAdded] = useState<number | null>(null)
  const now = useNow(1000, list.length > 0)
  const { put, reload } = rows
  const [examined, setExamined] = useState<number | null>(null)
  const desk = useMemo<ConnectionPage>(() => ({ open: setOpen, examine: setExamined, put, reload }), [put, reload])
  const patient = list.find(({ id }) => id === examined)
  useActions(useMemo(() => [{ ...REFRESH, perform: reload }], [reload]))
  const chosen = open && 'id' in open ? open.id : (patient?.id ?? null)
  const cards = (
    <ul className="m-0 grid gap-3 p-0" aria-label={t('table')}>
      {list.map(row => (
        <ConnectionCard
          key={row.id}
          connection={row}
          desk={desk}
          now={now}
          chosen={row.id === chosen}
          isBrief={patient !== undefined && !isNarrow}
        />
      ))}
    </ul>
  )
  return (
    <>
      <DataPage
        texts="connections"
        icon={Plug}
        rows={rows}
        intro={
          rows.status === 'ready' && (
            <span role="status">{describeSummary(list.length, list.filter(isAttentionNeeded).length, t)}</span>
          )
        }
        buttons={
          <Button icon={RotateCw} onClick={reload}>
            {t('refresh')}
          </Button>
        }
        above={<NextStep after="connection" />}
        onAdd={() => setOpen({ kind: 'add' })}
        draw={list.length > CARDS_AT_MOST ? undefined : () => cards}
        columns={makeColumns(now, t)}
        nameOf={({ name }) => name}
        actionsOf={connection => (
          <span className="flex items-center justify-end gap-1">
            <Offers connection={connection} desk={desk} dense />
          </span>
        )}
        belowOf={connection =>
          describeTrouble(connection, t, now) && (
            <Trouble connection={connection} now={now} onExamine={() => desk.examine(connection.id)} />
          )
        }
        chosen={chosen}
        panel={patient && <Doctor key={patient.id} connection={patient} desk={desk} />}
        isWide
      />
      {open && <ConnectionWindow key={`${open.kind} ${chosen}`} {...{ open, list, queues, desk, added, setAdded }} />}
    </>
  )
}

/** The facts of the cards, in columns. */
function makeColumns(now: number, t: Texts): Column<Connection>[] {
  return [
    {
      id: 'name',
      cell: ({ name, nps }) => (
        <span className="flex max-w-48 items-center gap-1.5">
          <bdi className="truncate" title={name}>
            {name}
          </bdi>
          {nps && <Chip>{t('card.nps')}</Chip>}
        </span>
      ),
    },
    { id: 'default', cell: ({ isDefault }) => t(isDefault ? 'yes' : 'no') },
    {
      id: 'battery',
      cell: ({ battery }) =>
        battery === null ? null : (
          <span className={battery < LOW_BATTERY ? 'text-danger' : undefined}>{describeBattery(battery, t)}</span>
        ),
    },
    { id: 'session', cell: connection => <StatusOf connection={connection} /> },
    {
      id: 'connection',
      cell: ({ api, number }) =>
        renderTwoLines(KIND_TABLE[api].label, number ? formatPhone(number) : t('card.noNumber')),
    },
    {
      id: 'queues',
      cell: ({ queues }) => (
        <span className="flex items-center gap-1">
          {queues.length === 0 ? t('card.noQueues') : <Chips tags={queues} />}
        </span>
      ),
    },
    { id: 'update', cell: row => renderTwoLines(formatDateTime(row.updatedAt), describeLastMessage(row, t, now)) },
  ]
}

function renderTwoLines(first: string, second: ReactNode) {
  return (
    <>
      {first}
      {second && <span className="block text-small text-muted">{second}</span>}
    </>
  )
}
