import { foldText } from '@balcao/contract/kit/search'

/** The entries whose label or further words hold every typed word, accents and case aside; all of them for no text. */
export function find<T extends { readonly label: string; readonly words: string }>(
  entries: readonly T[],
  text: string,
) {
  const wanted = foldText(text).split(/\s+/).filter(Boolean)
  return entries.filter(entry => {
    const within = foldText(`${entry.label} ${entry.words}`)
    return wanted.every(word => within.includes(word))
  })
}
