// Whom a text can call, while a name is being written behind an `@`: colleagues in a comment, the members in a group.
import type { Ticket } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { findByName } from '@balcao/contract/kit/name-match'
import { nameMember } from '@balcao/contract/messages/member-mentions'
import { FOLLOWERS_MOST } from '@balcao/contract/tickets/deeds'
import { api } from '@balcao/ui/api'
import { usePeople, useQuery } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { useUser } from '@balcao/ui/session'
import { type Ref, useState } from 'react'
import { isServed } from '../tickets/served.ts'
import { isHelper, toHelperId } from './drafts.ts'
import './late.ts'
import { Suggestions, type SuggestionsHandle } from './Suggestions.tsx'

/** A colleague by a number, one who would be asked in by a helper's id, a member of a group by the provider's address. */
export interface NamedPerson {
  readonly id: number | string
  readonly name: string
  /** What tells two of one name apart. */
  readonly number?: string | null
}

interface MentionListProps {
  readonly ticket: Ticket
  readonly comment: boolean
  /** The letters after the `@`. */
  readonly typed: string
  readonly onChoose: (person: NamedPerson) => void
  readonly ref: Ref<SuggestionsHandle>
}

export default function MentionList({ ticket, comment, typed, onChoose, ref }: MentionListProps) {
  const t = useTexts('tickets')
  const { id, contactId } = ticket
  const {
    last: people,
    error,
    again,
  } = useQuery<readonly NamedPerson[]>(comment ? `colleagues.${id}` : `members.${contactId}`, signal =>
    comment ? api('GET /tickets/:id/colleagues', { params: { id }, signal }) : listMembers(signal),
  )
  const helpers = useHelpers(ticket, comment, people)
  const offered = people ? findPeople([...people, ...(helpers ?? [])], typed) : []
  const isFailed = people === null && error !== null
  const [isAskedAgain, setAskedAgain] = useState(false)
  const waiting = !isFailed && (!people || !helpers)
  // Behind the first word of a name that nobody can complete the text goes on.
  if (isFailed ? /\s/.test(typed) : !waiting && offered.length === 0) return null
  return (
    <Suggestions
      ref={ref}
      title={t(comment ? 'composer.mention' : 'composer.member')}
      items={offered}
      idOf={person => person.id}
      waiting={waiting}
      onRetry={isFailed && (comment || !isAskedAgain) ? askAgain : undefined}
      none={isFailed ? describeError(error) : null}
      onChoose={onChoose}
      draw={({ id, name, number }) => (
        <>
          <span>{isHelper(`${id}`) ? t('composer.askHelp', { name }) : name}</span>
          {number && number !== name && <small>{number}</small>}
        </>
      )}
    />
  )

  /** Once in a group: a text to it says the same without a name, and waits in the queue while its line is down. A comment would call nobody. */
  function askAgain() {
    setAskedAgain(true)
    again()
  }

  async function listMembers(signal: AbortSignal): Promise<readonly NamedPerson[]> {
    const { participants } = await api('GET /contact/group/:id', { params: { id: contactId }, signal })
    const members = participants
      .filter(({ isMe }) => !isMe)
      .map(member => ({
        id: member.id,
        name: nameMember(member, t('composer.nameless')),
        number: member.number && formatPhone(member.number),
      }))
    return tellApart(members)
  }
}

/** The colleagues who do not see the conversation, for who may ask them in; undefined while they are on their way. */
function useHelpers(ticket: Ticket, comment: boolean, colleagues: readonly NamedPerson[] | null) {
  const me = useUser().id
  const mayAsk = comment && isServed(ticket) && (ticket.followers?.length ?? 0) < FOLLOWERS_MOST
  const { last, error } = usePeople(undefined, mayAsk)
  if (!mayAsk || error !== null) return []
  const seen = new Set([me, ...(colleagues ?? []).map(({ id }) => id)])
  return last?.flatMap(({ id, active, name }) => (active && !seen.has(id) ? { id: toHelperId(id), name } : []))
}

const SHOWN_DIGITS = 4

/**
 * Members of one name get the end of their number behind it, by which people know one another, or else which of them they are: the name in
 * the text says who is meant.
 */
export function tellApart<Person extends NamedPerson>(people: readonly Person[]): readonly Person[] {
  const byName = Map.groupBy(people, ({ name }) => name)
  return people.map(person => {
    const same = byName.get(person.name) ?? []
    if (same.length < 2) return person
    const end = findNumberEnd(person)
    const isOwn = end !== '' && same.every(other => other === person || findNumberEnd(other) !== end)
    return { ...person, name: `${person.name} (${isOwn ? `…${end}` : same.indexOf(person) + 1})` }
  })
}

function findNumberEnd({ number }: NamedPerson): string {
  return (number ?? '').replace(/\D/g, '').slice(-SHOWN_DIGITS)
}

/** Those meant by it; a name that is written out already asks no more. */
function findPeople(people: readonly NamedPerson[], typed: string): readonly NamedPerson[] {
  if (people.some(({ name }) => typed === `${name} `)) return []
  return findByName(people, typed, ({ name }) => name)
}
