// `npm run files`: where files are kept. `-- move` puts them into the bucket of S3_*, `-- move --to folder` brings them back. The desk may
// run meanwhile; Ctrl+C ends it between two files, and the next one goes on.
import { ConfigError } from './config.ts'
import { NoDatabaseHere } from './database/folder.ts'
import { withDatabaseHere } from './database/here.ts'
import { migrate } from './database/migrate.ts'
import { isAway } from './media/far.ts'
import { countFiles, type Moved, moveFiles } from './media/move.ts'
import { type MediaPlace, placeOf } from './media/place.ts'

const words = process.argv.slice(2)
const to = words[1] === '--to' ? words[2] : 's3'
const isMove = words[0] === 'move' && (to === 's3' || to === 'folder')
if (words.length > 0 && !isMove) {
  console.error('npm run files [-- move [--to s3|folder]]')
  process.exit(2)
}

try {
  const code = await withDatabaseHere(process.env, async ({ db, url, config }) => {
    await migrate(url)
    const place = placeOf({ db, config })
    const ended = isMove ? await move(place, to === 'folder' ? 'folder' : 's3') : 0
    for (const [where, { files, bytes }] of Object.entries(await countFiles(place)))
      console.log(`${where}: ${files} files, ${megabytes(bytes)}`)
    return ended
  })
  process.exit(code)
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof NoDatabaseHere || isAway(error))) throw error
  console.error(isAway(error) ? 'The bucket does not answer. What is moved is moved: run it again.' : String(error))
  process.exit(1)
}

async function move(place: MediaPlace, where: 's3' | 'folder'): Promise<number> {
  if (!place.bucket) throw new ConfigError(['S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set'])
  const ending = new AbortController()
  process.once('SIGINT', () => ending.abort())
  let told = Date.now()
  const progress = (done: Moved, total: number) => {
    if (Date.now() - told < 2000) return
    told = Date.now()
    console.log(`${done.moved} of ${total}, ${megabytes(done.bytes)}`)
  }
  const done = await moveFiles(place, { to: where, signal: ending.signal, progress })
  console.log(
    `moved: ${done.moved} files, ${megabytes(done.bytes)}; missing: ${done.missing}; damaged: ${done.damaged}`,
  )
  if (ending.signal.aborted) return 130
  return done.missing + done.damaged > 0 ? 1 : 0
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
