import { folded } from '@balcao/contract/search'

/** Whether a name is meant by what is typed, accents and capitals aside. */
export function fits(name: string, search: string): boolean {
  return folded(name).includes(folded(search.trim()))
}
