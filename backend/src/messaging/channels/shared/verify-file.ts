// A file as it flows in, compared with what its provider says of it: one that was cut short is not taken for whole.
import { createHash } from 'node:crypto'
import { ChannelError } from '../../../platform/channel/driver.ts'

/** What is known of the bytes; the hash as hex or base64. */
export interface FileFacts {
  readonly size?: number | undefined
  readonly sha256?: string | undefined
}

/** The same bytes; at their end it breaks with `cut_short` where they are not those that were told. */
export function verifyFileStream(
  bytes: ReadableStream<Uint8Array>,
  { size, sha256 }: FileFacts,
): ReadableStream<Uint8Array> {
  const hash = createHash('sha256')
  let count = 0
  const check = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, control) {
      hash.update(chunk)
      count += chunk.byteLength
      control.enqueue(chunk)
    },
    flush(control) {
      const digest = hash.digest()
      const isCounted = size === undefined || size === count
      const isSame =
        sha256 === undefined || sha256 === digest.toString('base64') || sha256.toLowerCase() === digest.toString('hex')
      if (!isCounted || !isSame) control.error(new ChannelError('cut_short', 'The file did not come whole'))
    },
  })
  return bytes.pipeThrough(check)
}
