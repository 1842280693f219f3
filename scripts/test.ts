// The test command: the built front end, arrows, lint, types and what nobody awaits, unit and integration tests on a real Postgres, and the
// browser tests. Checks run beside the unit tests; what they say comes when each ends.
// `npm test -- unit` or `npm test -- e2e` runs one part; further words go to `bun test`. What takes long stands in files named
// `*.long.test.ts`, which `npm run test:long` runs, with all rounds of the files that take a few (backend/test/rounds.ts).
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { ensurePostgres } from '@balcao/backend/platform/database/embedded'
import { findBrowser } from '@balcao/e2e/browser'
import { TEST_PROGRAMS } from '@balcao/simulator/processes'
import { BUNDLES } from '../formats/src/subprocess/script.ts'
import { buildWhenStale } from './build-when-stale.ts'
import { bundlePrograms, FILE_PROGRAMS } from './bundle.ts'
import { endProgramsOnSignal, type Output, run, runSteps, type Step, StepFailed } from './steps.ts'
import { runSuite, type SuiteOutcome } from './suite.ts'

const bun = process.execPath
const [part, ...rest] = process.argv.slice(2)
const isNamed = rest.some(word => !word.startsWith('-'))
let bundles: Promise<void> | undefined
/** How the suites went, as they ended. */
const outcomes: SuiteOutcome[] = []
const reports = await mkdtemp(join(tmpdir(), 'balcao-tests-'))
/** Paths, not words: `client` alone would be every file with that in its name. */
const FOLDERS = [
  './contract',
  './client',
  './ui',
  './shell',
  './mfe-tickets',
  './mfe-admin',
  './mfe-automation',
  './mfe-dashboard',
  './backend',
  './cli',
  './simulator',
  './bench',
  './scripts',
]

/** What takes longer hangs, on however slow a machine. Tests name a time of their own only where they need more. */
const MOST_MS = 180_000

const LANE_BYTES = 2 * 1024 ** 3
/** The longest first. One file more at a time than there are cores: they wait for their servers and browsers as much as they work. */
const cores = availableParallelism()
const LANES = laneWords(cores + 1)
/** What files import is read once in each lane, which is half of what most unit tests cost. */
const ONCE = '--no-isolate'
/** Unit tests wait for more than half of their time. */
const PART_LANES: Record<string, string[]> = {
  unit: [...laneWords(cores * 2), ONCE],
  e2e: [...LANES, ONCE],
}

const MEMORY = '/dev/shm'
const DATA_BYTES = 4 * 1024 ** 3

const NOT_LONG = '--path-ignore-patterns=**/*.long.test.ts'

const checks: Step[] = [
  check('Arrows between packages', 'scripts/arrows.ts'),
  check('Links of the documents', 'scripts/links.ts'),
  check('Lint and format', 'node_modules/.bin/biome', 'check', '--diagnostic-level=warn', '--error-on-warnings'),
  // In one reading: the types, and a call whose promise nobody awaits, wherever it is (.oxlintrc.json).
  check('Types, and nothing is left unawaited', 'node_modules/.bin/oxlint'),
]
const build = check('Build of shell and remotes, with their budgets, and of the server', 'scripts/build.ts')
/** `npm run test:long` after `npm test` takes what that built. */
const buildForPart: Step = { name: build.name, run: buildWhenStale }
const unit: Step = {
  name: 'Unit and integration tests',
  async run() {
    // The packaged browser is unpacked once, before two files at a time would do it.
    await findBrowser()
    await runTests('unit', [...FOLDERS, NOT_LONG])
  },
}
const e2e: Step = {
  name: 'Browser tests',
  async run() {
    await sayBrowser()
    await runTests('e2e', ['./e2e', NOT_LONG])
  },
}

const long: Step[] = [
  { name: 'Long unit and integration tests', run: () => runLongTests('unit') },
  { name: 'Long browser tests', run: () => runLongTests('e2e') },
]

/** Asked for by the environment: `npm test` does them then, and the long tests need not. */
const allRounds = process.env.ALL_ROUNDS !== undefined
const interrupted = endProgramsOnSignal()
const parts: Record<string, Step[]> = { checks, unit: [unit], e2e: [buildForPart, e2e], long: [buildForPart, ...long] }
/** What failed, once more at the end: beside the unit tests it is said long before. */
const broken: string[] = []
if (part) await tryRun(parts[part] ?? failUnknownPart(part))
else await runAll()
await rm(reports, { recursive: true, force: true })
const status = interrupted()
if (status) process.exit(status)
const sum = (count: (outcome: SuiteOutcome) => number) =>
  outcomes.reduce((before, outcome) => before + count(outcome), 0)
