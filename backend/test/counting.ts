// A kind of long work for tests: it writes the numbers from 1 on, one a batch, and leaves them as a file.
import Type from 'typebox'
import type { LongJob } from '../src/desk/jobs/long.ts'
import { storeMedia } from '../src/desk/media/store.ts'
import { getSql } from '../src/platform/database/raw.ts'

const Params = Type.Object({ upTo: Type.Integer(), fails: Type.Optional(Type.String()) })
const Mark = Type.Object({ last: Type.Integer() })

/** `at` is called around each batch with what is about to happen. */
export function createCountingJob(at: (step: string) => Promise<void> | void): LongJob<typeof Params, typeof Mark> {
  return {
    kind: 'counting',
    params: Params,
    mark: Mark,
    async work(parts, job) {
      const { upTo } = job.params
      for (let n = (job.mark?.last ?? 0) + 1; n <= upTo; n++) {
        await at(`before ${n}`)
        await job.batch(async tx => {
          await getSql(tx)`insert into counted (job, n) values (${job.id}, ${n})`
          await at(`in ${n}`)
          return { mark: { last: n }, done: n, total: upTo }
        })
        await at(`after ${n}`)
      }
      const rows = await getSql(parts.db)<{ n: number }[]>`select n from counted where job = ${job.id} order by n`
      const text = rows.map(row => row.n).join('\n')
      const place = { db: parts.db, dataDir: parts.config.dataDir }
      const options = { name: 'numeros.txt', userId: job.userId, most: 1000 } as const
      const { id } = await storeMedia(place, new Blob([text]).stream(), options)
      await at('stored')
      return { counts: { created: rows.length }, uploadId: id }
    },
  }
}
