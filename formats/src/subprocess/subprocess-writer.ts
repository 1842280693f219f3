// Long files, written by a process of its own: what customers write never waits for them.

import { dirname } from 'node:path'
import { truncateText } from '@balcao/contract'
import { lowerPriority } from './low-priority.ts'
import { findScript } from './script.ts'

export interface SubprocessLimits {
  readonly signal?: AbortSignal
  /** So long the process may take for one step. */
  readonly patienceMs?: number
  /** Told what the process said when it broke: for the log, never for people. */
  readonly broke?: (message: string) => void
}

type Child = Bun.Subprocess<'pipe', 'pipe', 'pipe'>

const PATIENCE_MS = 60_000

/**
 * The bytes that a script of ours writes in a process of its own, told what to write line by line. They are taken as fast as it works,
 * so memory does not grow with what is written, and only the end of a process gives its memory back. Throws what `told` throws, the reason
 * of the signal, and `fault` when the process broke or took too long: what came before is then nothing.
 */
export async function* writeInSubprocess(
  script: string,
  lines: AsyncIterable<string>,
  limits: SubprocessLimits,
  fault: () => Error,
): AsyncGenerator<Uint8Array> {
  const { signal, patienceMs = PATIENCE_MS } = limits
  signal?.throwIfAborted()
  const child: Child = Bun.spawn([process.execPath, '--smol', findScript(script)], {
    ...{ cwd: dirname(script), stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
    // Nothing of ours: what opens strangers' pictures knows no secrets.
    env: { PATH: process.env.PATH ?? '' },
  })
  lowerPriority(child.pid)
  const kill = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', kill)
  const message = firstSaid(child.stderr)
  let ending: ReturnType<typeof setTimeout> | undefined
  const fed = feed(child, lines, patienceMs).then(
    () => {
      ending = setTimeout(kill, patienceMs)
      return null
    },
    (error: unknown) => {
      kill()
      return { error }
    },
  )
  try {
    yield* child.stdout
    const wrong = await fed
    signal?.throwIfAborted()
    if (wrong) throw wrong.error
    if ((await child.exited) === 0) return
    limits.broke?.(await message)
    throw fault()
  } finally {
    signal?.removeEventListener('abort', kill)
    kill()
    await fed
    clearTimeout(ending)
  }
}

/** Gives the process one line after the other, each when it has taken the one before. One that takes nothing any more ends this too. */
async function feed(child: Child, lines: AsyncIterable<string>, patienceMs: number): Promise<void> {
  const gone = child.exited.then(() => false)
  for await (const sent of lines) {
    const isTaken = take(child, `${sent}\n`)
    const tooLong = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => tooLong.resolve(false), patienceMs)
    const goesOn = await Promise.race([isTaken, gone, tooLong.promise])
    clearTimeout(timer)
    if (!goesOn) return child.kill('SIGKILL')
  }
  await child.stdin.end()
}

/** Whether it could still be told. */
async function take({ stdin }: Child, line: string): Promise<boolean> {
  try {
    await stdin.write(line)
    await stdin.flush()
    return true
  } catch {
    return false
  }
}

const MOST_SAID = 4000

/** The beginning of what it says; the rest is let go by, so that it never waits for us. */
async function firstSaid(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) if (text.length < MOST_SAID) text += decoder.decode(chunk, { stream: true })
  return truncateText(text, MOST_SAID)
}
