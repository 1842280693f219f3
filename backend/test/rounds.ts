// How often is done what is done again and again: a few times by `npm test`, as often as it can differ by `npm run test:long`, which runs
// every file that imports this one once more. With `ALL_ROUNDS` set, `npm test` does all of them and `test:long` leaves those files out.
import { test } from 'bun:test'

const isLong = process.env.ALL_ROUNDS !== undefined

export function countRounds({ all, few }: { readonly all: number; readonly few: number }): number {
  return isLong ? all : few
}

/** All of them, or so few of them, taken from the whole length. */
export function takeRounds<T>(all: readonly T[], few: number): readonly T[] {
  if (isLong) return all
  const stride = Math.ceil(all.length / few)
  return all.filter((_, at) => at % stride === 0)
}

/** What is large by its nature, or one of several of a kind of which another is run every time. */
export const longTest: (name: string, body: () => Promise<void>, timeout: number) => void = isLong ? test : () => {}
