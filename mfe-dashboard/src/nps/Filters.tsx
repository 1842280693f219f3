import { api } from '@balcao/ui/api'
import { usePeople, useQuery } from '@balcao/ui/ask'
import { formatNumber, useTexts } from '@balcao/ui/i18n'
import { Segments } from '@balcao/ui/parts'
import { FilterButton, type Rows } from '@balcao/ui/screens'
import type { ReactNode } from 'react'
import { LOW, type NpsQuery, type RatingRow } from './list.ts'
import type { Summary } from './use-summary.ts'

interface FiltersProps {
  readonly rows: Rows<RatingRow, NpsQuery>
  readonly summary: Summary | null
  /** Stands at the right end. */
  readonly children: ReactNode
}

/** All or low ones, of a person, a queue, a connection. */
export function Filters({ rows: { rows, filters, filter }, summary, children }: FiltersProps) {
  const t = useTexts('nps')
  const { last: people } = usePeople()
  const { last: queues } = useQuery('queues', signal => api('GET /queue', { signal }))
  const { last: connections } = useQuery('connections', signal => api('GET /whatsapp', { signal }))
  const rates = summary?.now.rates ?? []
  const withBounds = (least: number, most: number) => {
    const count = rates.slice(least - 1, most).reduce((sum, n) => sum + n, 0)
    return summary && <span className="font-normal text-muted">{formatNumber(count)}</span>
  }
  return (
    <>
      <Segments
        label={t('which')}
        tabs={[
          { id: 'all', label: t('allRates'), badge: withBounds(1, 5) },
          { id: 'low', label: t('lowRates'), badge: withBounds(1, LOW) },
        ]}
        chosen={filters.low ? 'low' : 'all'}
        onChoose={id => filter({ low: id === 'low' })}
      />
      <FilterButton
        label={t('filter.user')}
        options={mergeChoices(
          people,
          rows.map(({ user }) => user),
        )}
        value={filters.userId}
        onChange={userId => filter({ userId })}
      />
      <FilterButton
        label={t('filter.queue')}
        options={mergeChoices(
          queues,
          rows.map(({ queue }) => queue),
        )}
        value={filters.queueId}
        onChange={queueId => filter({ queueId })}
      />
      <FilterButton
        label={t('filter.whatsapp')}
        options={mergeChoices(
          connections,
          rows.map(({ whatsapp }) => whatsapp),
        )}
        value={filters.whatsappId}
        onChange={whatsappId => filter({ whatsappId })}
      />
      <span className="b-no-print flex flex-1 justify-end">{children}</span>
    </>
  )
}

interface NamedItem {
  readonly id: number
  readonly name: string
}

/** Those there are, and those who are gone and still have ratings here. */
function mergeChoices(known: readonly NamedItem[] | null, rated: readonly (NamedItem | null)[]) {
  const all = new Map([...rated, ...(known ?? [])].flatMap(one => (one ? [[one.id, one.name]] : [])))
  return [...all]
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label, 'pt-BR'))
}
