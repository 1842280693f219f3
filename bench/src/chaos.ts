// What the desk promises while its database and its disk break: what was answered is stored, sockets hear all of it, no process ends, no answer is
// an error of ours, `/ready` says the truth, and everything is whole within five seconds of the database's return.
import type { Benchmark, Figure } from './benchmark.ts'
import { readNumberOption } from './benchmark.ts'
import { type ChaosDesk, isReady, withChaosDesk } from './chaos-desk.ts'
import { FAULTS, type Fault } from './chaos-faults.ts'
import { runOnServer } from './engine.ts'
import { waitUntil } from './measure.ts'

export const chaos: Benchmark = {
  name: 'chaos',
  about:
    'two servers under load while their database and their disk break in every way: answered = stored, sockets heard all',
  onlyByName: true,
  async run(options) {
    const outcome = await runChaos({ holdS: readNumberOption(options, 'hold', 8), patienceS: 60 }, console.log)
    const counts = { lost: outcome.lost, doubled: outcome.doubled, unheard: outcome.unheard, wrong: outcome.wrong }
    return [
      ...outcome.whole.map(
        ({ fault, seconds }): Figure => ({ label: `whole after: ${fault}`, value: seconds, unit: 's', aim: 5 }),
      ),
      { label: 'answered', value: outcome.answered, unit: '' },
      ...Object.entries(counts).map(([label, { length }]): Figure => ({ label, value: length, unit: '', aim: 0 })),
    ]
  },
}

export interface ChaosOutcome {
  readonly answered: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly unheard: readonly string[]
  readonly wrong: readonly string[]
  readonly whole: readonly { readonly fault: string; readonly seconds: number }[]
}

/** Every fault in turn, held for `holdS` seconds where it lasts; whole within `patienceS` or it throws. */
export function runChaos(
  { holdS, patienceS }: { readonly holdS: number; readonly patienceS: number },
  say: (line: string) => void = () => {},
): Promise<ChaosOutcome> {
  return withChaosDesk(async desk => {
    await desk.untilWhole(patienceS)
    const whole: { fault: string; seconds: number }[] = []
    for (const fault of FAULTS) {
      const seconds = await suffer(desk, fault, holdS, patienceS)
      whole.push({ fault: fault.name, seconds })
      say(`  ${fault.name}: whole after ${seconds.toFixed(1)} s, ${desk.answered.size} answered so far`)
    }
    return { ...(await countChaos(desk, patienceS)), whole }
  })
}

/** Ends the load; then what was answered is looked for in the database and on every socket. */
export async function countChaos(desk: ChaosDesk, patienceS: number): Promise<Omit<ChaosOutcome, 'whole'>> {
  await desk.quiet()
  const answered = [...desk.answered]
  const rows = await desk.sql<{ body: string; n: number }[]>`
    select body, count(*)::int as n from message where body = any(${answered}) group by body`
  const stored = new Map(rows.map(({ body, n }) => [body, n]))
  const unheard = () => answered.filter(body => !desk.ears.every(ear => ear.heard(body)))
  await waitUntil(() => unheard().length === 0, patienceS, 'sockets hear the rest').catch(() => {})
  return {
    answered: answered.length,
    lost: answered.filter(body => !stored.has(body)),
    doubled: answered.filter(body => (stored.get(body) ?? 0) > 1),
    unheard: unheard(),
    wrong: [...desk.wrong, ...desk.ears.flatMap(ear => (ear.resets > 0 ? ['a socket had to begin afresh'] : []))],
  }
}

/** Seconds from the database's return until everything is whole. */
async function suffer(desk: ChaosDesk, fault: Fault, holdS: number, patienceS: number): Promise<number> {
  const countReturns = () => desk.ears.reduce((sum, { returns }) => sum + returns, 0)
  const before = countReturns()
  const heal = await fault.strike(desk)
  try {
    if (fault.lasting === 'away') await sufferAway(desk, fault, holdS, patienceS)
    if (fault.lasting === 'full') await sufferFull(desk, fault)
  } finally {
    await heal()
  }
  await waitUntil(() => isThere(desk.engineUrl), patienceS, 'the database is back')
  const back = performance.now()
  await desk.untilWhole(patienceS)
  const seconds = (performance.now() - back) / 1000
  if (fault.keepsSockets && countReturns() > before) desk.wrong.push(`${fault.name}: a socket was closed`)
  for (const { pid } of desk.servers) if (!isAlive(pid)) desk.wrong.push(`${fault.name}: a process has ended`)
  return seconds
}

/** Every server says that it is not ready, goes on saying so, and answers all the same. */
async function sufferAway(
  { servers, wrong }: ChaosDesk,
  { name }: Fault,
  holdS: number,
  patienceS: number,
): Promise<void> {
  const saying = servers.map(({ url }) => waitUntil(async () => !(await isReady(url)), patienceS, 'it is unready'))
  await Promise.all([...saying, Bun.sleep(holdS * 1000)])
  for (const { url } of servers) {
    if (await isReady(url)) wrong.push(`${name}: ready without a database`)
    const alive = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5000) }).catch(() => null)
    if (!alive?.ok) wrong.push(`${name}: a process does not answer`)
  }
}

/** A file is refused in words, and texts go on. */
async function sufferFull({ servers, wrong, write, upload }: ChaosDesk, { name }: Fault): Promise<void> {
  for (const { url } of servers) {
    const status = await upload(url, 4_000_000)
    if (status !== 507) wrong.push(`${name}: a file was answered with ${status}`)
    if (!(await write(url))) wrong.push(`${name}: a text was not taken`)
  }
}

function isThere(url: string): Promise<boolean> {
  return runOnServer(url, 'select 1').then(
    () => true,
    () => false,
  )
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
