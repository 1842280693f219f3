import type { Contact } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/kit/limits'
import { sortByMatch } from '@balcao/contract/kit/name-match'
import { api } from '@balcao/ui/api'
import { useQuery } from './use-query.ts'

interface ContactQueryOptions {
  /** Without a text: the first ones there are. */
  readonly orFirst?: boolean
  readonly onError?: (error: unknown) => void
}

const NOBODY: readonly Contact[] = []

/** Contacts by name or number, whom it means most first: from three characters, half a second after the last key (spec 1 §5). */
export function useContacts(text: string, { orFirst = false, onError }: ContactQueryOptions = {}) {
  const searchParam = text.trim()
  const isAsked = [...searchParam].length >= LIMITS.searchMinimum
  const { now, last, error, again } = useQuery(
    isAsked ? searchParam : orFirst ? '' : null,
    async signal => {
      const query = isAsked ? { searchParam, order: 'match' as const } : { count: 'false' }
      const { contacts } = await api('GET /contacts', { query, signal })
      return sortByMatch(contacts, searchParam, ({ name }) => name)
    },
    { waitMs: isAsked ? LIMITS.searchDebounceMs : 0, ...(onError ? { onError } : {}) },
  )
  /** `contacts`: what was found last, none where nothing is asked; `now`: the answer to just this text. */
  return { now, contacts: isAsked || orFirst ? (last ?? NOBODY) : NOBODY, known: last !== null, error, again, isAsked }
}
