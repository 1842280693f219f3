// `npm run digest`: what was not understood is read again by this version. The desk may run meanwhile, or not.
import { ConfigError, readConfig } from './config.ts'
import { closeDatabase, openDatabase } from './database/client.ts'
import { NoDatabaseHere } from './database/folder.ts'
import { migrate } from './database/migrate.ts'
import { openNotices } from './database/notices.ts'
import { databaseOf } from './database/own.ts'
import { digestAgain } from './inbox/again.ts'

try {
  const { url, engine, close } = await databaseOf(readConfig(process.env))
  await migrate(url)
  const db = openDatabase(url)
  const notices = openNotices(db)
  const { looked, understood } = await digestAgain(db)
  // Whoever runs on it shows what changed, and fetches the files that came to light.
  await notices.send('live', '')
  await notices.send('connection', '')
  await notices.close()
  await closeDatabase(db)
  await close()
  if (engine && !engine.wasRunning) await engine.stop()
  console.log(`${looked} were read again, ${understood} of them are understood now.`)
  process.exit(0)
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof NoDatabaseHere)) throw error
  console.error(error.message)
  process.exit(1)
}
