// A desk of ten million tickets and twenty million messages: what its people ask all day, and searches whose rows nobody has read since the
// server began. Called as the routes call it, in this process.
import { closeDatabase, openDatabase } from '@balcao/backend/platform/database/client'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { getEngineUrl, restartCold, toDatabaseUrl } from './engine.ts'
import { type ListQuestion, makeQuestions as listPageQuestions } from './lists.ts'
import { computePercentile } from './measure.ts'
import { makeQuestions as listSearchQuestions } from './search.ts'
import { nameSeededDatabase, openSeededDatabase, type SeededDatabase } from './seeded.ts'

const AIMS = { page: 10, warm: 50, cold: 500 }

export const tenMillion: Benchmark = {
  name: 'ten-million',
  about:
    'pages, badges, warm and cold searches among 10,000,000 tickets, in process (--tickets, --times, --cold: how often each is asked)',
  onlyByName: true,
  async run(options) {
    const tickets = readNumberOption(options, 'tickets', 10_000_000)
    const times = readNumberOption(options, 'times', 100)
    const database = await openSeededDatabase(tickets)
    const figures: Figure[] = []
    try {
      for (const question of listPageQuestions()) figures.push(...(await askWarm(question, database, times, AIMS.page)))
      for (const question of listSearchQuestions())
        figures.push(...(await askWarm(question, database, times, AIMS.warm)))
    } finally {
      await database.close()
    }
    for (const question of listSearchQuestions().filter(each => each.isReadyAtOnce))
      figures.push(await askCold(question, tickets, readNumberOption(options, 'cold', 3)))
    return figures
  },
}

async function askWarm(
  { label, on }: ListQuestion,
  database: SeededDatabase,
  times: number,
  aim: number,
): Promise<Figure[]> {
  const call = await on(database)
  const samples: number[] = []
  for (let n = -Math.min(30, times); n < times; n++) {
    const took = await time(() => call(Math.abs(n)))
    if (n >= 0) samples.push(took)
  }
  return [
    { label: `${label}: p50`, value: computePercentile(samples, 0.5), unit: 'ms' },
    { label: `${label}: p95`, value: computePercentile(samples, 0.95), unit: 'ms', aim },
  ]
}

/** Each time the first question that a server is asked, over a connection that stands. */
async function askCold({ label, on }: ListQuestion, tickets: number, times: number): Promise<Figure> {
  const samples: number[] = []
  for (let n = 0; n < times; n++) {
    await restartCold()
    const url = toDatabaseUrl(await getEngineUrl(), nameSeededDatabase(tickets))
    const db = openDatabase(url)
    try {
      await db.$client`select 1`
      const call = await on({ tickets, url, db, close: () => closeDatabase(db) })
      samples.push(await time(() => call(n)))
    } finally {
      await closeDatabase(db)
    }
  }
  return { label: `${label}, cold: the slowest of ${times}`, value: Math.max(...samples), unit: 'ms', aim: AIMS.cold }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
