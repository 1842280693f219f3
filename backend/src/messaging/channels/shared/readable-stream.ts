// A file on its way from a provider: it may take as long as it flows, and is given up when it falls silent.
import { ChannelError } from '../../../platform/channel/driver.ts'

const SILENCE_MS = 60_000

/** Pulled as it is read. `giveUp` ends the source, which does not end by itself when its line broke. */
export function toReadableStream(
  source: AsyncIterable<Uint8Array>,
  giveUp: (error?: ChannelError) => void,
  silenceMs = SILENCE_MS,
): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const timer = setTimeout(() => giveUp(new ChannelError('timeout', 'The file stopped coming')), silenceMs)
      try {
        const next = await chunks.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      } catch (error) {
        controller.error(error)
      } finally {
        clearTimeout(timer)
      }
    },
    cancel() {
      giveUp()
    },
  })
}
