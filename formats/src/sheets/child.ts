// Reads one sheet in a process of its own, which `read.ts` starts and ends: a file of 300 kB can ask for a gigabyte and never finish, and
// only the end of a process gives that back. Words: the file, the most rows with anything in them, and `headed` where the rows are to
// begin with their headings, wherever these stand. It writes a line of JSON a row as it goes (its number in the sheet, then its texts;
// none for empty rows), and one with a `fault` should it not come to the end.
import { isPasswordError, parseSheet, type ReadRow, TooLargeError } from './parse.ts'

export type SheetReadFault = 'unreadable' | 'password' | 'tooLarge'

/** Characters of all cells together: whoever asked may hold them all. */
const MOST_SAID = 32 * 1024 * 1024
const AT_ONCE = 1000

const [path = '', most = '0', headed] = process.argv.slice(2)
await readFile()

async function readFile(): Promise<void> {
  try {
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer())
    await writeRows(parseSheet(bytes, { rows: Number(most), headed: headed === 'headed' }), Number(most))
  } catch (error) {
    const fault: SheetReadFault =
      error instanceof TooLargeError ? 'tooLarge' : isPasswordError(error) ? 'password' : 'unreadable'
    await Bun.write(Bun.stdout, `${JSON.stringify({ fault })}\n`)
  }
}

async function writeRows(rows: Iterable<ReadRow>, mostRows: number): Promise<void> {
  let [found, reported, lines] = [0, 0, '']
  for (const { row, cells } of rows) {
    reported += cells.reduce((sum, { length }) => sum + length, 0)
    if (reported > MOST_SAID) throw new TooLargeError()
    lines += `${JSON.stringify([row, ...cells])}\n`
    if (++found === mostRows) break
    if (found % AT_ONCE !== 0) continue
    await Bun.write(Bun.stdout, lines)
    lines = ''
  }
  await Bun.write(Bun.stdout, lines)
}
