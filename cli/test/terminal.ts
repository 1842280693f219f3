// The program as a person or another program runs it: in a real terminal (a pseudo-terminal with an emulator behind it), or in a pipe.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommand } from '@balcao/simulator/processes'
import { Terminal } from '@xterm/headless'
import { waitUntil } from '../../backend/test/until.ts'

export const SOURCE: readonly string[] = buildCommand('cli/src/main.ts')
const PATIENCE = 30_000

/** Somebody's machine: a folder of its own, an environment with nothing else in it. */
export interface Machine {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Where its sign-ins are kept. */
  readonly profiles: string
  leave(): Promise<void>
}

export async function createMachine(env: Readonly<Record<string, string>> = {}): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-cli-'))
  return {
    folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      LANG: 'pt_BR.UTF-8',
      TZ: 'America/Sao_Paulo',
      ...env,
    },
    profiles: join(folder, 'balcao/profiles.json'),
    leave: () => rm(folder, { recursive: true, force: true }),
  }
}

export interface ProgramOutput {
  readonly out: string
  readonly err: string
  readonly code: number
}

interface PipeOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Another program than the source: the bundle. */
  readonly program?: readonly string[]
}

/** In a pipe: what it said, and how it ended. */
export async function runInPipe(
  machine: Machine,
  words: readonly string[],
  ways: PipeOptions = {},
): Promise<ProgramOutput> {
  const child = startInPipe(machine, words, ways)
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, err, code }
}

export function startInPipe(
  machine: Machine,
  words: readonly string[],
  { env, input = '', program = SOURCE }: PipeOptions = {},
) {
  return Bun.spawn([...program, ...words], {
    cwd: machine.folder,
    env: { ...machine.env, ...env },
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

interface TerminalOptions extends PipeOptions {
  readonly columns?: number
  readonly rows?: number
}

/** In a terminal of so many columns and rows. */
export function runInTerminal(machine: Machine, words: readonly string[], ways: TerminalOptions = {}) {
  const { columns: cols = 80, rows = 40, env, program = SOURCE } = ways
  const screen = new Terminal({ cols, rows, scrollback: 2000, allowProposedApi: true })
  const decoder = new TextDecoder()
  let raw = ''
  let drawn = Promise.resolve()
  const child = Bun.spawn([...program, ...words], {
    cwd: machine.folder,
    env: { ...machine.env, TERM: 'xterm-256color', ...env },
    terminal: {
      cols,
      rows,
      data(_, data) {
        raw += decoder.decode(data, { stream: true })
        drawn = drawn.then(() => new Promise(done => screen.write(new Uint8Array(data), done)))
      },
    },
  })
  const { terminal } = child
  if (!terminal) throw new Error('There is no terminal')
  const rowsOf = () => Array.from({ length: screen.buffer.active.length }, (_, n) => screen.buffer.active.getLine(n))
  const text = () =>
    rowsOf()
      .flatMap(line => line?.translateToString(true) ?? [])
      .join('\n')
      .trimEnd()
  return {
    /** Everything that was written to the terminal, as it came. */
    raw: () => raw,
    /** What a person sees. */
    text,
    /** Whether a line was too long and went on below. */
    overflows: () => rowsOf().some(line => line?.isWrapped),
    screen,
    type: (keys: string) => void terminal.write(keys),
    async until(words: string | RegExp) {
      const isThere = () => (typeof words === 'string' ? text().includes(words) : words.test(text()))
      let isOver = false
      void child.exited.then(() => {
        isOver = true
      })
      try {
        await waitUntil(`the terminal says ${words}`, () => isThere() || isOver, PATIENCE)
        await drawn
        // What was written last may still be on its way.
        await waitUntil(`the terminal says ${words}`, isThere, 5000)
      } catch (error) {
        throw new Error(`${error}\nIt shows:\n${text()}`)
      }
    },
    /** How it ended, once all it wrote is drawn. */
    async ended(): Promise<number> {
      const code = await child.exited
      await Bun.sleep(0)
      await drawn
      return code
    },
    /** Whether keys are echoed, the cursor is seen and what is pasted is not marked, as before. */
    isAsBefore: () =>
      (terminal.localFlags === 0 || (terminal.localFlags & (ECHO | ICANON)) === (ECHO | ICANON)) &&
      raw.lastIndexOf(HIDE) <= raw.lastIndexOf(SHOW) &&
      raw.lastIndexOf('\u001b[?2004h') <= raw.lastIndexOf('\u001b[?2004l'),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    [Symbol.dispose]() {
      child.kill('SIGKILL')
      terminal.close()
    },
  }
}

export type TerminalSession = ReturnType<typeof runInTerminal>

const ECHO = 0o10
const ICANON = 0o2
const HIDE = '\u001b[?25l'
const SHOW = '\u001b[?25h'
export const CTRL_C = '\u0003'
