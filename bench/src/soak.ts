// The promise of the product under load: nothing is lost and nothing comes twice, whatever breaks. Messages both ways over connections of
// all kinds, with repeats, reordering, cut lines and a server that is killed again and again; then everything is counted.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { silenceSignal } from '@balcao/backend/messaging/channels/baileys/library-logger'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { waitUntil } from './measure.ts'
import { countAll, listenToPhones, type SoakCount } from './soak-count.ts'
import { openLedger } from './soak-ledger.ts'
import { answerAll, askAll, makeCustomers, openTickets, type Progress } from './soak-load.ts'

export const soak: Benchmark = {
  name: 'soak',
  about:
    'messages both ways with repeats, reordering, cut lines and kills: lost 0, doubled 0 (--browsers, --gateways: also over those)',
  onlyByName: true,
  async run(options) {
    const sizes = {
      inbound: readNumberOption(options, 'inbound', 100_000),
      outbound: readNumberOption(options, 'outbound', 10_000),
      kills: readNumberOption(options, 'kills', 20),
      customers: readNumberOption(options, 'customers', 200),
      lines: readNumberOption(options, 'lines', 4),
      browsers: readNumberOption(options, 'browsers', 0),
      gateways: readNumberOption(options, 'gateways', 0),
    }
    silenceSignal()
    return toFigures(await runSoak(sizes, line => console.log(`  ${line}`)), sizes)
  },
}

export interface SoakSizes {
  readonly inbound: number
  readonly outbound: number
  readonly kills: number
  /** People on each of the two channels. */
  readonly customers: number
  /** Connections of each of the kinds `baileys` and `cloud_api`. */
  readonly lines: number
  /** Of the kind `wwebjs`, each with a browser, and `meow`; none unless given. */
  readonly browsers?: number
  readonly gateways?: number
}

/** Nothing moved for so long: what is missing then is lost. A gateway's lost webhook is made good for after two minutes. */
const STALLED_S = 150

/** Runs a soak and counts. `say` hears how it goes. */
export function runSoak(sizes: SoakSizes, say: (line: string) => void = () => {}): Promise<SoakCount> {
  const trouble = { repeat: 0.03, reorder: 0.03, drop: 0.005 }
  const { lines, browsers = 0, gateways = 0 } = sizes
  const whatsapp = { ackDelayMs: 20 }
  return withDesk({ cloud: lines, baileys: lines, wwebjs: browsers, meow: gateways, whatsapp }, async desk => {
    const start = performance.now()
    const phones = listenToPhones(desk)
    const ledger = openLedger(desk)
    const people = makeCustomers(desk, sizes.customers)
    await openTickets(desk, people)
    Object.assign(desk.simulator.whatsapp.knobs, trouble)
    const progress: Progress = { requests: 0, answered: 0 }
    const seconds = () => Math.round((performance.now() - start) / 1000)
    const reporting = setInterval(
      () =>
        say(`${seconds()} s: ${progress.requests} in, ${progress.answered} out, ${phones.shown.size} on the phones`),
      15_000,
    )
    const over = { now: false }
    const breaking = breakThings(desk, sizes, progress, over, event => {
      ledger.note(event)
      say(event)
    })
    try {
      await Promise.all([
        askAll(desk, people, sizes.inbound, progress),
        answerAll(desk, people, sizes.outbound, progress),
      ])
      over.now = true
      await breaking
      Object.assign(desk.simulator.whatsapp.knobs, { repeat: 0, reorder: 0, drop: 0 })
      await waitForEverything(desk, sizes, phones.shown)
    } finally {
      over.now = true
      clearInterval(reporting)
      phones.stop()
      ledger.stop()
      await breaking.catch(() => {})
    }
    for (const story of await ledger.stories(desk)) say(story)
    return { ...(await countAll(desk, sizes, phones.shown)), seconds: seconds() }
  })
}

