// The team to choose from: one person, or several with a tick.

import type { User, UserBrief } from '@balcao/contract'
import { findByName } from '@balcao/contract/kit/name-match'
import { isComposing } from '@balcao/ui/actions'
import { usePeople } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Avatar, Checkbox, EmptyState, ErrorState, RowSkeletons, SearchInput, useSkeleton } from '@balcao/ui/parts'
import { usePresence } from '@balcao/ui/team'
import { UsersRound } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'

interface PeopleProps {
  /** Those who are not offered. */
  readonly without?: readonly number[]
  /** Who is in already: offered also when they are not of the team any more. */
  readonly members?: readonly UserBrief[]
  /** With these the list has ticks; `fixed` stay ticked. */
  readonly ticked?: ReadonlySet<number>
  readonly fixed?: readonly number[]
  readonly onChoose: (user: UserBrief) => void
}

export function People({ without = [], members = [], ticked, fixed = [], onChoose }: PeopleProps) {
  const t = useTexts('tickets')
  const { now: team, error, again } = usePeople()
  const people = team && listPeople(team, members)
  const [search, setSearch] = useState('')
  const skeleton = useSkeleton(people === null && !error)
  if (error) return <ErrorState title={t('chat.teamFailed')} text={describeError(error)} onRetry={again} />
  if (!people) return skeleton ? <RowSkeletons /> : null
  const others = people.filter(user => !without.includes(user.id))
  const offered = findByName(others, search, user => user.name)

  /** Enter behind a name belongs to the first that is found, not to the form. */
  function pick(event: KeyboardEvent) {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent) || search.trim() === '') return
    event.preventDefault()
    const first = offered.find(({ id }) => !ticked?.has(id))
    if (!first) return
    setSearch('')
    onChoose(first)
  }

  return (
    <>
      <SearchInput label={t('chat.searchPeople')} value={search} onChange={setSearch} onKeyDown={pick} />
      {offered.length === 0 ? (
        <EmptyState icon={UsersRound} title={t('chat.nobodyTitle')} text={t('chat.nobodyText')} />
      ) : (
        <ul className="i-people" aria-label={t('chat.team')}>
          {offered.map(user => (
            <li key={user.id}>
              {ticked ? (
                <Checkbox
                  className="i-person"
                  checked={ticked.has(user.id)}
                  disabled={fixed.includes(user.id)}
                  onChange={() => onChoose(user)}
                >
                  <Person user={user} />
                </Checkbox>
              ) : (
                <button type="button" className="i-person" onClick={() => onChoose(user)}>
                  <Person user={user} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function listPeople(team: readonly User[], members: readonly UserBrief[]): readonly UserBrief[] {
  const active = team.filter(user => user.active)
  const known = new Set(active.map(user => user.id))
  return [...active, ...members.filter(user => !known.has(user.id))]
}

interface PersonProps {
  readonly user: UserBrief & { readonly profile?: string }
  readonly note?: string | undefined
}

/** Face, name and profile of one person, with a dot that says whether they are there. */
export function Person({ user, note }: PersonProps) {
  const t = useTexts('tickets')
  const presence = usePresence(user.id)
  return (
    <span className="i-person-in">
      <Avatar id={user.id} name={user.name} photo={user.profilePicUrl} presence={presence} size={36} />
      <span className="i-person-text">
        <strong>{user.name}</strong>
        <small>{note ?? (user.profile ? t(`chat.profile.${user.profile}`) : '')}</small>
      </span>
    </span>
  )
}
