// The scripts that tests start in processes of their own, some of them dozens of times. A run of all tests bundles them once: half of
// what a start costs is to find and read two thousand modules.
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dir, '../..')
const TRUST = join(ROOT, 'simulator/src/whatsapp/trust.ts')
/** Names the folder of the bundles. */
const FOLDER = 'PROCESS_BUNDLES'
/** What comes before a script: those that talk to WhatsApp trust the simulator's root key. */
const SCRIPTS = {
  'backend/src/main.ts': [TRUST],
  'cli/src/main.ts': [],
  'e2e/src/server.ts': [TRUST],
  'backend/test/delay-process.ts': [],
  'backend/test/owner-process.ts': [],
  'backend/test/sweep-process.ts': [],
  'backend/test/webhook-process.ts': [],
} as const
type Script = keyof typeof SCRIPTS

/** The words that run a script. */
export function buildCommand(script: Script, flags: readonly string[] = []): string[] {
  const folder = process.env[FOLDER]
  if (folder) return [process.execPath, ...flags, join(folder, `${getScriptName(script)}.js`)]
  const before = SCRIPTS[script].flatMap(path => ['--preload', path])
  return [process.execPath, ...flags, ...before, join(ROOT, script)]
}

/**
 * Bundles them, in pieces, so that each reads what it uses; the environment in which `buildCommand` takes the bundles. Throws where
 * one cannot be made.
 */
export async function bundleProcesses(folder: string): Promise<Record<string, string>> {
  const entries = Object.entries(SCRIPTS).map(([script, before]) => ({
    path: join(folder, `${getScriptName(script)}.ts`),
    // One after the other, whatever the pieces are.
    text: [...before, join(ROOT, script)].map(path => `await import(${JSON.stringify(path)})\n`).join(''),
  }))
  for (const { path, text } of entries) await Bun.write(path, text)
  await Bun.build({
    entrypoints: entries.map(({ path }) => path),
    outdir: folder,
    target: 'bun',
    splitting: true,
    minify: { whitespace: true, syntax: true },
    sourcemap: 'linked',
    external: ['react-devtools-core'],
    plugins: [WHERE_IT_WAS],
  })
  return { [FOLDER]: folder }
}

/** What lies beside a file is looked for where the file was, not beside the bundle. */
const WHERE_IT_WAS: Bun.BunPlugin = {
  name: 'where it was',
  setup(build) {
    build.onLoad({ filter: /^(?!.*node_modules).*\.ts$/ }, async ({ path }) => {
      const text = await Bun.file(path).text()
      const contents = text
        .replaceAll('import.meta.dir', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      return { contents, loader: 'ts' }
    })
  },
}

function getScriptName(script: string): string {
  return script.replaceAll('/', '-').replace(/\.ts$/, '')
}
