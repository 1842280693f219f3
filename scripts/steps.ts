// Runs named steps one after the other and says how each went.
import { constants } from 'node:os'

/**
 * Where a program's words go: on at once; on at once, all of them to stderr, where stdout is for something else; held back until it ends, for steps that run beside others; on at once and kept, for who
 * looks at them when it failed; or only kept.
 */
export type Output = 'inherit' | 'stderr' | 'held' | 'kept' | 'silent'

export interface Step {
  readonly name: string
  readonly run: (output: Output) => Promise<void>
}

/** Runs steps in order; the first that throws ends it with `StepFailed`. */
export async function runSteps(steps: readonly Step[], output: Output = 'inherit'): Promise<void> {
  for (const step of steps) {
    const start = performance.now()
    if (output === 'inherit') console.log(`\n── ${step.name}`)
    try {
      await step.run(output)
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      console.error(`── ${step.name}: failed`)
      throw new StepFailed(step.name)
    }
    console.log(`── ${step.name}: ok (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  }
}

export class StepFailed extends Error {
  constructor(step: string) {
    super(`The step "${step}" failed.`)
    this.name = 'StepFailed'
  }
}

/** A program that ended with something else than 0; with its last words, if they were kept. */
export class ProgramFailed extends Error {
  constructor(
    command: readonly string[],
    code: number,
    readonly output: string,
  ) {
    super(`${command.slice(0, 3).join(' ')} ended with ${code}`)
    this.name = 'ProgramFailed'
  }
}

const running = new Set<Bun.Subprocess>()
let interruption: NodeJS.Signals | undefined

/**
 * From now on a signal ends the programs that run and lets none begin, so that whoever waits for one cleans up. Answers what to ask
 * for the exit status then: 128 + the signal's number, or undefined.
 */
export function endProgramsOnSignal(): () => number | undefined {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      interruption = signal
      for (const child of running) child.kill(signal)
    })
  return () => interruption && 128 + constants.signals[interruption]
}

interface RunOptions {
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly output?: Output
  /** Milliseconds without a word after which the program is interrupted; needs an output that is read here. */
  readonly silence?: number
}

/** Runs a program; throws `ProgramFailed` when it does not end with 0. */
export async function run(
  command: readonly string[],
  { env, cwd, output = 'inherit', silence }: RunOptions = {},
): Promise<void> {
  if (interruption) throw new ProgramFailed(command, 128 + constants.signals[interruption], '')
  const words = output === 'inherit' || output === 'stderr' ? 'inherit' : 'pipe'
  const child = Bun.spawn([...command], {
    cwd: cwd ?? `${import.meta.dir}/..`,
    env: { ...process.env, ...env },
    stdio: ['ignore', output === 'stderr' ? process.stderr.fd : words, words],
  })
  running.add(child)
  void child.exited.then(() => running.delete(child))
  const noteWord = silence === undefined ? undefined : watchSilence(child, silence)
  const listening = Promise.all(
    [child.stdout, child.stderr].map(stream =>
      // One that leads on at once is none.
      listen(stream instanceof ReadableStream ? stream : undefined, piece => {
        noteWord?.()
        if (output === 'kept') process.stdout.write(piece)
      }),
    ),
  )
  // What an interrupted program started may hold its streams open.
  const answer = await Promise.race([listening, child.exited.then(() => (interruption ? [] : listening))])
  if (output === 'held') process.stdout.write(answer.join(''))
  const code = await child.exited
  if (code !== 0) throw new ProgramFailed(command, code, answer.join(''))
}

async function listen(
  stream: ReadableStream<Uint8Array> | undefined,
  take: (piece: Uint8Array) => void,
): Promise<string> {
  const decoder = new TextDecoder()
  let output = ''
  for await (const piece of stream ?? []) {
    take(piece)
    output += decoder.decode(piece, { stream: true })
  }
  return output
}

/** What an interrupt does not end within this time is killed. */
const INTERRUPT_MS = 10_000

/** Ends a program that says nothing for so long; answers what to call at each word. */
function watchSilence(child: Bun.Subprocess, silence: number): () => void {
  let heard = performance.now()
  const timer = setInterval(() => {
    const quiet = performance.now() - heard
    if (quiet > silence) child.kill(quiet > silence + INTERRUPT_MS ? 'SIGKILL' : 'SIGINT')
  }, 1000)
  void child.exited.then(() => clearInterval(timer))
  return () => {
    heard = performance.now()
  }
}
