// A dump of gigabytes is read with the memory of a small one (docs/decisions/0319).
import { expect, test } from 'bun:test'
import { join } from 'node:path'

const MB = 1024 * 1024
/** Two thousand were read in the same way, by hand; as many take minutes. */
const SIZE = 400
/** What the first 20 MB need is there by then. 48 were measured, at a heap that is collected now and then; what kept the dump would take all of it. */
const MORE = SIZE / 4

test(`${SIZE} MB of a dump take no more than ${MORE} MB above the first twenty`, async () => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'move-in-reader.ts'), String(SIZE * MB)], {
    stderr: 'inherit',
  })
  const { bytes, rows, first, most } = JSON.parse(await new Response(child.stdout).text())
  expect(bytes).toBeGreaterThanOrEqual(SIZE * MB)
  // Five of six rows are messages, a little below 200 bytes each.
  expect(rows).toBeGreaterThan(bytes / 200)
  expect((most - first) / MB).toBeLessThan(MORE)
}, 600_000)