// A file that could not even be loaded, or a check before the tests, is a failure too.
const failures = Math.max(
  sum(({ failed }) => failed),
  broken.length,
)
const slowest = outcomes.flatMap(({ times }) => times).sort((one, other) => other.seconds - one.seconds)
console.log('\nThe slowest:')
for (const { file, test, seconds } of slowest.slice(0, 10))
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${file}: ${test}`)
for (const [label, tests] of [
  ['Failed', outcomes.flatMap(outcome => outcome.failures)],
  ['Unsteady: failed beside others, passed by itself', outcomes.flatMap(outcome => outcome.unsteady)],
] as const)
  for (const { file, test, words } of tests) console.log(`\n${label}: ${file}: ${test}\n${words}`)
for (const words of broken) console.log(`\n${words}`)
const unsteady = sum(outcome => outcome.unsteady.length)
console.log(`\n${sum(({ passed }) => passed)} passed, ${failures} failed${unsteady ? `, ${unsteady} unsteady` : ''}`)
process.exit(failures > 0 ? 1 : 0)

function check(name: string, ...words: readonly string[]): Step {
  return { name, run: output => run([bun, ...words], { output }) }
}

function laneWords(most: number): string[] {
  const lanes = Math.max(2, Math.min(most, Math.floor(totalmem() / LANE_BYTES)))
  return [`--parallel=${lanes}`, '--timings=scripts/timings.json']
}

/** The build first: `npm start` makes its own where it is old, and unit tests start it several times. */
async function runAll(): Promise<boolean> {
  if (!(await tryRun([build]))) return false
  const [beside, tests] = await Promise.all([tryRun(checks, 'held'), tryRun([unit])])
  return beside && tests && (await tryRun([e2e]))
}

async function tryRun(steps: readonly Step[], output?: Output): Promise<boolean> {
  try {
    await runSteps(steps, output)
    return true
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    broken.push(error.message)
    return false
  }
}

/** What is named after the part takes the place of all of it: `npm test -- unit backend/test/inbox.test.ts`. */
async function runTests(name: 'unit' | 'e2e', words: readonly string[]): Promise<void> {
  await runInLanes(name, isNamed ? rest : [...words, ...rest])
}

/** The long files in the browser, or the others: both have lanes of their own. */
async function runLongTests(name: 'unit' | 'e2e'): Promise<void> {
  if (name === 'e2e') await sayBrowser()
  const isOther = (word: string) => word.includes('/') && /^(\.\/)?e2e\//.test(word) !== (name === 'e2e')
  const files = isNamed ? [] : [...(await listFiles('.long.test.')), ...(allRounds ? [] : await listRounds())]
  const words = [...files, ...rest].filter(word => !isOther(word))
  if (words.some(word => word.includes('/'))) await runInLanes(name, words)
}

async function runInLanes(name: 'unit' | 'e2e', words: readonly string[]): Promise<void> {
  await withPostgres(async env => {
    const lanes = PART_LANES[name] ?? LANES
    const outcome = await runSuite({ name, timeout: MOST_MS, lanes, words, folder: reports, env })
    outcomes.push(outcome)
    if (outcome.failed > 0) throw new Error(`${outcome.failed} failed`)
  })
}

async function listFiles(part: string): Promise<string[]> {
  const files = await Array.fromAsync(new Bun.Glob('*/test/**/*.test.{ts,tsx}').scan('.'))
  return files.filter(file => file.includes(part)).map(file => `./${file}`)
}

/** Files whose loops take a few rounds in `npm test`. */
async function listRounds(): Promise<string[]> {
  const files = await listFiles('.test.')
  const texts = await Promise.all(files.map(file => Bun.file(file).text()))
  return files.filter((file, at) => !file.includes('.long.test.') && texts[at]?.includes("/rounds.ts'"))
}

/** A Postgres of the tests' own, without the care for crashes that tests do not need. */
async function withPostgres(body: (env: Record<string, string>) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(await findDataHome(), 'balcao-pg-'))
  // Postgres may run as another user, who must be able to enter.
  await chmod(dataDir, 0o711)
  const server = await ensurePostgres({ dataDir: join(dataDir, 'pg'), test: true })
  try {
    await sayDatabase(server.url)
    await body({ TEST_PG: server.url, ...(await bundleScripts()), ...(part === 'long' && { ALL_ROUNDS: 'yes' }) })
  } finally {
    await server.stop()
    for (const folder of [server.folder, dataDir]) await rm(folder, { recursive: true, force: true })
  }
}

/** In memory where the system offers enough, and nobody named a folder: half of what a new database costs is to write its files. */
async function findDataHome(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return process.env.TMPDIR || bavail * bsize < DATA_BYTES ? tmpdir() : MEMORY
}

/** One file by itself starts the scripts as they are. */
async function bundleScripts(): Promise<Record<string, string>> {
  if (isNamed) return {}
  const folder = join(reports, 'processes')
  bundles ??= bundlePrograms([...TEST_PROGRAMS, ...FILE_PROGRAMS], folder)
  await bundles
  return { [BUNDLES]: folder }
}

async function sayDatabase(url: string): Promise<void> {
  const db = openDatabase(url, { max: 1 })
  const [row] = await db.$client<{ version: string }[]>`select current_setting('server_version') as version`
  await closeDatabase(db)
  console.log(`On Postgres ${row?.version}, the embedded one.`)
}

async function sayBrowser(): Promise<void> {
  const found = await findBrowser()
  const probe = Bun.spawn([found.path, '--version'], { env: { ...process.env, ...found.env }, stderr: 'ignore' })
  const version = (await new Response(probe.stdout).text()).trim()
  console.log(`In ${version || 'a browser that does not tell its version'}, found by: ${found.from} (${found.path}).`)
}

function failUnknownPart(name: string): never {
  console.error(`There is no part "${name}". Parts: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}
