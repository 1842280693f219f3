// `npm run files`: where files are kept. `-- move` puts them into the bucket of S3_*, `-- move --to folder` brings them back, `-- take-over`
// marks the bucket as this desk's. The desk may run meanwhile; Ctrl+C ends a move within seconds, and the next one goes on.
import { ConfigError } from './config-error.ts'
import { NoDatabaseHere } from './database/folder.ts'
import { countHere, moveHere, takeOverHere, whyNotHere } from './media/here.ts'
import type { Moved } from './media/move.ts'

const TOLD_MS = 2000
const SAID = {
  bucketMissing: 'S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set',
  otherDesk:
    'The bucket is another desk’s: `-- take-over` if that one is over, else an S3_PREFIX of its own for this one.',
  bucketAway: 'The bucket does not answer. What is moved is moved: run it again.',
} as const

const words = process.argv.slice(2)
const to = words[1] === '--to' ? words[2] : 's3'
const isMove = words[0] === 'move' && (to === 's3' || to === 'folder')
const isTakeOver = words[0] === 'take-over' && words.length === 1
if (words.length > 0 && !isMove && !isTakeOver) {
  console.error('npm run files [-- move [--to s3|folder] | take-over]')
  process.exit(2)
}

try {
  if (isTakeOver) await takeOverHere(process.env)
  const ended = isMove ? await move(to === 'folder' ? 'folder' : 's3') : 0
  for (const [where, { files, bytes }] of Object.entries(await countHere(process.env)))
    console.log(`${where}: ${files} files, ${megabytes(bytes)}`)
  process.exit(ended)
} catch (error) {
  const why = whyNotHere(error)
  if (why !== null) console.error(SAID[why])
  else if (error instanceof ConfigError || error instanceof NoDatabaseHere) console.error(error.message)
  else throw error
  process.exit(1)
}

async function move(where: 's3' | 'folder'): Promise<number> {
  const ending = new AbortController()
  process.once('SIGINT', () => {
    console.log('Ending: the file that is on its way has three seconds.')
    ending.abort()
  })
  let told = Date.now()
  const progress = (done: Moved, total: number) => {
    if (Date.now() - told < TOLD_MS) return
    told = Date.now()
    console.log(`${done.moved} of ${total}, ${megabytes(done.bytes)}`)
  }
  const done = await moveHere(process.env, { to: where, signal: ending.signal, progress })
  console.log(
    `moved: ${done.moved} files, ${megabytes(done.bytes)}; missing: ${done.missing}; damaged: ${done.damaged}`,
  )
  if (ending.signal.aborted) return 130
  return done.missing + done.damaged > 0 ? 1 : 0
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
