// Builds the front end: `bun ui/build/build.ts` all of it, `bun ui/build/build.ts mfe-tickets` one package.
// Each package gets its own `dist`, with .gz and .br beside every hashed file, and the byte budgets are checked.
import { cp, utimes } from 'node:fs/promises'
import path from 'node:path'
import { type MultiStats, rspack } from '@rspack/core'
import { checkBudgets } from './budgets.ts'
import { compressAll } from './compress.ts'
import { type ConfigMaker, repoRoot } from './config.ts'
import { getEntryFile } from './entry.ts'
import { keepFormer } from './former.ts'

export const PACKAGES = ['shell', 'mfe-tickets', 'mfe-admin', 'mfe-automation', 'mfe-dashboard'] as const

/** The configuration of one package, read from its own `rspack.config.ts`. */
export async function loadConfig(name: string): Promise<ConfigMaker> {
  const module: { default: ConfigMaker } = await import(path.join(repoRoot, name, 'rspack.config.ts'))
  return module.default
}

if (import.meta.main) await build(process.argv.slice(2))

async function build(names: string[]) {
  const unknown = names.filter(name => !PACKAGES.some(known => known === name))
  if (unknown.length > 0) throw new Error(`Unknown package: ${unknown.join(', ')}. Known: ${PACKAGES.join(', ')}`)
  const chosen = names.length > 0 ? names : [...PACKAGES]
  const [started, begun] = [performance.now(), new Date()]
  const makers = await Promise.all(chosen.map(loadConfig))
  const stats = await run(makers)
  console.log(stats.toString({ preset: 'errors-warnings', colors: process.stdout.isTTY }))
  if (stats.hasErrors()) process.exit(1)
  if (chosen.includes('shell')) {
    await Bun.write(resolveDist('shell', 'remotes.json'), Bun.file(resolveSource('shell', 'remotes.json')))
    await cp(resolveSource('shell', 'public'), resolveDist('shell'), { recursive: true })
    await Bun.write(resolveDist('shell', 'sw.js'), await buildServiceWorker())
  }
  for (const [at, name] of chosen.entries())
    await keepFormer(resolveDist(name), Object.keys(stats.stats[at]?.compilation.assets ?? {}))
  await compressAll(chosen.map(name => resolveDist(name)))
  // Rspack leaves what came out as before, with its old time: each start would build again.
  for (const name of chosen) await utimes(resolveDist(name, getEntryFile(name)), begun, begun)
  const failures = await checkBudgets(chosen)
  console.log(`built ${chosen.join(', ')} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  if (failures.length > 0) {
    console.error(failures.join('\n'))
    process.exit(1)
  }
}

/** The service worker stands alone, at one address for ever: the browser looks for a newer one by itself. */
export async function buildServiceWorker(): Promise<string> {
  const entry = resolveSource('shell', 'src/service-worker/sw.ts')
  const built = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true })
  const [worker] = built.outputs
  if (!worker) throw new Error('The service worker was not built')
  return worker.text()
}

function run(makers: ConfigMaker[]): Promise<MultiStats> {
  const compiler = rspack(makers.map(make => make({})))
  return new Promise((resolve, reject) => {
    compiler.run((error, stats) => {
      if (error || !stats) return reject(error ?? new Error('rspack gave no result'))
      compiler.close(() => resolve(stats))
    })
  })
}

function resolveSource(name: string, file: string) {
  return path.join(repoRoot, name, file)
}

function resolveDist(name: string, file = '') {
  return path.join(repoRoot, name, 'dist', file)
}
