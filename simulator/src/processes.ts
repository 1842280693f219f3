// The scripts that tests start in processes of their own, some of them dozens of times. A run of all tests bundles them once: half of
// what a start costs is to find and read two thousand modules.
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BUNDLES, getBundleName } from '@balcao/formats/subprocess/script'

const ROOT = join(import.meta.dir, '../..')
const TRUST = join(ROOT, 'simulator/src/whatsapp/trust.ts')
/** What comes before a script: those that talk to WhatsApp trust the simulator's root key. */
const SCRIPTS = {
  'backend/src/main.ts': [TRUST],
  'cli/src/main.ts': [],
  'e2e/src/server.ts': [TRUST],
  'backend/src/operations/backup/apart-process.ts': [],
  'backend/test/backup-process.ts': [],
  'backend/test/count-process.ts': [],
  'backend/test/delay-process.ts': [],
  'backend/test/erase-process.ts': [],
  'backend/test/fold-process.ts': [],
  'backend/test/import-process.ts': [],
  'backend/test/job-process.ts': [],
  'backend/test/owner-process.ts': [],
  'backend/test/report-process.ts': [],
  'backend/test/sweep-process.ts': [],
  'backend/test/webhook-process.ts': [],
} as const
type Script = keyof typeof SCRIPTS
/** Small ones that are started for each file of a customer: compiled as well, which halves their start once more. */
const COMPILED = [
  'formats/src/pdf/child.ts',
  'formats/src/sheets/child.ts',
  'formats/src/sheets/workbook-child.ts',
  'backend/src/insight/reports/pdf-child.ts',
  'backend/src/insight/reports/workbook-child.ts',
]

/** The words that run a script. */
export function buildCommand(script: Script, flags: readonly string[] = []): string[] {
  const folder = process.env[BUNDLES]
  if (folder) return [process.execPath, ...flags, join(folder, getBundleName(script))]
  const before = SCRIPTS[script].flatMap(path => ['--preload', path])
  return [process.execPath, ...flags, ...before, join(ROOT, script)]
}

/**
 * Bundles them, in pieces, so that each reads what it uses; the environment in which `buildCommand` takes the bundles. Throws where
 * one cannot be made.
 */
export async function bundleProcesses(folder: string): Promise<Record<string, string>> {
  const entries = Object.entries(SCRIPTS).map(([script, before]) => ({
    path: join(folder, getBundleName(script).replace('.js', '.ts')),
    // One after the other, whatever the pieces are.
    text: [...before, join(ROOT, script)].map(path => `await import(${JSON.stringify(path)})\n`).join(''),
  }))
  for (const { path, text } of entries) await Bun.write(path, text)
  const options = { outdir: folder, target: 'bun', minify: { whitespace: true, syntax: true } } as const
  await Bun.build({
    ...options,
    entrypoints: entries.map(({ path }) => path),
    naming: '[name].[ext]',
    splitting: true,
    sourcemap: 'linked',
    external: ['react-devtools-core'],
    plugins: [WHERE_IT_WAS],
  })
  for (const script of COMPILED)
    await Bun.build({
      ...options,
      entrypoints: [join(ROOT, script)],
      naming: getBundleName(script),
      format: 'cjs',
      bytecode: true,
      plugins: [WHERE_IT_WAS],
    })
  return { [BUNDLES]: folder }
}

/** What lies beside a file is looked for where the file was, not beside the bundle. */
const WHERE_IT_WAS: Bun.BunPlugin = {
  name: 'where it was',
  setup(build) {
    build.onLoad({ filter: /^(?!.*node_modules).*\.ts$/ }, async ({ path }) => {
      const text = await Bun.file(path).text()
      // What is compiled has no `await` outside of functions; a rejection nobody takes ends a process all the same.
      const contents = (COMPILED.includes(relative(ROOT, path)) ? text.replace(/^await /m, 'void ') : text)
        .replaceAll('import.meta.dir', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      return { contents, loader: 'ts' }
    })
  },
}
