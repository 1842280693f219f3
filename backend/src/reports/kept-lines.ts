// The lines of a report on the disk between being read and being written: totals stand in front of the rows they are of, so both are made
// from the same reading, and no list is ever held.
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { MB } from '@balcao/contract'
import { linesOf } from '../apart/lines.ts'
import { receiveFile } from '../media/folder.ts'

const LARGEST = 4096 * MB

export interface KeptLines<Line> {
  /** How many are kept; the others were only counted. */
  readonly kept: number
  readonly all: number
  lines(): AsyncGenerator<Line>
  remove(): Promise<void>
}

/** Reads all pages, tells each line to `count`, and keeps the first of them. Throws `ERR_NO_SPACE`; then nothing is left of them. */
export async function keepLines<Line>(
  dataDir: string,
  pages: AsyncIterable<readonly Line[]>,
  most: number,
  count: (line: Line) => void,
): Promise<KeptLines<Line>> {
  let [kept, all] = [0, 0]
  async function* bytes() {
    const encoder = new TextEncoder()
    for await (const page of pages) {
      for (const line of page) count(line)
      const some = page.slice(0, Math.max(0, most - kept))
      all += page.length
      kept += some.length
      yield encoder.encode(some.map(line => `${JSON.stringify(line)}\n`).join(''))
    }
  }
  const { path } = await receiveFile(dataDir, bytes(), LARGEST)
  return {
    kept,
    all,
    async *lines() {
      for await (const text of linesOf(createReadStream(path))) {
        const line: Line = JSON.parse(text)
        yield line
      }
    },
    remove: () => rm(path, { force: true }),
  }
}
