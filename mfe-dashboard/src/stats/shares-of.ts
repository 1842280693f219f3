// The pies: who has no name gets one, and what is none of the named stands last, in grey.
import type { Texts } from '@balcao/ui/i18n'
import { GREY, type Value } from '@balcao/ui/screens'
import type { Numbers } from './numbers.ts'

interface Shares {
  readonly person: readonly Value[]
  readonly contact: readonly Value[]
  readonly queue: readonly Value[]
}

export function sharesOf(numbers: Pick<Numbers, 'byPerson' | 'byContact' | 'byQueue'> | null, t: Texts): Shares {
  const { byPerson = [], byContact = [], byQueue = [] } = numbers ?? {}
  return {
    person: distinct(
      byPerson.map(({ user, Total }) => (user ? { name: user.name, value: Total } : none(t('noPerson'), Total))),
    ),
    contact: distinct(
      byContact.map(({ contact, Total }) =>
        contact ? { name: contact.name, value: Total } : none(t('otherContacts'), Total),
      ),
    ),
    queue: distinct(
      byQueue.map(({ queue, Total }) =>
        queue
          ? { name: queue.name || t('goneQueue'), value: Total, ...(queue.color && { color: queue.color }) }
          : none(t('noQueue'), Total),
      ),
    ),
  }
}

function none(name: string, value: number): Value {
  return { name, value, color: GREY }
}

/** Two may bear the same name. */
function distinct(values: readonly Value[]): Value[] {
  const seen = new Map<string, number>()
  return values.map(value => {
    const nth = (seen.get(value.name) ?? 0) + 1
    seen.set(value.name, nth)
    return nth === 1 ? value : { ...value, name: `${value.name} (${nth})` }
  })
}
