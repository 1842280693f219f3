// What a run of `bun test` wrote down in JUnit's form.
import { resolve } from 'node:path'

export interface TestFailure {
  readonly file: string
  readonly test: string
  /** What was said when it failed. */
  readonly words: string
}

export interface TestReport {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly TestFailure[]
  readonly times: readonly { readonly file: string; readonly test: string; readonly seconds: number }[]
}

/** A run that never began has nothing to tell. */
export async function readReport(path: string): Promise<TestReport> {
  const file = Bun.file(path)
  const text = (await file.exists()) ? await file.text() : ''
  const head = /<testsuites[^>]*>/.exec(text)?.[0] ?? ''
  const count = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)?.[1] ?? 0)
  const failed = count('failures')
  const cases = [...text.matchAll(CASE)].map(([, name = '', seconds, file = '', message, words = message]) => ({
    file,
    test: decodeEntities(name),
    seconds: Number(seconds),
    words: words === undefined ? undefined : decodeEntities(words).trim(),
  }))
  return {
    passed: count('tests') - count('skipped') - failed,
    failed,
    failures: cases.flatMap(({ file, test, words }) => (words === undefined ? [] : [{ file, test, words }])),
    times: cases.map(({ file, test, seconds }) => ({ file, test, seconds })),
  }
}

/** Stands for the test where a file broke outside of all of its own: as it was loaded, where worlds are opened. */
export const OUTSIDE = '(outside of every test)'

/** What broke outside of the tests: no report holds it, what was said does, under the name of its file. */
export function readOutside(output: string): readonly TestFailure[] {
  return [...output.matchAll(UNHANDLED)].flatMap(({ index, 1: words = '' }) => {
    const file = [...output.slice(0, index).matchAll(FILE)].at(-1)?.[1]
    return file === undefined ? [] : [{ file: toReportedPath(file), test: OUTSIDE, words: words.trim() }]
  })
}

/** What lies elsewhere stands in a report with its whole path. */
function toReportedPath(file: string): string {
  return file.startsWith('..') ? resolve(import.meta.dir, '..', file) : file
}

const FILE = /^(\S+\.test\.tsx?):$/gm
const UNHANDLED = /^# Unhandled error between tests\n-+\n([\s\S]*?)\n-+$/gm

/** A case, and what it said if it failed. */
const CASE =
  /<testcase name="([^"]*)" [^>]*?time="([\d.]+)" file="([^"]*)"[^>]*?(?:\/>|>\s*(?:<failure(?:[^>]*? message="([^"]*)")?[^>]*?(?:\/>|>([^<]*)<\/failure>)|<skipped[^>]*\/>)?)/g

function decodeEntities(xml: string): string {
  return xml
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof SIGNS) => SIGNS[name])
}
const SIGNS = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
