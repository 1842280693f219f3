// The scripts that tests start in processes of their own, some of them dozens of times. A run of all tests bundles them once: half of
// what a start costs is to find and read two thousand modules.
import { basename, dirname, join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const TRUST = join(ROOT, 'simulator/src/whatsapp/trust.ts')
/** Names the folder of the bundles. */
const FOLDER = 'PROCESS_BUNDLES'
/** What comes before a script: those that talk to WhatsApp trust the simulator's root key. */
const SCRIPTS = {
  'backend/src/main.ts': [TRUST],
  'e2e/src/server.ts': [TRUST],
  'backend/test/delay-process.ts': [],
  'backend/test/owner-process.ts': [],
  'backend/test/sweep-process.ts': [],
} as const
type Script = keyof typeof SCRIPTS

/** The words that run a script. */
export function buildCommand(script: Script, flags: readonly string[] = []): string[] {
  const folder = process.env[FOLDER]
  if (folder) return [process.execPath, ...flags, join(folder, getScriptName(script), 'entry.js')]
  const before = SCRIPTS[script].flatMap(path => ['--preload', path])
  return [process.execPath, ...flags, ...before, join(ROOT, script)]
}

/** Bundles them; the environment in which `buildCommand` takes the bundles. */
export async function bundleProcesses(folder: string): Promise<Record<string, string>> {
  for (const [script, before] of Object.entries(SCRIPTS)) {
    const outdir = join(folder, getScriptName(script))
    const entry = join(outdir, 'entry.ts')
    await Bun.write(entry, [...before, join(ROOT, script)].map(path => `import ${JSON.stringify(path)}\n`).join(''))
    await Bun.build({
      entrypoints: [entry],
      outdir,
      target: 'bun',
      minify: { whitespace: true, syntax: true },
      sourcemap: 'linked',
      plugins: [WHERE_IT_WAS],
    })
  }
  return { [FOLDER]: folder }
}

/** What lies beside a file is looked for where the file was, not beside the bundle. */
const WHERE_IT_WAS: Bun.BunPlugin = {
  name: 'where it was',
  setup(build) {
    build.onLoad({ filter: /^(?!.*node_modules).*\.ts$/ }, async ({ path }) => {
      const text = await Bun.file(path).text()
      return { contents: text.replaceAll('import.meta.dir', JSON.stringify(dirname(path))), loader: 'ts' }
    })
  },
}

function getScriptName(script: string): string {
  return basename(script, '.ts')
}
