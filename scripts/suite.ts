// A run of test files: several at a time, and then, when few of them failed, those once more and one by one. What fails again has
// failed; what does not is unsteady: it does not stop anybody, and is told at the end with what it said (docs/decisions/0236).
import { join } from 'node:path'
import { type Failure, type Report, readReport } from './report.ts'
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
  /** `silent` for whoever looks at the outcome alone. */
  readonly output?: 'kept' | 'silent'
}

export interface Outcome extends Report {
  /** What failed beside others and not by itself. */
  readonly unsteady: readonly Failure[]
}

/** More files than these fail for a reason that another try would only hide. */
const MOST_AGAIN = 2

/** Runs it all; whatever the outcome, an exit that nothing in it explains is thrown. */
export async function runSuite(suite: Suite): Promise<Outcome> {
  const first = await attempt(suite, suite.name, [...suite.lanes, ...suite.words])
  const files = [...new Set(first.failures.map(({ file }) => file))]
  if (files.length === 0 || files.length > MOST_AGAIN || first.hasErrors) return { ...first, unsteady: [] }

  if (suite.output !== 'silent') console.log(`\n── Once more, by itself: ${files.join(', ')}`)
  const again = await attempt(suite, `${suite.name}-again`, files.map(asPath))
  const failed = new Set(again.failures.map(keyOf))
  return {
    passed: first.passed + first.failed - again.failed,
    failed: again.failed,
    failures: again.failures,
    times: first.times,
    unsteady: first.failures.filter(failure => !failed.has(keyOf(failure))),
  }
}

/** `hasErrors`: something broke outside of every test, which no report tells. */
async function attempt(
  { timeout, folder, env = {}, output = 'kept' }: Suite,
  name: string,
  words: readonly string[],
): Promise<Report & { hasErrors: boolean }> {
  const path = join(folder, `${name}.xml`)
  const command = [process.execPath, 'test', `--timeout=${timeout}`, '--reporter=junit', `--reporter-outfile=${path}`]
  try {
    await run([...command, ...words], { env, output })
    return { ...(await readReport(path)), hasErrors: false }
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error
    const report = await readReport(path)
    const hasErrors = /^ *\d+ errors?$/m.test(error.said)
    return { ...report, failed: Math.max(report.failed, 1), hasErrors }
  }
}

/** With a dot before it a name is a path, not a word to look for in paths. */
function asPath(file: string): string {
  return file.startsWith('/') ? file : `./${file}`
}

function keyOf({ file, test }: Failure): string {
  return `${file}\n${test}`
}
