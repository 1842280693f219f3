// What a test command says of tests that fail always, once, and in great number.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Outcome, runSuite } from '../suite.ts'

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
  const { passed, failed, failures, unsteady } = await outcomeOf('once', { steady: PASSES, once: ONCE })
  expect({ passed, failed, failures }).toEqual({ passed: 2, failed: 0, failures: [] })
  expect(
    unsteady.map(({ file, test, words }) => [file.split('/').at(-1), test, words.includes('Expected: true')]),
  ).toEqual([['once.test.ts', 'fails once', true]])
})

test('what fails by itself as well has failed', async () => {
  const { passed, failed, failures, unsteady } = await outcomeOf('always', {
    steady: PASSES,
    always: `${FAILS}\n${ONCE}`,
  })
  expect({ passed, failed }).toEqual({ passed: 2, failed: 1 })
  expect(failures.map(failure => failure.test)).toEqual(['fails <always>'])
  expect(unsteady.map(failure => failure.test)).toEqual(['fails once'])
})

test('where many files fail, and where something breaks outside of the tests, nothing is tried again', async () => {
  const many = await outcomeOf('many', { one: ONCE, two: ONCE, three: ONCE })
  expect([many.passed, many.failed, many.unsteady]).toEqual([0, 3, []])
  const outside = await outcomeOf('outside', { once: ONCE, gone: `import './nowhere.ts'\n${PASSES}` })
  expect([outside.failed, outside.unsteady]).toEqual([1, []])
  const alone = await outcomeOf('alone', { gone: `import './nowhere.ts'\n${PASSES}` })
  expect([alone.failed, alone.unsteady]).toEqual([1, []])
})

async function outcomeOf(name: string, files: Record<string, string>): Promise<Outcome> {
  const home = join(folder, name)
  const paths = Object.entries(files).map(([file, text]) => ({ path: join(home, `${file}.test.ts`), text }))
  for (const { path, text } of paths) await Bun.write(path, `import { expect, test } from 'bun:test'\n${text}\n`)
  return runSuite({
    name,
    timeout: 5000,
    lanes: ['--parallel=2'],
    words: paths.map(({ path }) => path),
    folder,
    output: 'silent',
  })
}
