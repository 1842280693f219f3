// What the desk promises while its primary database is lost for good and the standby takes its place: nothing that was answered is lost,
// and everything is whole within fifteen seconds.
import type { Benchmark, Figure } from './benchmark.ts'
import { numberOption } from './benchmark.ts'
import { type ChaosOutcome, countOf } from './chaos.ts'
import { type Engine, withChaosDesk } from './chaos-desk.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { databaseUrl } from './engine.ts'

export const failover: Benchmark = {
  name: 'failover',
  about: 'two servers on a primary that is killed under load; its synchronous standby is promoted',
  onlyByName: true,
  async run(options) {
    const outcome = await throughFailover({ beforeS: numberOption(options, 'before', 15), patienceS: 60 })
    const counts = { lost: outcome.lost, doubled: outcome.doubled, unheard: outcome.unheard, wrong: outcome.wrong }
    return [
      { what: 'from the kill until everything is whole', value: outcome.seconds, unit: 's', aim: 15 },
      { what: 'of it, the promotion', value: outcome.promotion, unit: 's' },
      { what: 'answered before the kill', value: outcome.rate, unit: '/s' },
      { what: 'answered', value: outcome.answered, unit: '' },
      ...Object.entries(counts).map(([what, { length }]): Figure => ({ what, value: length, unit: '', aim: 0 })),
    ]
  },
}

export interface FailoverOutcome extends Omit<ChaosOutcome, 'whole'> {
  /** From the kill until everything is whole, and what of it the promotion took, in seconds. */
  readonly seconds: number
  readonly promotion: number
  /** Answered a second while all was well. */
  readonly rate: number
}

/** Works for `beforeS` seconds, loses the primary, and is whole within `patienceS` or throws. */
export async function throughFailover({
  beforeS,
  patienceS,
}: {
  readonly beforeS: number
  readonly patienceS: number
}): Promise<FailoverOutcome> {
  let cluster: Cluster | undefined
  const start = async (home: string): Promise<Engine> => {
    const both = await startCluster(home)
    cluster = both
    return { url: both.urls[0], address: database => addressOf(both, database), stop: both.stop }
  }
  return withChaosDesk(async desk => {
    await desk.untilWhole(patienceS)
    const already = desk.answered.size
    await Bun.sleep(beforeS * 1000)
    const rate = (desk.answered.size - already) / beforeS
    const begun = performance.now()
    await cluster?.killPrimary()
    await cluster?.promote()
    const promoted = performance.now()
    await desk.untilWhole(patienceS)
    const seconds = (performance.now() - begun) / 1000
    return { ...(await countOf(desk, patienceS)), seconds, promotion: (promoted - begun) / 1000, rate }
  }, start)
}

/** One address for both servers, the standby first: it is met and left at the start. */
function addressOf({ urls: [first, second] }: Cluster, database: string): string {
  return databaseUrl(first, database).replace(new URL(first).host, `${new URL(second).host},${new URL(first).host}`)
}
