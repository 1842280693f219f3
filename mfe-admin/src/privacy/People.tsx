import type { PersonMatch } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { formatDate, type Texts, useTexts } from '@balcao/ui/i18n'
import { Avatar, Chip, joinClasses } from '@balcao/ui/parts'

interface PeopleProps {
  readonly people: readonly PersonMatch[]
  readonly chosen: number | null
  readonly onChoose: (id: number) => void
}

/** Who was found; one is chosen. */
export function People({ people, chosen, onChoose }: PeopleProps) {
  const t = useTexts('privacy')
  return (
    <ul
      aria-label={t('found')}
      className="b-card m-0 grid list-none grid-cols-[minmax(0,1fr)] gap-1 p-1.5 md:max-w-[744px]"
    >
      {people.map(person => (
        <li key={person.id}>
          <button
            type="button"
            aria-pressed={person.id === chosen}
            onClick={() => onChoose(person.id)}
            className={joinClasses(
              'flex w-full cursor-pointer items-center gap-3 rounded-item px-3 py-2.5 text-left',
              person.id === chosen ? 'bg-primary-tint' : 'hover:bg-hover',
            )}
          >
            <Avatar id={person.id} name={person.name} photo={person.profilePicUrl} size={36} />
            <span className="min-w-0 flex-1">
              <strong className="block truncate text-body font-semibold text-ink">
                <bdi>{person.name || t('noName')}</bdi>
              </strong>
              <span className="block truncate text-small text-text-2">{formatPersonFacts(person, t)}</span>
            </span>
            {person.dueAt && <Chip>{t('due', { day: formatDate(person.dueAt) })}</Chip>}
          </button>
        </li>
      ))}
    </ul>
  )
}

function formatPersonFacts({ number, email, createdAt, connections }: PersonMatch, t: Texts): string {
  return [
    number && formatPhone(number),
    email,
    t('since', { day: formatDate(createdAt) }),
    connections > 0 && t('connections', { count: connections }),
  ]
    .filter(Boolean)
    .join(' · ')
}
