// One thing of a list, by what somebody typed: its number, its name, or the part of a name that only one of them has.
import { isDay } from '@balcao/contract'
import { parsePeriodWords } from '@balcao/contract/calendar/period-words'
import { stripAccents } from '@balcao/contract/kit/validation'
import { Failure } from './faults.ts'

/** Throws a `Failure` where nothing fits, or several do: it names them. */
export function pick<T extends { readonly id: number; readonly name: string }>(all: readonly T[], typed: string): T {
  const word = foldText(typed)
  const ways: ((one: T) => boolean)[] = [
    one => String(one.id) === word,
    one => foldText(one.name) === word,
    one => foldText(one.name).startsWith(word),
    one => foldText(one.name).includes(word),
  ]
  for (const fits of word === '' ? [] : ways) {
    const found = all.filter(fits)
    const [one] = found
    if (one && found.length === 1) return one
    if (found.length > 1) throw new Failure('several', { typed, names: formatNames(found) }, 2)
  }
  if (all.length === 0) throw new Failure('noneAtAll')
  throw new Failure('none', { typed, names: formatNames(all) }, 2)
}

function foldText(text: string): string {
  return stripAccents(text).toLowerCase().trim()
}

function formatNames(all: readonly { readonly name: string }[]): string {
  const names = all.slice(0, 8).map(({ name }) => name)
  return names.join(', ') + (all.length > names.length ? '…' : '')
}

/** A number that names a thing. Throws a `Failure` where it is none. */
export function parseId(typed: string): number {
  const id = Number(typed)
  if (!Number.isSafeInteger(id) || id < 1) throw new Failure('noNumber', { typed }, 2)
  return id
}

/** One of a few words. Throws a `Failure` that lists them. */
export function parseChoice<const W extends string>(typed: string, words: readonly W[]): W {
  const found = words.find(word => word === typed)
  if (found === undefined) throw new Failure('oneOf', { typed, words: words.join(', ') }, 2)
  return found
}

/** The days of a period as they were typed, the ones that were. Throws a `Failure` for what is no day, and for a last one before the first. */
export function parsePeriod(typed: { readonly from: string | undefined; readonly to: string | undefined }) {
  const [from, to] = [parseDay(typed.from), parseDay(typed.to)]
  if (from !== undefined && to !== undefined && to < from) throw new Failure('daysBackwards', { from, to }, 2)
  return [from, to] as const
}

/** The days that words mean, such as 'ontem'. Throws a `Failure` where that is not clear. */
export function parsePeriodPhrase(typed: string) {
  const period = parsePeriodWords(typed, new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
  if (!period) throw new Failure('noPeriod', { typed }, 2)
  return period
}

function parseDay(typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined
  const [year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(typed) ?? []).slice(1).map(Number)
  if (!isDay(year, month, day)) throw new Failure('noDay', { typed }, 2)
  return typed
}
