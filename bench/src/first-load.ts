// The bytes a browser fetches before the first conversation shows: scripts and styles of the shell and of the tickets remote.
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'

const ROOT = join(import.meta.dir, '../..')

export const firstLoad: Benchmark = {
  name: 'first-load',
  about: 'scripts and styles of shell and tickets, gzip, as the build counts them',
  async run() {
    const shell = await measureSizes('shell', await listShellFiles())
    const tickets = await measureSizes('mfe-tickets', await listRemoteFiles('mfe-tickets'))
    return [
      {
        label: 'first load of shell and tickets',
        value: toKib(shell.gzip + tickets.gzip),
        unit: 'KiB',
        reference: { label: 'the same uncompressed', value: toKib(shell.plain + tickets.plain) },
        aim: 215,
      },
    ]
  },
}

async function listShellFiles(): Promise<string[]> {
  return readBuilt('shell', 'first-load.json')
}

interface Manifest {
  readonly metaData: { readonly remoteEntry: { readonly name: string; readonly path: string } }
  readonly exposes: readonly { readonly assets: Record<'js' | 'css', { readonly sync: string[] }> }[]
}

async function listRemoteFiles(name: string): Promise<string[]> {
  const { metaData, exposes }: Manifest = await readBuilt(name, 'mf-manifest.json')
  const chunks = exposes.flatMap(({ assets }) => [...assets.js.sync, ...assets.css.sync])
  return [...new Set([join(metaData.remoteEntry.path, metaData.remoteEntry.name), ...chunks])]
}

/** A file the build writes. */
async function readBuilt<T>(name: string, file: string): Promise<T> {
  await ensureBuilt()
  return Bun.file(join(ROOT, name, 'dist', file)).json()
}

let building: Promise<void> | undefined

/** Builds the front end as the code stands, once a run: an older build would be measured as if it were this one. */
export function ensureBuilt(): Promise<void> {
  building ??= build()
  return building
}

async function build(): Promise<void> {
  console.log('  building the front end…')
  const builder = Bun.spawn([process.execPath, 'ui/build/build.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if ((await builder.exited) !== 0) throw new Error('The front end could not be built.')
}

async function measureSizes(name: string, files: readonly string[]): Promise<{ plain: number; gzip: number }> {
  let plain = 0
  let gzip = 0
  for (const file of files) {
    const bytes = await Bun.file(join(ROOT, name, 'dist', file)).bytes()
    plain += bytes.length
    gzip += Bun.gzipSync(bytes, { level: 9 }).length
  }
  return { plain, gzip }
}

function toKib(bytes: number): number {
  return bytes / 1024
}
