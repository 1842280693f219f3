// Something that turns while a person waits: on stderr, and only where somebody sees it.
import type { Ending } from './ending.ts'
import { type CommandOutput, canBeSteered } from './out.ts'
import { cut } from './text.ts'

const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']
/** What is quicker is shown by its answer. */
const SLOW_MS = 300
const FRAME_MS = 90
const ERASE = '\r\u001b[2K'

/** `what` may change while it goes on. */
export async function showProgress<T>(
  label: string | (() => string),
  work: Promise<T>,
  out: CommandOutput,
  ending: Ending,
): Promise<T> {
  const { stderr } = process
  if (out.json || !stderr.isTTY || !canBeSteered(process.env)) return work
  let frame = 0
  let isShown = false
  const draw = () => {
    isShown = true
    frame = (frame + 1) % FRAMES.length
    stderr.write(
      `${ERASE}${FRAMES[frame]} ${cut(typeof label === 'string' ? label : label(), (stderr.columns ?? 80) - 3)}`,
    )
  }
  let timer = setTimeout(() => {
    draw()
    timer = setInterval(draw, FRAME_MS)
  }, SLOW_MS)
  const stop = () => {
    clearTimeout(timer)
    if (isShown) stderr.write(ERASE)
    isShown = false
  }
  const forget = ending.onEnd(stop)
  try {
    return await work
  } finally {
    forget()
    stop()
  }
}
