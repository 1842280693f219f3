// Sends a dump in parts: a line that breaks is waited for, and what has come is not sent again.
import type { MoveIn } from '@balcao/contract'
import { MOVE_IN_PART } from '@balcao/contract/move-in/move-in'
import { isApiError, upload } from '@balcao/ui/api'

interface SendDumpOptions {
  readonly signal: AbortSignal
  /** How many bytes are there. */
  readonly onProgress: (received: number) => void
  /** How a part goes out. */
  readonly sendPart?: (id: number, at: number, part: Blob, onPart: (share: number) => void) => Promise<number>
  readonly pause?: (ms: number) => Promise<void>
}

const TRIES = 8
const PAUSE_MS = 2000

/** Until all of the file is there. Throws what the server refuses it for, and when the line stays away. */
export async function sendDump(file: File, { id, dump }: MoveIn, options: SendDumpOptions): Promise<void> {
  const { signal, onProgress, pause = wait, sendPart = (...part) => putPart(...part, signal) } = options
  let at = dump?.received ?? 0
  for (let tries = 0, furthest = at; at < file.size; ) {
    signal.throwIfAborted()
    const part = file.slice(at, at + MOVE_IN_PART)
    const begun = at
    try {
      at = await sendPart(id, begun, part, share => onProgress(begun + share * part.size))
      onProgress(at)
      // Servers that do not share their disk answer in turns that they are behind.
      if (at > furthest) tries = 0
      else if (++tries > TRIES) throw new Error('The dump does not get further')
      furthest = Math.max(furthest, at)
    } catch (error) {
      if (signal.aborted || !isApiError(error, 'OFFLINE') || ++tries > TRIES) throw error
      await pause(PAUSE_MS * tries)
    }
  }
}

async function putPart(
  id: number,
  at: number,
  part: Blob,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const call = { params: { id }, query: { at }, body: part, onProgress, signal }
  return (await upload('PUT /move-in/:id/dump', call)).received
}

function wait(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
