// `npm start`: the real server, with what the environment says and nothing else.
import { ConfigError } from './config.ts'
import { NoDatabaseHere } from './database/folder.ts'
import { whenAsked } from './ending.ts'
import { startServer } from './server.ts'
import { firstSignIn } from './users/first-owner.ts'

try {
  const { url, config, databaseFolder, firstOwner, stop } = await startServer()
  console.log(`Balcão: ${url}`)
  console.log(`Files and secrets: ${config.dataDir}${databaseFolder === null ? '' : ` · database: ${databaseFolder}`}`)
  const told = firstSignIn(firstOwner)
  if (told) console.log(told)
  whenAsked(stop)
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof NoDatabaseHere)) throw error
  console.error(error.message)
  process.exit(1)
}
