import type { User } from '@balcao/contract'
import { useEffect, useState } from 'react'
import { server } from '../server.ts'

export interface TeamAnswer {
  readonly people: readonly User[] | null
  readonly error: unknown
  readonly again: () => void
}

/** Who can be asked into a chat: everybody who is active, by name. */
export function useTeam(): TeamAnswer {
  const [tries, setTries] = useState(0)
  const [answer, setAnswer] = useState<Pick<TeamAnswer, 'people' | 'error'>>({ people: null, error: null })
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew at each try
  useEffect(() => {
    let left = false
    server
      .users()
      .then(users => {
        if (!left) setAnswer({ people: users.filter(user => user.active), error: null })
      })
      .catch((error: unknown) => {
        if (!left) setAnswer({ people: null, error })
      })
    return () => {
      left = true
    }
  }, [tries])
  return { ...answer, again: () => setTries(tries + 1) }
}

/** Without accents and case. */
export function fits(name: string, search: string): boolean {
  return plain(name).includes(plain(search.trim()))
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase('pt')
}
