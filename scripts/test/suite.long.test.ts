// What a test command says of tests that fail always, once, and in great number.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSuite, type SuiteOutcome } from '../suite.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-suite-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const PASSES = `test('passes', () => {})`
const FAILS = `test('fails <always>', () => expect(1).toBe(2))`
/** Fails as long as nobody has run it. */
const ONCE = `test('fails once', async () => {
  const mark = Bun.file(import.meta.path + '.ran')
  const ran = await mark.exists()
  await Bun.write(mark, '')
  expect(ran).toBe(true)
})`

test('what passes by itself is unsteady, with what it said, and stops nobody', async () => {
  const { passed, failed, failures, unsteady } = await runOutcome('once', { steady: PASSES, once: ONCE })
  expect({ passed, failed, failures }).toEqual({ passed: 2, failed: 0, failures: [] })
  expect(
    unsteady.map(({ file, test, words }) => [file.split('/').at(-1), test, words.includes('Expected: true')]),
  ).toEqual([['once.test.ts', 'fails once', true]])
})

test('whoever asks for some of the tests has those alone tried once more', async () => {
  const { passed, failed, unsteady } = await runOutcome(
    'some',
    { some: `${ONCE}\n${FAILS}\n${PASSES}` },
    { flags: ['-t', 'once'] },
  )
  expect({ passed, failed }).toEqual({ passed: 1, failed: 0 })
  expect(unsteady.map(failure => failure.test)).toEqual(['fails once'])
})

test('what fails by itself as well has failed', async () => {
  const { passed, failed, failures, unsteady } = await runOutcome('always', {
    steady: PASSES,
    always: `${FAILS}\n${ONCE}`,
  })
  expect({ passed, failed }).toEqual({ passed: 2, failed: 1 })
  expect(failures.map(failure => failure.test)).toEqual(['fails <always>'])
  expect(unsteady.map(failure => failure.test)).toEqual(['fails once'])
})

test('where many files fail nothing is tried again', async () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  const many = await runOutcome('many', Object.fromEntries(names.map(name => [name, ONCE])))
  expect([many.passed, many.failed, many.unsteady]).toEqual([0, 6, []])
})

test('a file that breaks as it is loaded is named, with what it said, and tried once more by itself', async () => {
  const gone = `import './nowhere.ts'\n${PASSES}`
  const outside = await runOutcome('outside', { steady: PASSES, once: ONCE, gone })
  expect([outside.passed, outside.failed]).toEqual([2, 1])
  expect(outside.failures.map(format)).toEqual([['gone.test.ts', '(outside of every test)', true]])
  expect(outside.unsteady.map(failure => failure.test)).toEqual(['fails once'])

  const opened = `
    const mark = Bun.file(import.meta.path + '.ran')
    const ran = await mark.exists()
    await Bun.write(mark, '')
    if (!ran) throw new Error('nowhere.ts is not what failed here')
    ${PASSES}
    test('passes too', () => {})`
  const late = await runOutcome('late', { steady: PASSES, opened })
  expect([late.passed, late.failed, late.failures]).toEqual([3, 0, []])
  expect(late.unsteady.map(format)).toEqual([['opened.test.ts', '(outside of every test)', true]])

  function format({ file, test, words }: SuiteOutcome['failures'][number]) {
    return [file.split('/').at(-1), test, words.includes('nowhere.ts')]
  }
})

test('what breaks between tests of a file is named, and not tried again', async () => {
  const stray = `
    setTimeout(() => { throw new Error('nobody awaited it') }, 20)
    ${PASSES}
    afterAll(() => Bun.sleep(60))`
  const { passed, failed, failures, unsteady } = await runOutcome('stray', { once: ONCE, stray })
  expect([passed, failed, unsteady]).toEqual([1, 2, []])
  expect(failures.map(({ test, words }) => [test, words.includes('nobody awaited it')])).toEqual([
    ['fails once', false],
    ['(outside of every test)', true],
  ])
})

test('a file that never ends is ended when nobody says anything more, and tried once more by itself', async () => {
  const stuck = `test('waits for ever once', async () => {
    const mark = Bun.file(import.meta.path + '.ran')
    const ran = await mark.exists()
    await Bun.write(mark, '')
    while (!ran) {}
  })`
  const { passed, failed, unsteady } = await runOutcome(
    'stuck',
    { steady: PASSES, stuck: `${PASSES}\n${stuck}` },
    { silence: 3000 },
  )
  expect({ passed, failed }).toEqual({ passed: 3, failed: 0 })
  expect(unsteady.map(({ file, words }) => [file.split('/').at(-1), words])).toEqual([
    ['stuck.test.ts', 'worker process crashed before reporting results'],
  ])
})

test('what ends without a word of why is not tried again', async () => {
  const nothing = await runSuite({ ...makeSuite('nothing'), words: [join(folder, 'nothing', 'is-here.test.ts')] })
  expect([nothing.failed, nothing.failures, nothing.unsteady]).toEqual([1, [], []])
})

async function runOutcome(
  name: string,
  files: Record<string, string>,
  { silence, flags = [] }: { silence?: number; flags?: readonly string[] } = {},
): Promise<SuiteOutcome> {
  const home = join(folder, name)
  const paths = Object.entries(files).map(([file, text]) => ({ path: join(home, `${file}.test.ts`), text }))
  for (const { path, text } of paths)
    await Bun.write(path, `import { afterAll, expect, test } from 'bun:test'\n${text}\n`)
  return runSuite({ ...makeSuite(name), silence, words: [...paths.map(({ path }) => path), ...flags] })
}

function makeSuite(name: string) {
  return { name, timeout: 5000, lanes: ['--parallel=2'], folder, output: 'silent' as const }
}
