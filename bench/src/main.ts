// `npm run bench`: every benchmark, or those that are named, with the machine and a table for each.
import { version } from '../../package.json'
import { adminPages } from './admin-pages.ts'
import { backup } from './backup.ts'
import { type Benchmark, describeBenchmark, type Figure, isMet } from './benchmark.ts'
import { chaos } from './chaos.ts'
import { contactImport } from './contact-import.ts'
import { contacts } from './contacts.ts'
import { dashboard } from './dashboard.ts'
import { documents } from './documents.ts'
import { getEngineUrl, stopEngine } from './engine.ts'
import { failover } from './failover.ts'
import { fanOut } from './fan-out.ts'
import { firstLoad } from './first-load.ts'
import { inboxRate } from './inbox-rate.ts'
import { inboxRules } from './inbox-rules.ts'
import { latency } from './latency.ts'
import { lists } from './lists.ts'
import { liveStorm } from './live-storm.ts'
import { describeMachine, formatMachine } from './machine.ts'
import { moveIn } from './move-in.ts'
import { openings } from './openings.ts'
import { renderReleaseSection, replaceSection } from './release.ts'
import { type BenchReport, renderTable } from './report.ts'
import { reports } from './reports.ts'
import { requestParts } from './request-parts.ts'
import { requests } from './requests.ts'
import { rollingRestart } from './rolling-restart.ts'
import { search } from './search.ts'
import { sends } from './sends.ts'
import { size } from './size.ts'
import { soak } from './soak.ts'
import { start } from './start.ts'
import { steady } from './steady.ts'
import { tenMillion } from './ten-million.ts'
import { webhookRate } from './webhook-rate.ts'
import { webhooksOut } from './webhooks-out.ts'
import { workday } from './workday.ts'
import { workhours } from './workhours.ts'

const ALL: readonly Benchmark[] = [
  firstLoad,
  start,
  inboxRate,
  inboxRules,
  webhookRate,
  moveIn,
  webhooksOut,
  requests,
  requestParts,
  lists,
  search,
  tenMillion,
  size,
  adminPages,
  contacts,
  dashboard,
  fanOut,
  latency,
  contactImport,
  reports,
  documents,
  sends,
  backup,
  workday,
  openings,
  soak,
  steady,
  workhours,
  liveStorm,
  chaos,
  failover,
  rollingRestart,
]
/** Options that stand alone. */
const FLAGS = new Set(['--release', '--help', '--busy'])
/** Run for a release although they are long. */
const FOR_A_RELEASE = new Set(['chaos', 'failover', 'rolling-restart'])
const PAGE = `${import.meta.dir}/../../docs/benchmarks.md`
const words = process.argv.slice(2)
const options: Record<string, string> = {}
const names: string[] = []
for (let at = 0; at < words.length; at++) {
  const word = words[at] ?? ''
  if (!word.startsWith('--')) names.push(word)
  else if (FLAGS.has(word)) options[word.slice(2)] = 'yes'
  else if (word.includes('=')) options[word.slice(2, word.indexOf('='))] = word.slice(word.indexOf('=') + 1)
  else options[word.slice(2)] = words[++at] ?? ''
}
if (options.help !== undefined || names.some(name => !ALL.some(each => each.name === name))) printUsage()

const isChosen = ({ name, onlyByName }: Benchmark) =>
  names.length > 0 ? names.includes(name) : !onlyByName || (options.release !== undefined && FOR_A_RELEASE.has(name))
const chosen = ALL.filter(isChosen)
const machine = await describeMachine(await getEngineUrl())
console.log(formatMachine(machine))
const results: { name: string; figures: Figure[]; error?: string }[] = []
for (const each of chosen) {
  console.log(`\n${each.name} — ${describeBenchmark(each, options)}`)
  try {
    const figures = await each.run(options)
    results.push({ name: each.name, figures })
    console.log(renderTable(figures))
  } catch (error) {
    results.push({ name: each.name, figures: [], error: error instanceof Error ? error.message : String(error) })
    console.error(error)
  }
}
await stopEngine()
const report: BenchReport = { machine, results }
if (options.release) {
  const left = ALL.filter(each => !chosen.includes(each)).map(({ name }) => name)
  await Bun.write(PAGE, replaceSection(await Bun.file(PAGE).text(), renderReleaseSection(version, report, left)))
}
if (options.json) await Bun.write(options.json, `${JSON.stringify(report, null, 2)}\n`)

const figures = results.flatMap(result => result.figures)
const missed = figures.filter(figure => isMet(figure) === false)
const broken = results.filter(result => result.error !== undefined)
console.log(
  `\n${figures.filter(figure => isMet(figure)).length} aims met, ${missed.length} missed, ${broken.length} benchmarks failed`,
)
process.exit(broken.length > 0 ? 1 : 0)

function printUsage(): never {
  console.log('npm run bench -- [name…] [--json file] [--release] [--option=value…]')
  console.log('--release writes the figures of this version into docs/benchmarks.md\n')
  for (const each of ALL)
    console.log(
      `  ${each.name.padEnd(12)} ${describeBenchmark(each, {})}${each.onlyByName ? ' (only when named)' : ''}`,
    )
  process.exit(2)
}
