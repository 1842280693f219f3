// The lines of a report on the disk between being read and being written: totals stand in front of the rows they are of, so both are made
// from the same reading, and no list is ever held. On the disk they are packs as they go to the process that writes them.
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { MB } from '@balcao/contract'
import { splitLines } from '@balcao/formats/subprocess/lines'
import { receiveFile } from '../../desk/media/folder.ts'

const LARGEST = 4096 * MB
/** Lines of one pack. */
const PACK = 500

export interface SpooledLines {
  /** How many are kept; the others were only counted. */
  readonly shownCount: number
  readonly all: number
  /** Lists of lines as JSON, each with how many lines it and those before it have. */
  packs(): AsyncGenerator<{ readonly pack: string; readonly done: number }>
  remove(): Promise<void>
}

/** Reads all pages, tells each line to `count`, and keeps the first of them. Throws `ERR_NO_SPACE`; then nothing is left of them. */
export async function spoolLines<Line>(
  dataDir: string,
  pages: AsyncIterable<readonly Line[]>,
  most: number,
  count: (line: Line) => void,
): Promise<SpooledLines> {
  let [kept, all] = [0, 0]
  /** After each pack. */
  const done: number[] = []
  async function* bytes() {
    const encoder = new TextEncoder()
    for await (const page of pages) {
      for (const line of page) count(line)
      const some = page.slice(0, Math.max(0, most - kept))
      all += page.length
      for (let at = 0; at < some.length; at += PACK) {
        const pack = some.slice(at, at + PACK)
        kept += pack.length
        done.push(kept)
        yield encoder.encode(`${JSON.stringify(pack)}\n`)
      }
    }
  }
  const { path } = await receiveFile(dataDir, bytes(), LARGEST)
  return {
    shownCount: kept,
    all,
    async *packs() {
      let nth = 0
      for await (const pack of splitLines(createReadStream(path))) yield { pack, done: done[nth++] ?? kept }
    },
    remove: () => rm(path, { force: true }),
  }
}