/** Kills the server evenly over the run; between the kills lines are cut and webhooks repeated and reordered. */
async function breakThings(
  desk: BenchDesk,
  { inbound, outbound, kills }: SoakSizes,
  progress: Progress,
  over: { readonly now: boolean },
  say: (line: string) => void,
): Promise<void> {
  const codes = [408, 428, 500, 503, 515]
  for (let step = 1; step <= kills * 2; step++) {
    const share = step / (kills * 2 + 1)
    while (!over.now && progress.requests + progress.answered < (inbound + outbound) * share) await Bun.sleep(20)
    for (const lane of listLanes(desk)) {
      lane.repeat += 20
      lane.reorder(3)
    }
    if (step % 2 === 1) {
      const code = codes[step % codes.length] ?? 428
      say(`lines cut with ${code}`)
      await cutLines(desk, code)
    } else {
      say('killing')
      await desk.killAndRestart()
      say(`killed ${step / 2} of ${kills}`)
    }
    for (const lane of listLanes(desk)) lane.release()
  }
}

/** Where webhooks wait to be posted. */
function listLanes({ cloud, phones }: BenchDesk) {
  const gateways = phones.flatMap(({ company }) => company.gateways.map(({ lane }) => lane))
  return [...cloud.map(({ business }) => business.lane), ...gateways]
}

/** Every phone's line goes, in the way of its kind: told by the server, the gateway's device off, the browser killed. */
async function cutLines({ simulator, phones, dataDir }: BenchDesk, code: number): Promise<void> {
  for (const { kind, company, whatsappId } of phones) {
    if (kind === 'baileys') simulator.whatsapp.disconnect(company, code)
    for (const device of company.gateways) device.online = false
    if (kind !== 'wwebjs') continue
    const run = await readFile(join(dataDir, 'wwebjs', String(whatsappId), 'run.json'), 'utf8').catch(() => '{}')
    const { browser }: { browser?: number } = JSON.parse(run)
    if (browser !== undefined) endBrowser(browser)
  }
}

/** It may be gone already. */
function endBrowser(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

/** Waits until all is counted, or nothing moves any more. What the server dropped on a line comes at its next login. */
async function waitForEverything(desk: BenchDesk, sizes: SoakSizes, shown: ReadonlyMap<string, number>): Promise<void> {
  let moved = performance.now()
  let before = ''
  let nudged = 0
  await waitUntil(
    async () => {
      const { lostIn, lostOut, waiting } = await countAll(desk, sizes, shown)
      const now = `${lostIn} ${lostOut} ${waiting} ${shown.size}`
      if (now !== before) moved = performance.now()
      before = now
      if (lostIn === 0 && lostOut === 0 && waiting === 0) return true
      const still = performance.now() - moved
      if (still > 5000 && nudged < 3) {
        nudged++
        moved = performance.now()
        await cutLines(desk, 428)
      }
      await Bun.sleep(200)
      return still > STALLED_S * 1000
    },
    3600,
    'everything is through',
  )
}

function toFigures(counted: SoakCount, { inbound, outbound, kills }: SoakSizes): Figure[] {
  const of = (label: string, n: number) => ({ reference: { label, value: n, unit: '' } })
  const none = (label: string, value: number): Figure => ({ label, value, unit: '', aim: 0 })
  return [
    { label: 'messages taken in', value: counted.stored, unit: '', ...of('sent by customers', inbound) },
    none('lost on the way in', counted.lostIn),
    none('doubled on the way in', counted.doubledIn),
    none('people or live tickets doubled', counted.doubledPeople),
    none('events our code could not digest', counted.undigested),
    { label: 'messages on the phones', value: counted.shown, unit: '', ...of('sent by the agent', outbound) },
    none('lost on the way out', counted.lostOut),
    none('doubled on the way out', counted.doubledOut),
    { label: 'left to a person (state unknown) and not on the phone', value: counted.unknown, unit: '' },
    none('still waiting to be sent', counted.waiting),
    { label: 'messages a second, both ways', value: (inbound + outbound) / counted.seconds, unit: '/s' },
    { label: `duration with ${kills} kills`, value: counted.seconds, unit: 's' },
  ]
}
