import type { Connection } from '@balcao/contract'
import { KIND_TABLE } from '@balcao/contract/kinds'
import { formatPhone } from '@balcao/contract/phone'
import { formatDateTime, useTexts } from '@balcao/ui/i18n'
import { Chip, Chips, classes } from '@balcao/ui/parts'
import type { Desk } from './desk.ts'
import { batteryText, LOW_BATTERY, lastMessage } from './facts.ts'
import { Offers } from './Offers.tsx'
import { StatusOf } from './StatusOf.tsx'
import { Trouble } from './Trouble.tsx'
import { troubleText } from './trouble.ts'

interface TableProps {
  readonly list: readonly Connection[]
  readonly desk: Desk
  readonly now: number
  readonly chosen: number | undefined
}

const COLUMNS = ['name', 'default', 'battery', 'session', 'connection', 'queues', 'update', 'actions'] as const

/** The same facts as the cards, in rows, for companies with many numbers (look §11). */
export function ConnectionTable({ list, desk, now, chosen }: TableProps) {
  const t = useTexts('admin')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard too
    <section tabIndex={0} aria-label={t('list')} className="overflow-x-auto rounded-card border border-line bg-surface">
      <table className="w-full border-collapse text-left text-cell whitespace-nowrap" aria-label={t('list')}>
        <thead>
          <tr>
            {COLUMNS.map(column => (
              <th key={column} scope="col" className="h-10 px-3 text-tag font-semibold text-text-2">
                {t(`table.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        {list.map(connection => (
          <Rows key={connection.id} connection={connection} desk={desk} now={now} chosen={connection.id === chosen} />
        ))}
      </table>
    </section>
  )
}

interface RowsProps {
  readonly connection: Connection
  readonly desk: Desk
  readonly now: number
  readonly chosen: boolean
}

/** One row of facts and, in trouble, a second one that says why. */
function Rows({ connection, desk, now, chosen }: RowsProps) {
  const t = useTexts('admin')
  const low = (connection.battery ?? 100) < LOW_BATTERY
  const trouble = troubleText(connection, t, now) !== null
  return (
    <tbody
      data-connection={connection.id}
      className={classes('border-t border-line', chosen ? 'bg-primary-tint' : 'bg-surface hover:bg-hover')}
    >
      <tr className="bg-inherit">
        <th scope="row" className="max-w-48 px-3 py-1 font-semibold">
          <span className="flex items-center gap-1.5">
            <span className="truncate" title={connection.name}>
              {connection.name}
            </span>
            {connection.nps && <Chip>{t('card.nps')}</Chip>}
          </span>
        </th>
        <td className="px-3 py-1">{connection.isDefault ? t('table.yes') : t('table.no')}</td>
        <td className={classes('px-3 py-1', low && 'text-danger')}>{batteryText(connection.battery, t) ?? '–'}</td>
        <td className="px-3 py-1">
          <StatusOf connection={connection} />
        </td>
        <td className="px-3 py-1">
          <TwoLines
            first={KIND_TABLE[connection.api].label}
            second={connection.number ? formatPhone(connection.number) : t('card.noNumber')}
          />
        </td>
        <td className="px-3 py-1">
          <span className="flex items-center gap-1">
            {connection.queues.length === 0 ? t('card.noQueues') : <Chips tags={connection.queues} />}
          </span>
        </td>
        <td className="px-3 py-1">
          <TwoLines first={formatDateTime(connection.updatedAt)} second={lastMessage(connection, t, now)} />
        </td>
        <td className="sticky right-0 bg-inherit px-2 py-1">
          <span className="flex items-center justify-end gap-1">
            <Offers connection={connection} desk={desk} dense />
          </span>
        </td>
      </tr>
      {trouble && (
        <tr>
          <td colSpan={COLUMNS.length} className="px-3 pb-2.5 whitespace-normal">
            <div className="-mt-2.5 max-w-[744px]">
              <Trouble connection={connection} now={now} />
            </div>
          </td>
        </tr>
      )}
    </tbody>
  )
}

function TwoLines({ first, second }: { readonly first: string; readonly second: string | null }) {
  return (
    <>
      {first}
      {second && <span className="block text-small text-muted">{second}</span>}
    </>
  )
}
