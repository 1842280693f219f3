import { foldText } from '@balcao/contract/kit/search'

/** Whether a name is meant by what is typed, accents and capitals aside. */
export function isNameMatch(name: string, search: string): boolean {
  return foldText(name).includes(foldText(search.trim()))
}
