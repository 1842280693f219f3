// An installation that only serves: `npm run package [-- folder]`. The built pages, the server as a bundle and as sources, what they need
// from others, the runtime and the terminal's program, in one folder for machines like this one; nothing of what builds, tests or measures.
// `--without-chromium` and `--without-postgres` leave out what the machine has itself. `--try` starts it once and has its commands work.
// The folder must be empty, or a release made before.
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'
import { buildBundle } from '../cli/build.ts'
import packageOfTheHouse from '../package.json' with { type: 'json' }
import { buildFrontEndWhenStale } from './build-when-stale.ts'
import { SERVER_BUNDLE } from './bundle.ts'
import { createEmptyFolder, makePackageFilter, RELEASE_SCRIPTS } from './release-folder.ts'
import { createBom, listComponents } from './sbom.ts'
import { run } from './steps.ts'

const ROOT = join(import.meta.dir, '..')
const { name, version } = packageOfTheHouse
/** What the server reads while it runs, and what belongs to whoever installs it. */
const TAKEN = [
  'backend',
  'formats',
  'contract',
  'patches',
  'deploy',
  'docs',
  'bun.lock',
  'bunfig.toml',
  'LICENSE',
  'README.md',
]
/** Of those what is not read, and the checkout's own bundle. */
const NOT_TAKEN = /(\/(node_modules|test|dist|\.env)|\.part)$/
const PAGES = ['shell', 'mfe-tickets', 'mfe-admin', 'mfe-automation', 'mfe-dashboard']
/** Of the pages what nobody asks for. */
const LEFT = /(\.map|mf-stats\.json|first-load\.json)$/
/** Packages that only check types, which others name as what they can be used with. */
const NO_PROGRAM = /^(typescript@|@typescript\+|bun-types@|@types\+)/
/** What no program reads: maps, types, measured tests. Licences and texts stay. */
const UNREAD = ['**/*.map', '**/*.d.ts', '**/*.d.mts', '**/*.d.cts', '**/coverage/lcov-report/**/*']
const READY_MS = 120_000
const OWNER = 'owner@balcao.example'
/** The terminal's program as it is called there, from wherever one is and by whatever link. */
const COMMAND = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/bun" "$here/../cli/dist/balcao.mjs" "$@"
`

const words = process.argv.slice(2)
const folder = words.find(word => !word.startsWith('-')) ?? join(ROOT, '.release', `${name}-${version}`)
const isLeftOut = makePackageFilter(words)
if (words.includes('--try') && words.includes('--without-postgres'))
  throw new Error('What is tried has a database of its own: leave --without-postgres out')
await createEmptyFolder({ name, version }, folder)
await buildFrontEndWhenStale()
for (const path of TAKEN)
  await cp(join(ROOT, path), join(folder, path), { recursive: true, filter: from => !NOT_TAKEN.test(from) })
for (const page of PAGES)
  await cp(join(ROOT, page, 'dist'), join(folder, page, 'dist'), { recursive: true, filter: from => !LEFT.test(from) })
// The lock names every package of ours: all are told of, none but the server's is installed.
for (const workspace of packageOfTheHouse.workspaces.packages)
  await cp(join(ROOT, workspace, 'package.json'), join(folder, workspace, 'package.json'))
const { scripts: _, ...rest } = packageOfTheHouse
await Bun.write(join(folder, 'package.json'), `${JSON.stringify({ ...rest, scripts: RELEASE_SCRIPTS }, null, 2)}\n`)
await run([process.execPath, 'install', '--production', '--frozen-lockfile', '--filter', '@balcao/backend'], {
  cwd: folder,
})
await run([process.execPath, 'scripts/bundle.ts', resolve(folder)])
await prune(join(folder, 'node_modules'))
await mkdir(join(folder, 'bin'))
await cp(await realpath(process.execPath), join(folder, 'bin', 'bun'))
await chmod(join(folder, 'bin', 'bun'), 0o755)
await buildBundle(join(folder, 'cli', 'dist'))
// The program imports the server's rooms by their name.
await mkdir(join(folder, 'cli', 'node_modules', '@balcao'), { recursive: true })
await symlink('../../../backend', join(folder, 'cli', 'node_modules', '@balcao', 'backend'))
await Bun.write(join(folder, 'bin', 'balcao'), COMMAND)
await chmod(join(folder, 'bin', 'balcao'), 0o755)
const components = (await listComponents(ROOT))
  .filter(component => !isLeftOut(component.name))
  .map(({ needs, ...rest }) => ({ ...rest, needs: needs.filter(each => !isLeftOut(toPackageName(each))) }))
const bom = createBom({ name, version }, components)
await Bun.write(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`)
for (const part of ['node_modules', 'bin', 'backend/dist', '.'])
  console.log(`${part.padEnd(14)} ${Math.round((await measureSize(join(folder, part))) / 1_000_000)} MB`)
