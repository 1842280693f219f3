// Documents as PDF, drawn by a process of its own: two hundred pages are seconds of work, and only the end of a process gives their memory
// back (docs/decisions/0222).
import { join } from 'node:path'
import { AppError } from '../http/errors.ts'
import type { PdfDocument } from './document.ts'
import { sentOf } from './wire.ts'

export interface PdfLimits {
  readonly signal?: AbortSignal
  /** So long the process may take for one step. */
  readonly patienceMs?: number
  /** Told what the process said when it broke: for the log, never for people. */
  readonly broke?: (said: string) => void
}

type Child = Bun.Subprocess<'pipe', 'pipe', 'pipe'>

const PATIENCE_MS = 60_000

/**
 * The bytes of a document as they are drawn. Blocks are taken as fast as they are drawn, so memory does not grow with the document.
 * Throws what `blocks` throws, the reason of the signal, and `ERR_PDF` when the process broke: what came before is then no document.
 */
export async function* pdfOf(document: PdfDocument, limits: PdfLimits = {}): AsyncGenerator<Uint8Array> {
  const { signal, patienceMs = PATIENCE_MS } = limits
  signal?.throwIfAborted()
  const child: Child = Bun.spawn([process.execPath, '--smol', join(import.meta.dir, 'child.ts')], {
    ...{ cwd: import.meta.dir, stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
    // Nothing of ours: what opens strangers' pictures knows no secrets.
    env: { PATH: process.env.PATH ?? '' },
  })
  const kill = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', kill)
  const said = firstSaid(child.stderr)
  let ending: ReturnType<typeof setTimeout> | undefined
  const fed = feed(child, document, patienceMs).then(
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
    limits.broke?.(await said)
    throw new AppError('ERR_PDF')
  } finally {
    signal?.removeEventListener('abort', kill)
    kill()
    await fed
    clearTimeout(ending)
  }
}

/** Gives the process one line after the other, each when it has taken the one before. One that takes nothing any more ends this too. */
async function feed(child: Child, document: PdfDocument, patienceMs: number): Promise<void> {
  const gone = child.exited.then(() => false)
  for await (const sent of sentOf(document)) {
    const isTaken = take(child, `${JSON.stringify(sent)}\n`)
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
  return text.slice(0, MOST_SAID)
}
