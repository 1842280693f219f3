import type { Connection } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Chip, Icon, joinClasses, QueueDot } from '@balcao/ui/parts'
import { BatteryFull, BatteryLow, Clock, type LucideIcon, RefreshCw } from 'lucide-react'
import { useId } from 'react'
import type { ConnectionPage } from './actions.ts'
import { describeBattery, describeLastMessage, describeLastUpdate, formatKindAndNumber, LOW_BATTERY } from './facts.ts'
import { KindIcon, StatusOf, Trouble } from './marks.tsx'
import { News } from './News.tsx'
import { Offers } from './Offers.tsx'

interface CardProps {
  readonly connection: Connection
  readonly desk: ConnectionPage
  readonly now: number
  /** A window about this connection is open. */
  readonly chosen: boolean
  /** Beside the doctor's panel: who it is and how it is doing; the name leads to its own. */
  readonly isBrief?: boolean
}

/** One connection with every fact of it (spec 2 §2). */
export function ConnectionCard({ connection, desk, now, chosen, isBrief }: CardProps) {
  const t = useTexts('connections')
  const title = useId()
  return (
    <li
      aria-labelledby={title}
      className={joinClasses(
        'list-none rounded-card border bg-surface px-[18px] pt-4 pb-3.5',
        chosen ? 'border-primary ring-1 ring-primary' : 'border-line',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5">
        <KindIcon connection={connection} />
        <div className="min-w-0 flex-1 basis-40">
          <h2 id={title} className="flex flex-wrap items-center gap-2 text-card font-semibold text-ink">
            {isBrief ? (
              <button type="button" className="b-link min-w-0 break-words" onClick={() => desk.examine(connection.id)}>
                {connection.name}
              </button>
            ) : (
              <span className="min-w-0 break-words">{connection.name}</span>
            )}
            {connection.isDefault && <Chip>{t('card.default')}</Chip>}
            {connection.nps && <Chip>{t('card.nps')}</Chip>}
          </h2>
          <p className="text-small text-muted">{formatKindAndNumber(connection, t)}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2.5 max-sm:w-full sm:justify-end">
          {/* On phones the status shares its line with the dots, and the buttons the lines below. */}
          <span className="flex max-sm:basis-[calc(100%-3.5rem)]">
            <StatusOf connection={connection} />
          </span>
          {!isBrief && <Offers connection={connection} desk={desk} />}
        </div>
      </div>
      {!isBrief && (
        <>
          <Trouble connection={connection} now={now} onExamine={() => desk.examine(connection.id)} />
          <News connection={connection} desk={desk} />
          <Facts connection={connection} now={now} />
        </>
      )}
    </li>
  )
}

function Facts({ connection, now }: { readonly connection: Connection; readonly now: number }) {
  const t = useTexts('connections')
  const battery = describeBattery(connection.battery, t)
  const low = (connection.battery ?? 100) < LOW_BATTERY
  const message = describeLastMessage(connection, t, now)
  return (
    <ul className="mt-3.5 flex flex-wrap items-center gap-x-5 gap-y-1.5 border-t border-line pt-3 text-small text-text-2">
      {connection.queues.length === 0 && <li>{t('card.noQueues')}</li>}
      {connection.queues.map(queue => (
        <li key={queue.id} className="flex items-center gap-1.5">
          <QueueDot color={queue.color} />
          {queue.name}
        </li>
      ))}
      {battery && (
        <Fact icon={low ? BatteryLow : BatteryFull} danger={low} name={t('card.battery', { text: battery })}>
          {battery}
        </Fact>
      )}
      {message && <Fact icon={Clock}>{message}</Fact>}
      <Fact icon={RefreshCw}>{describeLastUpdate(connection, t)}</Fact>
    </ul>
  )
}

interface FactProps {
  readonly icon: LucideIcon
  readonly danger?: boolean
  readonly name?: string
  readonly children: string
}

function Fact({ icon, danger, name, children }: FactProps) {
  return (
    <li className="flex items-center gap-1.5">
      <span className={danger ? 'text-danger' : undefined}>
        <Icon of={icon} size={16} />
      </span>
      <span aria-hidden={name ? true : undefined}>{children}</span>
      {name && <span className="b-only-read">{name}</span>}
    </li>
  )
}
