// What a server weighs before anything needs its heaviest libraries.
import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundlePrograms, SERVER_PROGRAMS } from '../../scripts/bundle.ts'

/** Of what one channel, one kind of file or one device needs; the first alone is a quarter of a server's memory. */
const LATE =
  /node_modules\/(@whiskeysockets\/baileys|mediabunny|jsqr|web-push|whatsapp-web\.js|age-encryption|tar-stream|file-type|entities|pino-pretty)\//

test('a server loads no library of a channel, of files, of films, of push, of pages or of backups before something needs it', async () => {
  const script = `await import('./src/app/server.ts'); console.log(Object.keys(require.cache).join('\\n'))`
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: join(import.meta.dir, '..'), stderr: 'inherit' })
  const loaded = (await new Response(child.stdout).text()).split('\n')
  expect(loaded.filter(path => path.endsWith('/app/server.ts'))).toHaveLength(1)
  expect(loaded.filter(path => LATE.test(path))).toEqual([])
})

test('its bundle keeps them in pieces that it loads later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-late-'))
  try {
    await bundlePrograms(SERVER_PROGRAMS, folder)
    const main = await readPiece(folder, 'main.js')
    // The program itself loads its main piece, and nothing else.
    expect(main.later).toHaveLength(1)
    const [first, late] = [new Map<string, Piece>(), new Map<string, Piece>()]
    for (const name of main.later) await follow(folder, name, first)
    for (const { later } of [...first.values()]) for (const name of later) await follow(folder, name, late)
    const listSources = (pieces: ReadonlyMap<string, Piece>) => [...pieces.values()].flatMap(({ sources }) => sources)
    expect(listSources(first).some(path => path.endsWith('backend/src/app/server.ts'))).toBe(true)
    expect(listSources(first).filter(path => LATE.test(path))).toEqual([])
    expect(listSources(late).filter(path => LATE.test(path)).length).toBeGreaterThan(100)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

interface Piece {
  readonly sources: readonly string[]
  /** Pieces it imports at once, and those it imports when they are needed. */
  readonly atOnce: readonly string[]
  readonly later: readonly string[]
}

async function readPiece(folder: string, name: string): Promise<Piece> {
  const text = await Bun.file(join(folder, name)).text()
  const { sources } = await Bun.file(join(folder, `${name}.map`)).json()
  const imports = new Bun.Transpiler({ loader: 'js' }).scanImports(text).filter(({ path }) => path.startsWith('./'))
  const pick = (isLate: boolean) =>
    imports.filter(({ kind }) => (kind === 'dynamic-import') === isLate).map(({ path }) => path.slice(2))
  return { sources, atOnce: pick(false), later: pick(true) }
}

/** A piece, and all that comes with it at once. */
async function follow(folder: string, name: string, found: Map<string, Piece>): Promise<void> {
  if (found.has(name)) return
  const piece = await readPiece(folder, name)
  found.set(name, piece)
  for (const each of piece.atOnce) await follow(folder, each, found)
}
