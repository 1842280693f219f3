// Builds the program: one module for Node 20 and newer (`dist/balcao.mjs`), and with --compile one file with everything in it.
import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'

const HERE = import.meta.dir

/** The tools of React's developers, which Ink imports and nobody needs. */
const NO_DEVTOOLS: Bun.BunPlugin = {
  name: 'no devtools',
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'empty' }))
    build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {}', loader: 'js' }))
  },
}

/** The module; where it lies. */
export async function buildBundle(outdir: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(HERE, 'src/main.ts')],
    outdir,
    naming: 'balcao.mjs',
    target: 'node',
    format: 'esm',
    minify: { whitespace: true, syntax: true },
    define: { 'process.env.NODE_ENV': '"production"' },
    // Rooms of the server are there only in its checkout.
    external: ['@balcao/backend/*'],
    plugins: [NO_DEVTOOLS],
    banner: '#!/usr/bin/env node',
  })
  const [made] = built.outputs
  if (!made) throw new Error('Nothing was built')
  await chmod(made.path, 0o755)
  return made.path
}

/** One file of the module, for machines without Node and Bun; for another kind of machine with `--target=bun-linux-arm64` and the like. */
async function compile(bundle: string, options: readonly string[]): Promise<void> {
  const to = join(HERE, 'dist/balcao')
  const done = Bun.spawn(
    [process.execPath, 'build', '--compile', '--external', '@balcao/backend/*', ...options, bundle, '--outfile', to],
    {
      stdout: 'inherit',
      stderr: 'inherit',
    },
  )
  if ((await done.exited) !== 0) throw new Error('The file was not made')
}

if (import.meta.main) {
  const [first, ...options] = process.argv.slice(2)
  await rm(join(HERE, 'dist'), { recursive: true, force: true })
  const bundle = await buildBundle(join(HERE, 'dist'))
  if (first === '--compile') await compile(bundle, options)
  console.log(`cli/dist/balcao.mjs${first === '--compile' ? ', cli/dist/balcao' : ''}`)
}
