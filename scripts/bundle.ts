// Programs of ours as they run outside of development: each with what it imports in a few files, so that it starts sooner and holds less
// memory (docs/decisions/0330). `bun scripts/bundle.ts [folder]` makes those of a server, in the checkout or in the folder of an installation.
import { rmSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { runOnShutdown } from '../backend/src/platform/ending.ts'
import { BUNDLES, getBundleName } from '../formats/src/subprocess/script.ts'
import { reduceSourceMap } from './source-map.ts'

const ROOT = join(import.meta.dir, '..')
/** Where a server's bundle lies. */
const SERVER_FOLDER = 'backend/dist'

export interface Program {
  /** Its file, from the root. */
  readonly script: string
  /** What runs before it, from the root. */
  readonly before?: readonly string[]
  /** To bytecode as well, which halves its start once more, and in one file. Nothing runs before it, and it starts nothing. */
  readonly isCompiled?: boolean
}

/** Small ones that are started for each file of a customer. */
export const FILE_PROGRAMS: readonly Program[] = [
  { script: 'formats/src/pdf/child.ts', isCompiled: true },
  { script: 'formats/src/sheets/child.ts', isCompiled: true },
  { script: 'formats/src/sheets/workbook-child.ts', isCompiled: true },
  { script: 'backend/src/insight/reports/pdf-child.ts', isCompiled: true },
  { script: 'backend/src/insight/reports/workbook-child.ts', isCompiled: true },
]
const MAIN: Program = { script: 'backend/src/main.ts' }
/** The server, and what it starts beside it. Browsers of API 2 B run from the sources: their library is as large as a server. */
export const SERVER_PROGRAMS: readonly Program[] = [
  MAIN,
  { script: 'backend/src/operations/backup/apart-process.ts' },
  ...FILE_PROGRAMS,
]
/** What is run for the server, from the root, and all that is made with it. */
export const SERVER_BUNDLE = toServerBundle(MAIN)
export const SERVER_BUNDLES = SERVER_PROGRAMS.map(toServerBundle)
/** Late pieces of an earlier bundle stay this long: a server that runs from it may still load them. */
const KEPT_MS = 7 * 24 * 3_600_000
/** What is half made after this time was left by a process that was killed. */
const LONGEST_MS = 3_600_000

/**
 * Bundles programs of the checkout or installation at `root`: in pieces, so that each loads what it uses when it uses it. The folder and
 * the root may be moved together. What lies in the folder is replaced file by file. Throws where one cannot be made.
 */
export async function bundlePrograms(programs: readonly Program[], folder: string, root = ROOT): Promise<void> {
  const begun = new Date()
  // Beside the folder: from there the ways to the sources are the same.
  const part = `${folder}.${process.pid}.part`
  const removePart = () => rmSync(part, { recursive: true, force: true })
  process.on('exit', removePart)
  await mkdir(part, { recursive: true })
  await removeLeftParts(folder, begun)
  const options = { outdir: part, target: 'bun', minify: { whitespace: true, syntax: true } } as const
  try {
    const files = Object.fromEntries(
      programs.filter(each => !each.isCompiled).map(each => [join(part, toEntryName(each)), writeEntry(each, root)]),
    )
    await Bun.build({
      ...options,
      root: part,
      entrypoints: Object.keys(files),
      files,
      naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]' },
      splitting: true,
      sourcemap: 'linked',
      external: ['react-devtools-core'],
      plugins: [findBesideSources(part, 'import.meta.dir', async path => files[path] ?? readText(path))],
    })
    for (const path of programs.filter(each => each.isCompiled).map(({ script }) => join(root, script)))
      await Bun.build({
        ...options,
        entrypoints: [path],
        naming: getBundleName(relative(root, path)),
        format: 'cjs',
        bytecode: true,
        plugins: [
          findBesideSources(part, 'require("node:path").dirname(Bun.main)', async each =>
            each === path ? readWithoutAwait(each) : readText(each),
          ),
        ],
      })
    await replaceFiles(part, folder, new Set(programs.map(({ script }) => getBundleName(script))), begun)
  } finally {
    removePart()
    process.off('exit', removePart)
  }
}

async function removeLeftParts(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}.`) || !name.endsWith('.part')) continue
    const path = join(dirname(folder), name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }))
    if (now.getTime() - mtimeMs > LONGEST_MS) await rm(path, { recursive: true, force: true })
  }
}

/** The server's, of the checkout or installation at `root`. */
export function bundleServer(root = ROOT): Promise<void> {
  return bundlePrograms(SERVER_PROGRAMS, join(root, SERVER_FOLDER), root)
}

function toServerBundle({ script }: Program): string {
  return join(SERVER_FOLDER, getBundleName(script))
}

function toEntryName({ script }: Program): string {
  return getBundleName(script).replace(/\.js$/, '.ts')
}

/** What it starts comes from the same folder. One after the other, whatever the pieces are. */
function writeEntry({ script, before = [] }: Program, root: string): string {
  const imports = [...before, script].map(path => `await import(${JSON.stringify(join(root, path))})\n`)
  return `process.env.${BUNDLES} = import.meta.dir\n${imports.join('')}`
}

/** What lies beside a file is looked for where the file is, seen from the bundle; `here` is what says there where that lies. */
function findBesideSources(folder: string, here: string, read: (path: string) => Promise<string>): Bun.BunPlugin {
  return {
    name: 'find beside sources',
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]s$/ }, async ({ path, loader }) => {
        const text = await read(path)
        const beside = (to: string) => `(${here}+${JSON.stringify(`/${relative(folder, to)}`)})`
        const contents = text
          .replace(/\b(import\.meta\.dir|__dirname)\b/g, () => beside(dirname(path)))
          .replace(/\b__filename\b/g, () => beside(path))
          .replace(/\bimport\.meta\.url\b/g, () => `Bun.pathToFileURL(${beside(path)}).href`)
        return { contents, loader }
      })
    },
  }
}

function readText(path: string): Promise<string> {
  return Bun.file(path).text()
}

/** What is compiled has no `await` outside of functions; a rejection nobody takes ends a process all the same. */
async function readWithoutAwait(path: string): Promise<string> {
  return (await readText(path)).replace(/^await /m, 'void ')
}

/** Programs come last and are dated back to when their sources were read. What was there before goes when nobody can need it. */
async function replaceFiles(from: string, to: string, programs: ReadonlySet<string>, begun: Date): Promise<void> {
  await mkdir(to, { recursive: true })
  const made = await readdir(from)
  const isProgram = (name: string) => programs.has(name)
  for (const name of [...made.filter(each => !isProgram(each)), ...made.filter(isProgram)]) {
    const path = join(from, name)
    if (name.endsWith('.map')) await Bun.write(path, JSON.stringify(reduceSourceMap(await Bun.file(path).json())))
    if (isProgram(name)) await utimes(path, begun, begun)
    await rename(path, join(to, name))
  }
  for (const name of await readdir(to)) {
    if (made.includes(name)) continue
    const { mtimeMs } = await stat(join(to, name))
    if (begun.getTime() - mtimeMs > KEPT_MS) await rm(join(to, name))
  }
}

if (import.meta.main) {
  runOnShutdown(async () => {})
  await bundleServer(resolve(process.argv[2] ?? ROOT))
}
