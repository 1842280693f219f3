// Order and search of a list by name, as the server has them (`backend/src/platform/http/paging.ts`).
import { foldText } from '@balcao/contract/kit/search'
import type { ListRow } from './row-table.ts'

/** By a text of the row as Portuguese sorts it, then by age. */
export function compareByText<R extends ListRow>(textOf: (row: R) => string) {
  return (one: R, other: R) => textOf(one).localeCompare(textOf(other), 'pt-BR') || one.id - other.id
}

/** Whether a search stands in one of the texts of a row, whatever the accents and capitals. */
export function makeTextMatcher<R>(textsOf: (row: R) => readonly string[]) {
  return (row: R, { search }: { readonly search: string }) => {
    const wanted = foldText(search.trim())
    return textsOf(row).some(text => foldText(text).includes(wanted))
  }
}
