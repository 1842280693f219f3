// What a change gives back comes in no order: rows of `returning` are found by what they say, never by their place.

/** A list that is kept under a name, up to the next statement of its block. */
const KEPT_LIST = /^( *)const (\w+)(?::[^=\n]+)? = /gm

/** What asks nothing of an order: how many there are, the set or the table of them, one that is found by what it says. */
const ORDERLESS = [
  (name: string) => `\\b${name}\\??\\.(?:length|find|some|every)\\b`,
  (name: string) => `\\bnew (?:Set|Map)\\((?:toIds\\()?${name}\\b`,
  // Rows that are told of are told each by itself.
  (name: string) => `\\bpublish\\w+\\((?:[^()]|\\([^()]*\\))*?(?:toIds\\()?\\b${name}\\b`,
]

interface ChangedRows {
  readonly name: string
  /** What follows in its block. */
  readonly rest: string
}

/** The lists of a source that are changed rows without an order, and are taken by their place. */
export function findRowsByPlace(text: string): string[] {
  return listChangedRows(text).flatMap(({ name, rest }) => {
    const byPlace = new RegExp(
      `\\b${name}\\b\\??\\.?(?:\\[|at\\(|findLast|entries\\(|slice\\(|(?:map|flatMap|forEach)\\((?:\\(\\w+|\\(\\{[^}]*\\}), )`,
    )
    return byPlace.test(rest) ? [name] : []
  })
}

/** Those that are handed on as a list: to whom their order may mean something. */
export function findRowsHandedOn(text: string): string[] {
  return listChangedRows(text).flatMap(({ name, rest }) => {
    const left = ORDERLESS.reduce((uses, write) => uses.replaceAll(new RegExp(write(name), 'g'), ''), rest)
    return new RegExp(`\\b${name}\\b`).test(left) ? [name] : []
  })
}

function listChangedRows(text: string): ChangedRows[] {
  return [...text.matchAll(KEPT_LIST)].flatMap(({ 0: begin, 1: indent = '', 2: name = '', index }) => {
    const from = index + begin.length
    const length = text.slice(from).search(new RegExp(`\\n${indent}(?![ )\\]}.\`:?])`))
    const end = length < 0 ? text.length : from + length
    const change = /\breturning\b(?![\s\S]*(?:order by|toSorted|\.sort\())/.test(text.slice(from, end))
    return change ? [{ name, rest: text.slice(end).split('\n}\n')[0] ?? '' }] : []
  })
}
