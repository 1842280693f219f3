// The colleagues a comment can call, while a name is being written behind an `@`.
import type { UserBrief } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { isNameMatch, useQuery } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import type { Ref } from 'react'
import './late.ts'
import { Suggestions, type SuggestionsHandle } from './Suggestions.tsx'

interface MentionListProps {
  readonly ticketId: number
  /** The letters after the `@`. */
  readonly typed: string
  readonly onChoose: (name: string) => void
  readonly ref: Ref<SuggestionsHandle>
}

export default function MentionList({ ticketId, typed, onChoose, ref }: MentionListProps) {
  const t = useTexts('tickets')
  const { last: colleagues, error } = useQuery(`colleagues.${ticketId}`, signal =>
    api('GET /tickets/:id/colleagues', { params: { id: ticketId }, signal }),
  )
  const offered = findPeople(colleagues ?? [], typed)
  if (error !== null || (colleagues && offered.length === 0)) return null
  return (
    <Suggestions
      ref={ref}
      title={t('composer.mention')}
      items={offered}
      idOf={({ id }) => id}
      waiting={!colleagues}
      none={null}
      onChoose={({ name }) => onChoose(name)}
      draw={({ name }) => <span>{name}</span>}
    />
  )
}

/** Those of whose name a word begins like that; a name that is written out already asks no more. */
function findPeople(people: readonly UserBrief[], typed: string): readonly UserBrief[] {
  if (people.some(({ name }) => typed === `${name} `)) return []
  return people.filter(({ name }) => isNameMatch(name, typed))
}
