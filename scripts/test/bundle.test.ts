// A bundle runs where it is moved to with its sources, says what it is made of, and is never older than them.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isFresh } from '../build-when-stale.ts'
import { bundlePrograms, SERVER_BUNDLES, SERVER_PROGRAMS } from '../bundle.ts'
import { reduceSourceMap } from '../source-map.ts'

const ROOT = join(import.meta.dir, '../..')
let home = ''
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'balcao-bundle-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

const FILES = {
  'node_modules/library/package.json': '{ "name": "library", "main": "index.js" }',
  'node_modules/library/index.js': 'module.exports = { folder: __dirname, file: __filename }',
  'node_modules/late/package.json': '{ "name": "late", "type": "module", "main": "index.js" }',
  'node_modules/late/index.js': 'export const address = import.meta.url',
  'formats/src/pdf/child.ts': `import { folder } from 'library'
await Promise.resolve()
console.log(JSON.stringify({ own: import.meta.dir, library: folder }))`,
  'backend/src/deep/fail.ts': `
interface Nothing {}

export function fail(): Nothing {
  throw new Error('as it was asked to')
}
`,
  'backend/src/before.ts': `process.env.SAID_BEFORE = 'yes'`,
  'backend/src/main.ts': `import { file, folder } from 'library'
import { fail } from './deep/fail.ts'
const { address } = await import('late')
const { SAID_BEFORE, PROCESS_BUNDLES } = process.env
console.log(JSON.stringify({ own: import.meta.dir, folder, file, address, SAID_BEFORE, PROCESS_BUNDLES }))
fail()
`,
}

test('moved with its sources, everything is found beside them, and a stack names the file and the line', async () => {
  const root = join(home, 'made')
  for (const [path, text] of Object.entries(FILES)) await Bun.write(join(root, path), text)
  const programs = [
    { script: 'backend/src/main.ts', before: ['backend/src/before.ts'] },
    { script: 'formats/src/pdf/child.ts', isCompiled: true },
  ]
  for (const name of ['dist.1.part', 'dist.2.part']) await Bun.write(join(root, 'backend', name, 'main.js'), '')
  await utimes(join(root, 'backend/dist.1.part'), new Date(0), new Date(0))
  await bundlePrograms(programs, join(root, 'backend/dist'), root)
  // Half made: by a process that was killed long ago, and by one that is at it.
  expect((await readdir(join(root, 'backend'))).filter(name => name.endsWith('.part'))).toEqual(['dist.2.part'])
  const moved = join(home, 'moved')
  await rename(root, moved)

  const main = await runScript(join(moved, 'backend/dist/main.js'))
  expect(readPaths(main.out)).toEqual({
    own: join(moved, 'backend/src'),
    folder: join(moved, 'node_modules/library'),
    file: join(moved, 'node_modules/library/index.js'),
    address: Bun.pathToFileURL(join(moved, 'node_modules/late/index.js')).href,
    SAID_BEFORE: 'yes',
    PROCESS_BUNDLES: join(moved, 'backend/dist'),
  })
  expect(main.error).toContain(`${join(moved, 'backend/src/deep/fail.ts')}:5`)
  expect(main.error).toContain(`${join(moved, 'backend/src/main.ts')}:6`)

  const child = await runScript(join(moved, 'backend/dist/formats-src-pdf-child.js'))
  expect(readPaths(child.out)).toEqual({
    own: join(moved, 'formats/src/pdf'),
    library: join(moved, 'node_modules/library'),
  })
})

test('the server’s names no folder of the machine that made it, and what it was before stays for a while', async () => {
  const folder = join(ROOT, '.cache', `bundle-${crypto.randomUUID()}`)
  try {
    await Bun.write(join(folder, 'late-piece.js'), '')
    await Bun.write(join(folder, 'older-piece.js'), '')
    await utimes(join(folder, 'older-piece.js'), new Date(0), new Date(0))
    await bundlePrograms(SERVER_PROGRAMS, folder)
    const names = await readdir(folder)
    expect(names).toContain('late-piece.js')
    expect(names).not.toContain('older-piece.js')
    const programs = SERVER_BUNDLES.map(path => path.slice(path.lastIndexOf('/') + 1))
    expect(names).toEqual(expect.arrayContaining(programs))
    const scripts = names.filter(name => name.endsWith('.js'))
    const texts = await Promise.all(scripts.map(name => Bun.file(join(folder, name)).text()))
    expect(scripts.filter((_, at) => new RegExp(`["'\`](file://)?${ROOT}/`).test(texts[at] ?? ''))).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('a map keeps the first mapping of each line that follows another, and the texts of no source', () => {
  // Of the first line three mappings, two of them of one line; of the second line one of no source and one of the other file.
  const map = {
    version: 3,
    sources: ['one.ts', 'two.ts'],
    sourcesContent: ['first', 'second'],
    names: ['name'],
    mappings: 'AAAA,IAAI,KACJA;A,CCigBA',
  }
  expect(reduceSourceMap(map)).toEqual({
    ...map,
    sourcesContent: ['', ''],
    names: [],
    mappings: 'AAAA,SACA;CCigBA',
  })
})

test('a bundle is old when a source changed after it was begun, or came from elsewhere with an older date', async () => {
  const root = join(home, 'fresh')
  const build = { made: ['dist/main.js'], sources: ['src/**/*'] }
  await Bun.write(join(root, 'src/deep/main.ts'), 'first')
  expect(await isFresh(build, root)).toBe(false)

  await make()
  expect(await isFresh(build, root)).toBe(true)
  await Bun.write(join(root, 'src/deep/main.ts'), 'second')
  expect(await isFresh(build, root)).toBe(false)

  await make()
  await mkdir(join(root, 'elsewhere'))
  await Bun.write(join(root, 'elsewhere/other.ts'), 'an older one')
  await utimes(join(root, 'elsewhere/other.ts'), new Date(0), new Date(0))
  await cp(join(root, 'elsewhere/other.ts'), join(root, 'src/deep/main.ts'), { preserveTimestamps: true })
  expect((await stat(join(root, 'src/deep/main.ts'))).mtimeMs).toBe(0)
  expect(await isFresh(build, root)).toBe(false)

  /** A clock counts in steps: what is made next lies a step later. */
  async function make(): Promise<void> {
    const { ctimeMs } = await stat(join(root, 'src/deep/main.ts'))
    do await Bun.write(join(root, 'dist/main.js'), String(Math.random()))
    while ((await stat(join(root, 'dist/main.js'))).mtimeMs <= ctimeMs)
  }
})

/** What a script said, its paths without steps back. */
function readPaths(out: string): Record<string, string> {
  const said: Record<string, string> = JSON.parse(out)
  return Object.fromEntries(
    Object.entries(said).map(([name, text]) => [name, text.startsWith('/') ? resolve(text) : text]),
  )
}

async function runScript(path: string): Promise<{ out: string; error: string }> {
  const { PROCESS_BUNDLES: _, SAID_BEFORE: __, ...env } = process.env
  const child = Bun.spawn([process.execPath, path], { cwd: tmpdir(), env, stdout: 'pipe', stderr: 'pipe' })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { out, error }
}
