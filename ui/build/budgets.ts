// The byte budgets of the front end (gzip, scripts and styles, without fonts). What counts as first load is what the
// browser fetches without anybody clicking: the page, and for a remote its entry and the chunks of `./App`.
import path from 'node:path'
import { repoRoot } from './config.ts'

const KIB = 1024
/** KiB; `first` is shell + tickets together. */
export const BUDGETS = { first: 218, 'mfe-admin': 140, 'mfe-automation': 140, 'mfe-dashboard': 240 } as const

interface Manifest {
  readonly metaData: { readonly remoteEntry: { readonly name: string; readonly path: string } }
  readonly exposes: readonly { readonly assets: Record<'js' | 'css', { readonly sync: string[] }> }[]
}

/** Prints the sizes of the packages just built and returns one line for each broken budget. */
export async function checkBudgets(built: readonly string[]): Promise<string[]> {
  const failures: string[] = []
  const sizes = new Map<string, number>()
  for (const name of new Set([...built, 'shell', 'mfe-tickets'])) {
    const size = name === 'shell' ? await measureShell() : await measureRemote(name)
    if (size !== undefined) sizes.set(name, size)
  }
  for (const [name, bytes] of sizes) {
    if (!built.includes(name)) continue
    console.log(`${name.padEnd(16)} ${(bytes / KIB).toFixed(1).padStart(6)} KiB gzip first load`)
    const limit = name in BUDGETS ? BUDGETS[name as keyof typeof BUDGETS] : undefined
    if (limit && bytes > limit * KIB) failures.push(`${name}: ${(bytes / KIB).toFixed(1)} KiB, budget ${limit} KiB`)
  }
  const shell = sizes.get('shell')
  const tickets = sizes.get('mfe-tickets')
  if (shell !== undefined && tickets !== undefined) {
    const both = (shell + tickets) / KIB
    console.log(`${'shell + tickets'.padEnd(16)} ${both.toFixed(1).padStart(6)} KiB gzip of ${BUDGETS.first}`)
    if (both > BUDGETS.first) failures.push(`shell + tickets: ${both.toFixed(1)} KiB, budget ${BUDGETS.first} KiB`)
  }
  return failures
}

/** index.html's scripts and styles plus the async chunks the bootstrap needs at once (marked in `first-load.json`). */
async function measureShell() {
  const folder = path.join(repoRoot, 'shell/dist')
  const list = Bun.file(path.join(folder, 'first-load.json'))
  if (!(await list.exists())) return undefined
  const files: string[] = await list.json()
  return sumGzipSizes(folder, files)
}

async function measureRemote(name: string) {
  const folder = path.join(repoRoot, name, 'dist')
  const file = Bun.file(path.join(folder, 'mf-manifest.json'))
  if (!(await file.exists())) return undefined
  const manifest: Manifest = await file.json()
  const entry = path.join(manifest.metaData.remoteEntry.path, manifest.metaData.remoteEntry.name)
  const files = manifest.exposes.flatMap(expose => [...expose.assets.js.sync, ...expose.assets.css.sync])
  return sumGzipSizes(folder, [...new Set([entry, ...files])])
}

async function sumGzipSizes(folder: string, files: readonly string[]) {
  const sizes = await Promise.all(
    files.map(async file => Bun.gzipSync(await Bun.file(path.join(folder, file)).bytes(), { level: 9 }).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
