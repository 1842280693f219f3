// What the desk promises while its primary database is lost for good and the standby takes its place: nothing that was answered is lost,
// and everything is whole within five seconds of the promotion.
import type { Benchmark, Figure } from './benchmark.ts'
import { readNumberOption } from './benchmark.ts'
import { type ChaosOutcome, countChaos } from './chaos.ts'
import { type Engine, withChaosDesk } from './chaos-desk.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { toDatabaseUrl } from './engine.ts'

export const failover: Benchmark = {
  name: 'failover',
  about: 'two servers on a primary that is killed under load; its synchronous standby is promoted',
  onlyByName: true,
  async run(options) {
    const outcome = await runFailover({ beforeS: readNumberOption(options, 'before', 15), patienceS: 60 })
    const counts = { lost: outcome.lost, doubled: outcome.doubled, unheard: outcome.unheard, wrong: outcome.wrong }
    return [
      { label: 'from the kill to the promotion', value: outcome.promotion, unit: 's' },
      { label: 'from the promotion until everything is whole', value: outcome.seconds, unit: 's', aim: 5 },
      { label: 'answered before the kill', value: outcome.rate, unit: '/s' },
      { label: 'answered', value: outcome.answered, unit: '' },
      ...Object.entries(counts).map(([label, { length }]): Figure => ({ label, value: length, unit: '', aim: 0 })),
    ]
  },
}

export interface FailoverOutcome extends Omit<ChaosOutcome, 'whole'> {
  /** Seconds from the kill to the promotion. */
  readonly promotion: number
  /** Seconds from the promotion until everything is whole. */
  readonly seconds: number
  /** Answered a second while all was well. */
  readonly rate: number
}

/** Works for `beforeS` seconds, loses the primary, and is whole within `patienceS` or throws. */
export async function runFailover({
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
    return { url: both.url, address: database => toDatabaseUrl(both.url, database), stop: both.stop }
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
    const seconds = (performance.now() - promoted) / 1000
    return { ...(await countChaos(desk, patienceS)), seconds, promotion: (promoted - begun) / 1000, rate }
  }, start)
}
