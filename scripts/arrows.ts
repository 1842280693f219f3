// Fails when a package imports one it must not know: the arrows of ARCHITECTURE.md, checked.
// Inside a package nobody imports from a floor above, and no files import one another in a circle (floors.ts).
import { Glob } from 'bun'
import { findWrongWays } from './floors.ts'

/** Package to the packages of ours it may import. Tests may use the client; the benchmarks and the scripts may join everything. */
const ALLOWED: Record<string, readonly string[]> = {
  contract: [],
  client: ['contract'],
  ui: ['contract', 'client'],
  shell: ['contract', 'ui'],
  'mfe-tickets': ['contract', 'ui'],
  'mfe-admin': ['contract', 'ui'],
  'mfe-automation': ['contract', 'ui'],
  'mfe-dashboard': ['contract', 'ui'],
  formats: ['contract'],
  backend: ['contract', 'formats'],
  cli: ['contract', 'client'],
  simulator: ['contract', 'formats'],
  e2e: ['contract', 'client', 'formats', 'backend', 'simulator'],
  bench: ['contract', 'client', 'formats', 'backend', 'simulator', 'e2e'],
}

/** What knows nothing of HTTP. */
const WITHOUT_HTTP =
  /^(formats\/src|backend\/src\/(platform\/(channel|database|live|worker)|policy\/access|desk\/contacts|messaging\/(channels|inbox|outbox)))\//

/** What screens are made of below React: tests feed them from the real server and compare with what it answers. */
const PURE_OF_THE_SCREENS =
  /\/(ui\/src\/rows\/index|(mfe-\w+|shell)\/src\/\w[\w-]*\/([\w-]+-(store|table|conversation)|list)|mfe-\w+\/test\/(make[\w-]*|connection|schedule|send))\.ts$/

/** Commands of the server's machine open its rooms only when they run. */
const ON_THE_SERVER = /^cli\/src\/commands\//
/** What the pages say is data: the terminal says the same. */
const TEXTS = /\/locales\/([\w-]+\/)?\w+\.json$/

/** What people are given; its stand-ins outside and what measures it may be in a circle. */
const PRODUCT = /^(contract|client|ui|shell|mfe-\w+|formats|backend|cli)$/

export interface WrongArrow {
  readonly file: string
  readonly imports: string
  readonly why: string
}

/** All imports that go against the arrows, in the checkout at `root`. */
export async function findWrongArrows(root: string): Promise<WrongArrow[]> {
  const wrong: WrongArrow[] = []
  const inside = new Map<string, Map<string, string[]>>()
  for await (const file of new Glob(
    '{contract,client,ui,shell,mfe-*,formats,backend,cli,simulator,e2e,bench}/**/*.{ts,tsx}',
  ).scan({
    cwd: root,
  })) {
    if (/node_modules|\/dist\//.test(file)) continue
    const home = file.slice(0, file.indexOf('/'))
    const isTest = /\.test\.tsx?$|\/test\//.test(file)
    const text = await Bun.file(`${root}/${file}`).text()
    for (const [way, imported = ''] of text.matchAll(/(?:from\s+|import\s*\(?\s*)['"]([^'"]+)['"]/g)) {
      const target = findPackage(file, imported)
      if (target === home && imported.startsWith('.') && !isTest && file.startsWith(`${home}/src/`)) {
        const own = getOrInsert(inside, home)
        const from = stripSrc(file)
        own.set(from, [...(own.get(from) ?? []), stripSrc(new URL(imported, `file:///${file}`).pathname.slice(1))])
      }
      if (
        target &&
        target !== home &&
        !ALLOWED[home]?.includes(target) &&
        !(isTest && (target === 'client' || (home === 'backend' && target === 'simulator'))) &&
        !(isTest && home === 'e2e' && PURE_OF_THE_SCREENS.test(imported)) &&
        !(home === 'cli' && canTerminalImport(file, isTest, target, imported, way))
      ) {
        wrong.push({ file, imports: imported, why: `${home} must not know ${target}` })
      }
      if (!isTest && WITHOUT_HTTP.test(file) && /^elysia/.test(imported)) {
        wrong.push({ file, imports: imported, why: 'this folder knows nothing of HTTP' })
      }
    }
  }
  for (const [home, imports] of inside)
    if (PRODUCT.test(home))
      for (const way of findWrongWays(home, imports)) wrong.push({ ...way, file: `${home}/src/${way.file}` })
  return wrong
}

function canTerminalImport(file: string, isTest: boolean, target: string, imported: string, way: string): boolean {
  if (TEXTS.test(imported)) return true
  if (isTest) return target === 'backend' || target === 'simulator'
  return target === 'backend' && ON_THE_SERVER.test(file) && way.startsWith('import(')
}

function getOrInsert(inside: Map<string, Map<string, string[]>>, home: string): Map<string, string[]> {
  const own = inside.get(home) ?? new Map<string, string[]>()
  inside.set(home, own)
  return own
}

function stripSrc(path: string): string {
  return path.replace(/^[\w-]+\/src\//, '')
}

function findPackage(file: string, imported: string): string | null {
  const named = /^@balcao\/([a-z0-9-]+)/.exec(imported)
  if (named) return named[1] ?? null
  if (!imported.startsWith('.')) return null
  const path = new URL(imported, `file:///${file}`).pathname.slice(1)
  const first = path.slice(0, path.indexOf('/'))
  return first in ALLOWED ? first : null
}

if (import.meta.main) {
  const wrong = await findWrongArrows(`${import.meta.dir}/..`)
  for (const arrow of wrong) console.error(`${arrow.file}: imports ${arrow.imports}: ${arrow.why}`)
  if (wrong.length > 0) process.exit(1)
  console.log('Arrows: all point the right way.')
}
