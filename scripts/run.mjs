// Runs a command of this project on a machine that has only Node and npm: brings Bun and the packages first, then starts the command.
// Whoever of them is signalled, everything that the command started ends with it.
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const bun = join(root, 'node_modules', 'bun', 'bin', 'bun.exe')
const stamp = join(root, 'node_modules', '.installed')
const [command = 'help', ...rest] = process.argv.slice(2)
/** The server keeps its heap small (docs/decisions/0328). */
const SERVERS = ['start', 'demo']
/** The temporary files of these go with them, however they end. */
const TIDIED = ['bench', 'gallery', 'month', 'package']

/** Stands in the environment of everything that this command starts, so that it is found whoever its parent is by then. */
const mark = randomUUID()
const env = { ...process.env, BALCAO_COMMAND: `${process.env.BALCAO_COMMAND ?? ''} ${mark}` }
const END_MS = 5000
const PARENT_MS = 500
/** @type {import('node:child_process').ChildProcess | undefined} */
let child
/** @type {NodeJS.Signals | undefined} */
let received

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => forward(signal))
watchParent()
await installWhenNeeded()
if (!existsSync(join(root, 'scripts', `${command}.ts`))) fail(`There is no command "${command}".`)
if (TIDIED.includes(command)) env.BALCAO_TEMPORARY = makeTemporaryFolder()
const status = await start(bun, [
  ...(SERVERS.includes(command) ? ['--smol'] : []),
  '--preload',
  join(root, 'scripts', 'parent.ts'),
  join(root, 'scripts', `${command}.ts`),
  ...rest,
])
await end(status)

/** What this process is told its child must hear: it alone knows how to end. */
function forward(signal) {
  received = signal
  child?.kill(signal)
}

/** An npm that is killed sends no signal: its child has another parent then. */
function watchParent() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent && !received) forward('SIGTERM')
  }, PARENT_MS).unref()
}

/** Runs a program to its end and answers its exit status, 128 + n where a signal ended it. `output`: a file that takes what it says. */
function start(program, words, output = 'inherit') {
  child = spawn(program, words, { cwd: root, env, stdio: ['inherit', output, output] })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (status, signal) => resolve(signal ? 128 + constants.signals[signal] : status))
  })
}

/** Ends what is left of the command: politely, then at once. */
async function end(status) {
  const until = Date.now() + END_MS
  for (const pid of listStarted()) kill(pid, 'SIGTERM')
  while (listStarted().length > 0 && Date.now() < until) await sleep(50)
  for (const pid of listStarted()) kill(pid, 'SIGKILL')
  while (listStarted().length > 0 && Date.now() < until + END_MS) await sleep(50)
  process.exit(received ? 128 + constants.signals[received] : status)
}

/** The processes with this command's mark; none where the system has no /proc. */
function listStarted() {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc').filter(name => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark)
    } catch {
      // It has ended meanwhile, or is somebody else's.
      return false
    }
  })
}

function kill(pid, signal) {
  try {
    process.kill(Number(pid), signal)
  } catch {
    // It has ended meanwhile.
  }
}

/** Goes when this process ends. Postgres may run as another user, who must be able to enter. */
function makeTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-'))
  chmodSync(folder, 0o711)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

async function installWhenNeeded() {
  const hash = createHash('sha256')
  const patches = readdirSync(join(root, 'patches')).map(name => join('patches', name))
  for (const file of ['bun.lock', 'package.json', ...patches]) hash.update(readFileSync(join(root, file)))
  const wanted = hash.digest('hex')
  if (existsSync(bun) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Installing what is missing (Bun and packages from the npm registry)…')
  const version = devDependencies.bun
  const words = ['install', '--frozen-lockfile']
  const [program, ...first] = existsSync(bun) ? [bun] : ['npx', '--yes', `bun@${version}`]
  // It says much that nobody can use, and where it is to be silent not always why it failed.
  const log = join(makeTemporaryFolder(), 'install.log')
  const status = await start(program, [...first, ...words], openSync(log, 'w'))
  if (received) await end(status)
  if (status !== 0) {
    console.error(readFileSync(log, 'utf8').trim())
    fail('The packages could not be installed. Is the npm registry reachable? Nothing was changed outside this folder.')
  }
  if (!existsSync(bun)) fail('Bun was installed but its program is missing: delete node_modules and try again.')
  writeFileSync(stamp, wanted)
}

function fail(text) {
  console.error(text)
  process.exit(1)
}
