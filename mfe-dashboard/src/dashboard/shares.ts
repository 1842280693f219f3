// The pies: who has no name gets one, and what is none of the named stands last, in grey.
import type { Texts } from '@balcao/ui/i18n'
import { type ChartValue, GREY } from '../charts/Chart.tsx'
import type { Numbers } from './numbers.ts'

interface Shares {
  readonly person: readonly ChartValue[]
  readonly contact: readonly ChartValue[]
  readonly queue: readonly ChartValue[]
}

export function toShares(numbers: Pick<Numbers, 'byPerson' | 'byContact' | 'byQueue'> | null, t: Texts): Shares {
  const { byPerson = [], byContact = [], byQueue = [] } = numbers ?? {}
  return {
    person: nameDistinctly(
      byPerson.map(({ user, Total }) => (user ? { name: user.name, value: Total } : makeOther(t('noPerson'), Total))),
    ),
    contact: nameDistinctly(
      byContact.map(({ contact, Total }) =>
        contact ? { name: contact.name, value: Total } : makeOther(t('otherContacts'), Total),
      ),
    ),
    queue: nameDistinctly(
      byQueue.map(({ queue, Total }) =>
        queue
          ? { name: queue.name || t('goneQueue'), value: Total, ...(queue.color && { color: queue.color }) }
          : makeOther(t('noQueue'), Total),
      ),
    ),
  }
}

function makeOther(name: string, value: number): ChartValue {
  return { name, value, color: GREY }
}

/** Two may bear the same name. */
function nameDistinctly(values: readonly ChartValue[]): ChartValue[] {
  const seen = new Map<string, number>()
  return values.map(value => {
    const nth = (seen.get(value.name) ?? 0) + 1
    seen.set(value.name, nth)
    return nth === 1 ? value : { ...value, name: `${value.name} (${nth})` }
  })
}
