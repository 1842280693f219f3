// What a job left, brought to this terminal.
import { expect, test } from 'bun:test'
import { saveResult } from '../src/kit/files.ts'

test('is read no faster than whoever reads stdout takes it', async () => {
  const PARTS = 40
  const desk = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        new ReadableStream({
          async start(controller) {
            for (let part = 0; part < PARTS; part++) {
              controller.enqueue(new Uint8Array(65_536))
              await Bun.sleep(0)
            }
            controller.close()
          },
        }),
      ),
  })
  let [waiting, most, bytes] = [0, 0, 0]
  const out = {
    async pour(part: Uint8Array) {
      most = Math.max(most, ++waiting)
      bytes += part.length
      await Bun.sleep(1)
      waiting--
    },
    raw() {
      most = Number.POSITIVE_INFINITY
    },
  }
  const call = { out, ending: { signal: new AbortController().signal } }
  const target = { path: '-', force: false }
  // Of what a command is given these alone are asked for.
  const where = await saveResult(call as never, { url: desk.url.href } as never, '/report', 'report.pdf', target)
  await desk.stop(true)
  expect([where, bytes, most]).toEqual(['-', PARTS * 65_536, 1])
})
