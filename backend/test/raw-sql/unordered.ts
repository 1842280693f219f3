// What a change gives back comes in no order: rows of `returning` are found by what they say, never by their place.

/** A list that is kept under a name, up to the next statement of its block. */
const KEPT_LIST = /^( *)const (\w+)(?::[^=\n]+)? = /gm

/** The lists of a source that are changed rows without an order, and are taken by their place. */
export function findRowsByPlace(text: string): string[] {
  return [...text.matchAll(KEPT_LIST)].flatMap(({ 0: begin, 1: indent = '', 2: name = '', index }) => {
    const from = index + begin.length
    const length = text.slice(from).search(new RegExp(`\\n${indent}(?![ )\\]}.\`:?])`))
    const end = length < 0 ? text.length : from + length
    const change = /\breturning\b(?![\s\S]*(?:order by|toSorted|\.sort\())/.test(text.slice(from, end))
    const rest = text.slice(end).split('\n}\n')[0] ?? ''
    const byPlace = new RegExp(
      `\\b${name}\\b\\??\\.?(?:\\[|at\\(|entries\\(|slice\\(|(?:map|flatMap|forEach)\\((?:\\(\\w+|\\(\\{[^}]*\\}), )`,
    )
    return change && byPlace.test(rest) ? [name] : []
  })
}
