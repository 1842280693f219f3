// A sheet of fifty thousand contacts comes in while customers write: how long it takes, what they wait, and what the server holds.
import type { Job, JobReference } from '@balcao/contract'
import { renderXlsx } from '@balcao/formats/sheets/xlsx'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { measureGraph } from './latency.ts'
import { computePercentile, waitUntil, watchMost } from './measure.ts'

const MB = 1024 * 1024

export const contactImport: Benchmark = {
  name: 'contact-import',
  about: 'a sheet of 50,000 contacts is imported while customers write at a steady rate over Graph webhooks',
  async run(options) {
    const rows = readNumberOption(options, 'rows', 50_000)
    const quiet = await withDesk({ cloud: 4, baileys: 0 }, desk => measureGraph(desk, options))
    const { times, seconds, peak, before } = await withDesk({ cloud: 4, baileys: 0 }, async desk => {
      const sheet = await makeSheet(rows)
      const held = watchMost(() => desk.memory())
      let import_: Promise<number> | undefined
      const before = await desk.memory()
      const inbound = await measureGraph(desk, options, () => {
        import_ = measureImport(desk, sheet, rows)
      })
      const seconds = (await import_) ?? Number.NaN
      return { times: inbound, seconds, peak: held.stop(), before }
    })
    const figures: Figure[] = [
      { label: `${rows.toLocaleString('en-US')} rows imported`, value: seconds, unit: 's', aim: 60 },
      {
        ...{
          label: 'Graph webhook to socket meanwhile, p99',
          value: computePercentile(times, 0.99),
          unit: 'ms',
          aim: 150,
        },
        reference: { label: 'without an import', value: computePercentile(quiet, 0.99) },
      },
      {
        ...{ label: 'most memory of the server meanwhile', value: peak / MB, unit: 'MB', aim: 400 },
        reference: { label: 'before', value: before / MB },
      },
    ]
    return figures
  },
}

async function makeSheet(rows: number): Promise<File> {
  function* lines() {
    yield ['nome', 'numero', 'email', 'tags', 'resposta_automatica']
    for (let n = 0; n < rows; n++)
      yield [
        `Cliente da planilha ${n}`,
        `31 ${98_000_000 + n}`,
        `cliente${n}@planilha.example`,
        n % 3 ? 'VIP' : 'Atacado; VIP',
        'sim',
      ]
  }
  return new File(
    [new Blob(await Array.fromAsync(renderXlsx(lines()), chunk => new Uint8Array(chunk)))],
    'contatos.xlsx',
  )
}

/** From the call to the end of its job, in seconds. */
async function measureImport(desk: BenchDesk, sheet: File, rows: number): Promise<number> {
  const begun = performance.now()
  const form = new FormData()
  form.set('medias', sheet)
  const { jobId }: JobReference = await (await desk.call('POST', '/contacts/import', form)).json()
  const job = async (): Promise<Job> => (await desk.call('GET', `/jobs/${jobId}`)).json()
  await waitUntil(async () => (await job()).endedAt !== null, 300, 'the import has ended')
  const { state, result } = await job()
  if (state !== 'done' || result?.counts.created !== rows) throw new Error(`The import ended ${state}`)
  return (performance.now() - begun) / 1000
}
