// Where a quick answer stands in the list, and whether a search finds it: as the server says it.
import type { QuickAnswer } from '@balcao/contract'
import { stripSlash } from '@balcao/contract/kit/forms'
import { compareByText, makeTextMatcher } from '@balcao/ui/rows'

export const compareByShortcut = compareByText<QuickAnswer>(({ shortcut }) => shortcut)

const inTexts = makeTextMatcher<Pick<QuickAnswer, 'shortcut' | 'message'>>(({ shortcut, message }) => [
  shortcut,
  message,
])

/** In shortcut or message, with or without the slash. */
export function isQuickAnswerMatch(
  row: Pick<QuickAnswer, 'shortcut' | 'message'>,
  { search }: { readonly search: string },
) {
  return inTexts(row, { search: stripSlash(search) })
}
