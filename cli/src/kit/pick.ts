// One thing of a list, by what somebody typed: its number, its name, or the part of a name that only one of them has.
import { withoutAccents } from '@balcao/contract/validation'
import { Failure } from './faults.ts'

/** Throws a `Failure` where nothing fits, or several do: it names them. */
export function pick<T extends { readonly id: number; readonly name: string }>(all: readonly T[], typed: string): T {
  const word = plain(typed)
  const ways: ((one: T) => boolean)[] = [
    one => String(one.id) === word,
    one => plain(one.name) === word,
    one => plain(one.name).startsWith(word),
    one => plain(one.name).includes(word),
  ]
  for (const fits of word === '' ? [] : ways) {
    const found = all.filter(fits)
    const [one] = found
    if (one && found.length === 1) return one
    if (found.length > 1) throw new Failure('several', { typed, names: namesOf(found) }, 2)
  }
  if (all.length === 0) throw new Failure('noneAtAll')
  throw new Failure('none', { typed, names: namesOf(all) }, 2)
}

function plain(text: string): string {
  return withoutAccents(text).toLowerCase().trim()
}

function namesOf(all: readonly { readonly name: string }[]): string {
  const names = all.slice(0, 8).map(({ name }) => name)
  return names.join(', ') + (all.length > names.length ? '…' : '')
}

/** A number that names a thing. Throws a `Failure` where it is none. */
export function idOf(typed: string): number {
  const id = Number(typed)
  if (!Number.isSafeInteger(id) || id < 1) throw new Failure('noNumber', { typed }, 2)
  return id
}

/** One of a few words. Throws a `Failure` that lists them. */
export function oneOf<const W extends string>(typed: string, words: readonly W[]): W {
  const found = words.find(word => word === typed)
  if (found === undefined) throw new Failure('oneOf', { typed, words: words.join(', ') }, 2)
  return found
}
