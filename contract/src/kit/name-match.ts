// Who is meant by the letters of a name: the first of these is whom Enter takes.
import { foldText } from './search.ts'

type ReadName<T> = (one: T) => string

/** Those in whose names it stands, accents and capitals aside, whom it means most first. */
export function findByName<T>(list: readonly T[], typed: string, readName: ReadName<T>): readonly T[] {
  const letters = foldText(typed.trim())
  const found = list.filter(one => foldText(readName(one)).includes(letters))
  return sortByMatch(found, typed, readName)
}

/**
 * Those whose name begins with just these words first, then with these letters, then those of whose name words begin like that, each in
 * the order they come in. Nobody is left out.
 * @example sortByMatch(['Adriana', 'Maria Ana', 'Anabela', 'Ana'], 'ana', name => name) // ['Ana', 'Anabela', 'Maria Ana', 'Adriana']
 */
export function sortByMatch<T>(list: readonly T[], typed: string, readName: ReadName<T>): readonly T[] {
  const letters = foldText(typed.trim())
  // The same list where there is nothing to sort: an empty one may say why it is.
  if (letters === '' || list.length < 2) return list
  const words = letters.split(/\s+/)
  function rank(one: T): number {
    const name = ` ${foldText(readName(one))} `
    if (name.startsWith(` ${letters}`)) return name.startsWith(` ${letters} `) ? 0 : 1
    return words.every(word => name.includes(` ${word}`)) ? 2 : 3
  }
  return list.toSorted((a, b) => rank(a) - rank(b))
}
