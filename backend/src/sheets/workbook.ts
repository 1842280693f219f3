// Large workbooks, written by a process of its own (docs/decisions/0225): what customers write never waits for their rows, and its memory
// is given back when it ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Cells } from './xlsx.ts'

export interface Sheet {
  readonly name: string
  /** Taken as they are written, the heading first. */
  readonly rows: AsyncIterable<Cells> | Iterable<Cells>
}

/** What goes to the process, a line of JSON each: the names of all sheets, rows in packs, `null` after each sheet. */
export type Sent = { readonly sheets: readonly string[] } | readonly Cells[] | null

const PACK = 200

/** The bytes of a workbook as they are made. Throws what the rows throw; what came before is then no workbook. */
export async function* workbookOf(sheets: readonly Sheet[]): AsyncGenerator<Uint8Array> {
  const child = spawn(process.execPath, ['--smol', join(import.meta.dir, 'workbook-child.ts')], {
    ...{ cwd: import.meta.dir, stdio: ['pipe', 'pipe', 'ignore'] },
    env: { PATH: process.env.PATH ?? '' },
  })
  const ended = once(child, 'close')
  const fed = pipeline(Readable.from(told(sheets)), child.stdin).then(
    () => null,
    (error: unknown) => {
      child.kill('SIGKILL')
      return { error }
    },
  )
  try {
    yield* child.stdout
    const wrong = await fed
    if (wrong) throw wrong.error
    const [code] = await ended
    if (code !== 0) throw new Error('The workbook was not finished')
  } finally {
    child.kill('SIGKILL')
    await Promise.all([fed, ended.catch(() => {})])
  }
}

async function* told(sheets: readonly Sheet[]): AsyncGenerator<string> {
  const line = (sent: Sent) => `${JSON.stringify(sent)}\n`
  yield line({ sheets: sheets.map(({ name }) => name) })
  for (const { rows } of sheets) {
    let some: Cells[] = []
    for await (const row of rows) {
      some.push(row)
      if (some.length < PACK) continue
      yield line(some)
      some = []
    }
    yield line(some)
    yield line(null)
  }
}
