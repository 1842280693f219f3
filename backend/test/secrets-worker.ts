// A server that begins on a folder at the same moment as others: it waits until all of them are there.
import { ensureSecrets } from '../src/platform/secrets.ts'

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<{ folder: string; all: number; arrived: Int32Array }>) => {
  const { arrived, all } = data
  const before = Atomics.add(arrived, 0, 1)
  if (before === all - 1) Atomics.notify(arrived, 0)
  else for (let count = before + 1; count < all; count = Atomics.load(arrived, 0)) Atomics.wait(arrived, 0, count)
  const { dataKey } = ensureSecrets(data.folder, { dataKey: null })
  self.postMessage(dataKey)
}
