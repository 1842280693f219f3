// Fails when a package imports one it must not know: the arrows of ARCHITECTURE.md, checked.
import { Glob } from 'bun'

/** Package to the packages of ours it may import. Tests, the benchmarks and the scripts may join everything. */
const ALLOWED: Record<string, readonly string[]> = {
  contract: [],
  ui: ['contract'],
  shell: ['contract', 'ui'],
  'mfe-tickets': ['contract', 'ui'],
  'mfe-admin': ['contract', 'ui'],
  'mfe-automation': ['contract', 'ui'],
  'mfe-dashboard': ['contract', 'ui'],
  backend: ['contract'],
  cli: ['contract'],
  simulator: ['contract'],
  e2e: ['contract', 'backend', 'simulator'],
  bench: ['contract', 'backend', 'simulator', 'e2e'],
}

/** Folders inside the backend that know nothing of HTTP. */
const WITHOUT_HTTP = /^backend\/src\/(access|channels|contacts|database|inbox|jobs|live|outbox)\//

/** What screens are made of below React: tests feed them from the real server and compare with what it answers. */
const PURE_OF_THE_SCREENS =
  /\/(ui\/src\/(live\/client|rows\/index|api\/error)|(mfe-\w+|shell)\/src\/\w[\w-]*\/([\w-]+-(store|table|conversation)|list)|mfe-\w+\/test\/(make[\w-]*|connection))\.ts$/

export interface WrongArrow {
  readonly file: string
  readonly imports: string
  readonly why: string
}

/** All imports that go against the arrows, in the checkout at `root`. */
export async function wrongArrows(root: string): Promise<WrongArrow[]> {
  const wrong: WrongArrow[] = []
  for await (const file of new Glob('{contract,ui,shell,mfe-*,backend,cli,simulator,e2e,bench}/**/*.{ts,tsx}').scan({
    cwd: root,
  })) {
    if (/node_modules|\/dist\//.test(file)) continue
    const home = file.slice(0, file.indexOf('/'))
    const isTest = /\.test\.tsx?$|\/test\//.test(file)
    const text = await Bun.file(`${root}/${file}`).text()
    for (const [, imported = ''] of text.matchAll(/(?:from\s+|import\s*\(?\s*)['"]([^'"]+)['"]/g)) {
      const target = packageOf(file, imported)
      if (
        target &&
        target !== home &&
        !ALLOWED[home]?.includes(target) &&
        !(isTest && home === 'backend' && target === 'simulator') &&
        !(isTest && home === 'e2e' && PURE_OF_THE_SCREENS.test(imported))
      ) {
        wrong.push({ file, imports: imported, why: `${home} must not know ${target}` })
      }
      if (!isTest && WITHOUT_HTTP.test(file) && /^elysia/.test(imported) && !file.endsWith('live/socket.ts')) {
        wrong.push({ file, imports: imported, why: 'this folder knows nothing of HTTP' })
      }
    }
  }
  return wrong
}

function packageOf(file: string, imported: string): string | null {
  const named = /^@balcao\/([a-z0-9-]+)/.exec(imported)
  if (named) return named[1] ?? null
  if (!imported.startsWith('.')) return null
  const path = new URL(imported, `file:///${file}`).pathname.slice(1)
  const first = path.slice(0, path.indexOf('/'))
  return first in ALLOWED ? first : null
}

if (import.meta.main) {
  const wrong = await wrongArrows(`${import.meta.dir}/..`)
  for (const arrow of wrong) console.error(`${arrow.file}: imports ${arrow.imports}: ${arrow.why}`)
  if (wrong.length > 0) process.exit(1)
  console.log('Arrows: all point the right way.')
}
