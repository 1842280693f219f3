// Runs a command of this project on a machine that has only Node and npm: brings Bun and the packages first, then hands over.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const bun = join(root, 'node_modules', 'bun', 'bin', 'bun.exe')
const stamp = join(root, 'node_modules', '.installed')
const [command = 'help', ...rest] = process.argv.slice(2)

installWhenNeeded()
if (!existsSync(join(root, 'scripts', `${command}.ts`))) fail(`There is no command "${command}".`)
const { status, signal } = spawnSync(bun, [join(root, 'scripts', `${command}.ts`), ...rest], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(signal ? 1 : (status ?? 1))

function installWhenNeeded() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'bun.lock')))
    .update(readFileSync(join(root, 'package.json')))
    .digest('hex')
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