console.log(folder)
if (words.includes('--try')) await tryIt()

/** The name and version behind an address of the bill of materials. */
function toPackageName(address: string): string {
  return decodeURIComponent(address.replace(/^pkg:npm\//, ''))
}

/** Takes away what is never run, and what was asked to be left out. */
async function prune(packages: string): Promise<void> {
  const store = join(packages, '.bun')
  for (const each of await readdir(store))
    if (NO_PROGRAM.test(each) || isLeftOut(each)) await rm(join(store, each), { recursive: true })
  for (const unread of UNREAD)
    for await (const file of new Glob(unread).scan({ cwd: store, dot: true, followSymlinks: false }))
      await rm(join(store, file), { force: true })
}

/** Starts it with a database of its own, asks for what people ask for, has operators' commands work on it, and ends it. */
async function tryIt(): Promise<void> {
  const data = await mkdtemp(join(process.env.BALCAO_TEMPORARY ?? tmpdir(), 'balcao-release-'))
  await chmod(data, 0o711)
  const free = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const port = String(free.port)
  await free.stop(true)
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: data,
    DATA_DIR: data,
    PORT: port,
    LOG_LEVEL: 'warn',
    ADMIN_EMAIL: OWNER,
  }
  const child = Bun.spawn([join(folder, 'bin', 'bun'), '--smol', SERVER_BUNDLE], {
    cwd: folder,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    for (const end = Date.now() + READY_MS; ; await Bun.sleep(200)) {
      const answer = await fetch(`${url}/ready`).catch(() => null)
      if (answer?.ok) break
      if (child.exitCode !== null || Date.now() > end) throw new Error('The installation did not get ready')
    }
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
    const remotes: { entry: string }[] = await (await fetch(`${url}/remotes.json`)).json()
    for (const { entry } of remotes)
      if (!(await fetch(new URL(entry, url))).ok) throw new Error(`${entry} is not served`)
    if (!page.includes('<html')) throw new Error('The page is not served')
    console.log(`It started, and serves the shell and ${remotes.length} remotes.`)
    // Nothing of our own environment: it may name a database that is in use.
    const balcao = async (...words: string[]) => {
      const ran = Bun.spawn([join(folder, 'bin', 'balcao'), ...words], {
        cwd: data,
        env,
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      if ((await ran.exited) !== 0) throw new Error(`balcao ${words.join(' ')} failed`)
    }
    const backup = join(data, 'try.backup')
    await balcao('backup', 'create', backup)
    await balcao('backup', 'verify', backup)
    await balcao('migrate')
    await balcao('reset-password', OWNER)
    console.log('Its commands work.')
  } finally {
    child.kill('SIGTERM')
    await child.exited
    await rm(data, { recursive: true, force: true })
  }
}

/** Bytes of files, each counted once. */
async function measureSize(path: string): Promise<number> {
  const seen = new Set<number>()
  let bytes = 0
  for await (const file of new Glob('**/*').scan({ cwd: path, dot: true, followSymlinks: false })) {
    const { ino, size, nlink } = await lstat(join(path, file))
    if (nlink > 1 && seen.has(ino)) continue
    seen.add(ino)
    bytes += size
  }
  return bytes
}
