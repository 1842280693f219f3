// A file that was cut short on its way is never shown as whole.

import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { verifyFileStream } from '../../src/messaging/channels/shared/verify-file.ts'

const bytes = Buffer.from('uma nota fiscal inteira')
const digest = createHash('sha256').update(bytes)
const [hex, base64] = [digest.copy().digest('hex'), digest.copy().digest('base64')]

const read = (bytes: Uint8Array, facts: Parameters<typeof verifyFileStream>[1]) =>
  new Response(verifyFileStream(new Blob([new Uint8Array(bytes)]).stream(), facts)).bytes()

describe('a file as it flows in', () => {
  test.each([{}, { size: bytes.length }, { sha256: hex }, { sha256: base64 }, { sha256: hex.toUpperCase() }])(
    'is taken where it is what was told of it: %o',
    async facts => expect(Buffer.from(await read(bytes, facts))).toEqual(bytes),
  )

  test.each([{ size: bytes.length }, { sha256: hex }, { sha256: base64 }])(
    'breaks where its end is missing or other: %o',
    async facts => {
      await expect(read(bytes.subarray(0, 9), facts)).rejects.toMatchObject({ code: 'cut_short' })
      if ('sha256' in facts) await expect(read(bytes.toReversed(), facts)).rejects.toMatchObject({ code: 'cut_short' })
    },
  )

  test('is not read ahead of who takes it', async () => {
    let pulled = 0
    const source = new ReadableStream<Uint8Array>(
      {
        pull(control) {
          pulled++
          control.enqueue(new Uint8Array(1024))
        },
      },
      { highWaterMark: 0 },
    )
    const reader = verifyFileStream(source, { size: 1 }).getReader()
    await reader.read()
    await reader.cancel()
    expect(pulled).toBeLessThan(5)
  })
})
