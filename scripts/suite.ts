// A run of test files: several at a time, and then, when few of them failed, those once more and one by one. What fails again has
// failed; what does not is unsteady: it does not stop anybody, and is told at the end with what it said (docs/decisions/0236). A lane
// of `bun test` now and then waits for ever without running anything (oven-sh/bun#39987): a run in which nothing more is said is ended,
// and the file of that lane is one that failed.
import { join } from 'node:path'
import { OUTSIDE, readOutside, readReport, type TestFailure, type TestReport } from './report.ts'
import { ProgramFailed, run } from './steps.ts'

export interface Suite {
  readonly name: string
  /** For each test, in milliseconds. */
  readonly timeout: number
  /** Words for `bun test` that let it run several files at a time. */
  readonly lanes: readonly string[]
  /** Files and folders, then whatever else `bun test` is to be told. */
  readonly words: readonly string[]
  /** Where its report is written. */
  readonly folder: string
  readonly env?: Record<string, string>
  /** Milliseconds without a word after which what still runs is ended, and counts as failed. */
  readonly silence?: number
  /** `silent` for whoever looks at the outcome alone. */
  readonly output?: 'kept' | 'silent'
}

export interface SuiteOutcome extends TestReport {
  /** What failed beside others and not by itself. */
  readonly unsteady: readonly TestFailure[]
}

/** Longer than any test may take. */
const SILENCE_MS = 7 * 60_000

/** More files than these fail for a reason that another try would only hide. */
const MOST_AGAIN = 5

/** Runs it all; whatever the outcome, an exit that nothing in it explains is thrown. */
export async function runSuite(suite: Suite): Promise<SuiteOutcome> {
  const first = await runAttempt(suite, suite.name, [...suite.lanes, ...suite.words])
  const files = [...new Set(first.failures.map(({ file }) => file))]
  if (files.length === 0 || files.length > MOST_AGAIN || first.isUnexplained) return { ...first, unsteady: [] }

  if (suite.output !== 'silent') console.log(`\n── Once more, by itself: ${files.join(', ')}`)
  const again = await runAttempt(suite, `${suite.name}-again`, [...files.map(toPath), ...pickFlags(suite.words)])
  const failed = new Set(again.failures.map(toKey))
  return {
    // Not by the failures of the first try: of a file that could not be loaded none of the tests stands in its report.
    passed: first.passed - countPassed(first, files) + countPassed(again, files),
    failed: again.failed,
    failures: again.failures,
    times: first.times,
    unsteady: first.failures.filter(failure => !failed.has(toKey(failure))),
  }
}

/**
 * `isUnexplained`: it failed of something else than tests and files that could not be loaded, such as a promise nobody awaited: what is
 * told of that between tests is a race perhaps, which another try would hide.
 */
async function runAttempt(
  { timeout, folder, env = {}, output = 'kept', silence = SILENCE_MS }: Suite,
  name: string,
  words: readonly string[],
): Promise<TestReport & { isUnexplained: boolean }> {
  const path = join(folder, `${name}.xml`)
  const command = [process.execPath, 'test', `--timeout=${timeout}`, '--reporter=junit', `--reporter-outfile=${path}`]
  try {
    await run([...command, ...words], { env, output, silence })
    return { ...(await readReport(path)), isUnexplained: false }
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error
    const report = await readReport(path)
    const outside = readOutside(error.output)
    const unloaded = outside.filter(({ file }) => report.times.every(time => time.file !== file))
    const errors = Number(/^ *(\d+) errors?$/m.exec(error.output)?.[1] ?? 0)
    return {
      ...report,
      failures: [...report.failures, ...outside],
      failed: Math.max(report.failed + outside.length, 1),
      isUnexplained: errors !== unloaded.length,
    }
  }
}

function countPassed({ times, failures }: TestReport, files: readonly string[]): number {
  const isIn = ({ file }: { file: string }) => files.includes(file)
  return times.filter(isIn).length - failures.filter(failure => isIn(failure) && failure.test !== OUTSIDE).length
}

/** What narrows the run, such as `-t` with its word, does so the second time as well. */
function pickFlags(words: readonly string[]): string[] {
  const first = words.findIndex(word => word.startsWith('-'))
  return first < 0 ? [] : words.slice(first).filter(word => !/^\.?\//.test(word))
}

/** With a dot before it a name is a path, not a word to look for in paths. */
function toPath(file: string): string {
  return file.startsWith('/') ? file : `./${file}`
}

function toKey({ file, test }: TestFailure): string {
  return `${file}\n${test}`
}
