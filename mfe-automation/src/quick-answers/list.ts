// Where a quick answer stands in the list, and whether a search finds it: as the server says it.
import type { QuickAnswer } from '@balcao/contract'
import { withoutSlash } from '@balcao/contract/forms'
import { byText, foundIn } from '@balcao/ui/rows'

export const byShortcut = byText<QuickAnswer>(({ shortcut }) => shortcut)

const inTexts = foundIn<Pick<QuickAnswer, 'shortcut' | 'message'>>(({ shortcut, message }) => [shortcut, message])

/** In shortcut or message, with or without the slash. */
export function matches(row: Pick<QuickAnswer, 'shortcut' | 'message'>, { search }: { readonly search: string }) {
  return inTexts(row, { search: withoutSlash(search) })
}
