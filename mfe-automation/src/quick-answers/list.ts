// Where a quick answer stands in the list, and whether a search finds it: as the server says it.
import type { QuickAnswer } from '@balcao/contract'
import { stripSlash } from '@balcao/contract/kit/forms'
import { getScope } from '@balcao/contract/quick-answers/quick-answer'
import { compareByText, makeTextMatcher } from '@balcao/ui/rows'

export const compareByShortcut = compareByText<QuickAnswer>(({ shortcut }) => shortcut)

const inTexts = makeTextMatcher<Pick<QuickAnswer, 'shortcut' | 'message'>>(({ shortcut, message }) => [
  shortcut,
  message,
])

export interface AnswerQuery {
  readonly search: string
  readonly scope: string | null
}

/** In shortcut or message, with or without the slash. */
export function isQuickAnswerMatch(
  row: QuickAnswer,
  { search, scope = null }: Pick<AnswerQuery, 'search'> & Partial<AnswerQuery>,
) {
  return (scope === null || scope === getScope(row)) && inTexts(row, { search: stripSlash(search) })
}
