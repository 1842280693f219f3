// Stands in for a store of files that speaks S3: objects, parts, ranges, lists, signatures. Everything goes through a line that can be cut
// in the middle of an answer.
import { startLine } from '../line.ts'
import { answerTo, type BucketAddress } from './answers.ts'
import { createRefusal } from './refusal.ts'
import { findSignatureFault, isPayloadMatch } from './signature.ts'

export interface S3 {
  /** What the product needs in its environment to keep files here. */
  readonly env: Readonly<Record<'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string>>
  /** What is kept, by key; tests may change it. */
  readonly objects: Map<string, Uint8Array>
  /** Everything asked so far: 'GET key'. */
  readonly requests: readonly string[]
  /** Answers the next requests with 503. */
  failNext(requests: number): void
  /** While away everything is answered with 503. */
  away(isAway: boolean): void
  /** Cuts the line after so many bytes of what comes back from now on, once for each. */
  cutAfter(...bytes: number[]): void
  /** Whole objects wait from now on, until what this gives is called; parts of them come. */
  holdWhole(): () => void
  /** Nothing is answered from now on, until what this gives is called. */
  hang(): () => void
  /** The next objects are given with one byte changed. */
  changeNext(objects: number): void
  stop(): Promise<void>
}

const BUCKET = 'arquivos'
const KEYS = { accessKeyId: 'chave-do-simulador', secretAccessKey: 'segredo-do-simulador' }

/**
 * Starts one on a free port, with one empty bucket.
 * @example const s3 = await startS3(); const server = await startDeskServer(s3.env)
 */
export async function startS3(): Promise<S3> {
  const shelf: BucketAddress = { bucket: BUCKET, objects: new Map(), uploads: new Map(), changed: 0 }
  const requests: string[] = []
  let failing = 0
  let isAway = false
  let held: Promise<void> = Promise.resolve()
  let hanging: Promise<void> = Promise.resolve()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: 1024 * 1024 * 1024,
    async fetch(request) {
      const url = new URL(request.url)
      requests.push(`${request.method} ${url.pathname.split('/').slice(2).join('/')}`)
      const body = new Uint8Array(await request.arrayBuffer())
      await hanging
      if (isAway || failing > 0) {
        failing = Math.max(0, failing - 1)
        return createRefusal(503, 'SlowDown')
      }
      const fault = findSignatureFault(KEYS, { method: request.method, url, headers: request.headers }, new Date())
      if (fault !== null) return createRefusal(403, fault)
      if (!isPayloadMatch(request.headers, body)) return createRefusal(400, 'XAmzContentSHA256Mismatch')
      const range = request.headers.get('range')
      if (request.method === 'GET' && range === null) await held
      return answerTo(shelf, { method: request.method, url, body, range })
    },
  })
  const line = await startLine(() => [server.port ?? 0])
  return {
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${line.port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    },
    objects: shelf.objects,
    requests,
    failNext(count) {
      failing = count
    },
    away(now) {
      isAway = now
    },
    cutAfter: line.cutAfter,
    holdWhole() {
      const hold = Promise.withResolvers<void>()
      held = hold.promise
      return hold.resolve
    },
    hang() {
      const hang = Promise.withResolvers<void>()
      hanging = hang.promise
      return hang.resolve
    },
    changeNext(count) {
      shelf.changed = count
    },
    async stop() {
      await line.stop()
      await server.stop(true)
    },
  }
}
