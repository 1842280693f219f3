// Documents as PDF: how long two hundred pages take, what the process that draws them holds at the most, and whether who asked goes on meanwhile.
import { readdir, readFile } from 'node:fs/promises'
import type { DocumentBlock, DocumentHead, Row } from '@balcao/formats/pdf/document'
import { renderPdf } from '@balcao/formats/pdf/write'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { computePercentile } from './measure.ts'

const PAGE_ROWS = 28
const TICK_MS = 10

export const documents: Benchmark = {
  name: 'documents',
  about: 'tables of ten cells a row are drawn as tagged PDF by a process of their own',
  async run(options) {
    const pages = readNumberOption(options, 'pages', 200)
    await measureDrawing(PAGE_ROWS)
    const [one, all] = [await measureDrawing(PAGE_ROWS), await measureDrawing(pages * PAGE_ROWS)]
    return [
      {
        ...{ label: `${pages} pages`, value: all.seconds, unit: 's', aim: 20 },
        reference: { label: 'one page', value: one.seconds },
      },
      {
        ...{ label: 'most memory of the process that draws', value: all.heldMb, unit: 'MB', aim: 150 },
        reference: { label: 'for one page', value: one.heldMb },
      },
      {
        ...{ label: 'who asked is late, p99', value: computePercentile(all.late, 0.99), unit: 'ms' },
        reference: { label: 'with nothing to do', value: computePercentile(await measureIdle(), 0.99) },
      },
      { label: 'its file', value: all.bytes / 2 ** 20, unit: 'MB' },
    ] satisfies Figure[]
  },
}

async function measureDrawing(rows: number) {
  const begun = performance.now()
  const ticks = watchLateness()
  let heldMb = 0
  const looks = setInterval(() => {
    void readMostHeld().then(mb => {
      heldMb = Math.max(heldMb, mb)
    })
  }, 100)
  let bytes = 0
  for await (const chunk of renderPdf({ head: HEAD, blocks: [makeTable(rows)] })) bytes += chunk.length
  const late = ticks.stop()
  clearInterval(looks)
  return { seconds: (performance.now() - begun) / 1000, heldMb, late, bytes }
}

async function measureIdle(): Promise<number[]> {
  const ticks = watchLateness()
  await Bun.sleep(3000)
  return ticks.stop()
}

/** How late each tick of a clock comes. */
function watchLateness() {
  const late: number[] = []
  let due = performance.now() + TICK_MS
  const timer = setInterval(() => {
    late.push(Math.max(0, performance.now() - due))
    due = performance.now() + TICK_MS
  }, TICK_MS)
  return {
    stop() {
      clearInterval(timer)
      return late
    },
  }
}

/** The most that any child of this process has held, where the system tells (Linux). */
async function readMostHeld(): Promise<number> {
  let most = 0
  for (const task of await readdir(`/proc/${process.pid}/task`).catch(() => [])) {
    const children = await readFile(`/proc/${process.pid}/task/${task}/children`, 'utf8').catch(() => '')
    for (const child of children.split(' ').filter(Boolean)) {
      const [status, words] = await Promise.all(
        ['status', 'cmdline'].map(entry => readFile(`/proc/${child}/${entry}`, 'utf8').catch(() => '')),
      )
      if (words?.includes('formats/src/pdf/child.ts'))
        most = Math.max(most, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status ?? '')?.[1] ?? 0) / 1024)
    }
  }
  return most
}

const HEAD: DocumentHead = {
  ...{ language: 'pt', title: 'Relatório de atendimentos', company: { name: 'Distribuidora São José' } },
  ...{ made: [], filters: [], foot: { left: 'Relatório de atendimentos' } },
}

function makeTable(rows: number): DocumentBlock {
  const columns = [5, 8, 5, 6, 5, 4, 4, 4, 4, 3].map(weight => ({ head: 'Coluna', under: 'segunda', weight }))
  function* all(): Generator<Row> {
    for (let n = 0; n < rows; n++)
      yield [
        ...[String(n), { text: `Cliente ${n} 😀`, under: `+55 31 9${80_000_000 + n}`, strong: true }],
        ...[
          { text: 'Comercial', under: 'Rafael', color: '#2e9e6b' },
          { text: 'Encerrado', under: 'Atacado' },
        ],
        ...['24/11 14:26', '14:29', '15:02', '00:03:33', '00:07:07', '5'],
      ]
  }
  return { kind: 'table', columns, rows: all() }
}
