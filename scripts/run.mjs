// Runs a command of this project on a machine that has only Node and npm: brings Bun and the packages first, then hands over.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const bun = join(root, 'node_modules', 'bun', 'bin', 'bun.exe')
const stamp = join(root, 'node_modules', '.installed')
const [command = 'help', ...rest] = process.argv.slice(2)

installWhenNeeded()
if (!existsSync(join(root, 'scripts', `${command}.ts`))) fail(`There is no command "${command}".`)
const child = spawn(bun, [join(root, 'scripts', `${command}.ts`), ...rest], { cwd: root, stdio: 'inherit' })
// What this process is told its child must hear: it alone knows how to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (status, signal) => process.exit(signal ? 1 : (status ?? 1)))

function installWhenNeeded() {
  const hash = createHash('sha256')
  const patches = readdirSync(join(root, 'patches')).map(name => join('patches', name))
  for (const file of ['bun.lock', 'package.json', ...patches]) hash.update(readFileSync(join(root, file)))
  const wanted = hash.digest('hex')
  if (existsSync(bun) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing what is missing (Bun and packages from the npm registry)…')
  const version = devDependencies.bun
  const installed = existsSync(bun)
    ? spawnSync(bun, ['install', '--frozen-lockfile'], { cwd: root, stdio: 'inherit' })
    : spawnSync('npx', ['--yes', `bun@${version}`, 'install', '--frozen-lockfile'], {
        cwd: root,
        stdio: 'inherit',
        shell: process.platform === 'win32',
      })
  if (installed.status !== 0)
    fail('The packages could not be installed. Is the npm registry reachable? Nothing was changed outside this folder.')
  if (!existsSync(bun)) fail('Bun was installed but its program is missing: delete node_modules and try again.')
  writeFileSync(stamp, wanted)
}

function fail(text) {
  console.error(text)
  process.exit(1)
}
