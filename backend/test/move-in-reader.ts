// A process that reads a dump of as many bytes as its argument says, made as it is read, and tells what that took.
import { readFileSync, writeFileSync } from 'node:fs'
import { readDump } from '../src/operations/move-in/read/dump.ts'
import { whaticket } from '../src/operations/move-in/sources/whaticket.ts'
import { makeDump } from './move-in-dump.ts'

const most = Number(process.argv[2])
const CHUNK = 65_536
const WARM = 20 * 1024 * 1024
let bytes = 0
let first = 0

/** As a file is read: in pieces of its size. */
async function* makeBytes(): AsyncGenerator<Uint8Array> {
  let text = ''
  // A ticket is about 1,000 bytes with its messages.
  for (const line of makeDump(Math.ceil(most / 800))) {
    text += line
    if (text.length < CHUNK) continue
    const piece = Buffer.from(text)
    bytes += piece.byteLength
    text = ''
    if (first === 0 && bytes > WARM) {
      first = readMemory('VmRSS')
      // The most from here on.
      writeFileSync('/proc/self/clear_refs', '5')
    }
    yield piece
  }
  yield Buffer.from(text)
}

function readMemory(name: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024
}

let rows = 0
for await (const found of readDump(makeBytes(), whaticket))
  for (const row of found.rows) if (whaticket.tables[found.table]?.toRecord(row)) rows++
console.log(JSON.stringify({ bytes, rows, first, most: readMemory('VmHWM') }))
