// How often is done what is done again and again: a few times by `npm test`, as often as it can differ by `npm run test:long`. A file with
// such loops has one beside it, named `*.long.test.ts`, that is nothing but the same file once more.
import { test } from 'bun:test'

/** Said by the command that runs the long tests. */
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
