import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { TriangleAlert } from 'lucide-react'
import type { Numbers } from './numbers.ts'

/** How much there is of everything (spec 1 §2). */
export function Facts({ cards }: { readonly cards: Numbers['cards'] }) {
  const t = useTexts('dashboard')
  const { users, connections, ...rest } = cards
  const isDown = connections.connected < connections.total
  const of = (some: number, all: number) => `${formatNumber(some)} / ${formatNumber(all)}`
  const facts = [
    { id: 'users', value: of(users.active, users.total) },
    { id: 'queues', value: formatNumber(rest.queues) },
    { id: 'connections', value: of(connections.connected, connections.total), isDown },
    { id: 'schedules', value: formatNumber(rest.schedules) },
    { id: 'contacts', value: formatNumber(rest.contacts) },
    { id: 'groups', value: formatNumber(rest.groups) },
    { id: 'tickets', value: formatNumber(rest.tickets) },
    { id: 'messages', value: formatNumber(rest.messages) },
  ]
  return (
    <dl className="m-0 grid grid-cols-2 gap-y-3 rounded-card border border-line bg-surface py-3 sm:grid-cols-4 xl:grid-cols-8">
      {facts.map(({ id, value, isDown: warns }) => (
        <div
          key={id}
          data-fact={id}
          // No line before the first of a row.
          className="flex flex-col-reverse border-l border-line px-4 first:border-l-0 max-sm:odd:border-l-0 sm:max-xl:nth-[4n+1]:border-l-0"
        >
          <dt className="text-small text-text-2">{t(`fact.${id}`)}</dt>
          <dd className={`m-0 flex items-center gap-1.5 text-card font-semibold ${warns ? 'text-danger' : 'text-ink'}`}>
            {value}
            {warns && (
              <>
                <Icon of={TriangleAlert} size={14} />
                <span className="b-only-read">{t('fact.down')}</span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
