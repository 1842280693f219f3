// `npm start`: the real server, with what the environment says and nothing else.
import { ConfigError } from './config.ts'
import { NoDatabaseHere } from './database/folder.ts'
import { whenAsked } from './ending.ts'
import { startServer } from './server.ts'

try {
  const { url, config, databaseFolder, firstOwner, stop } = await startServer()
  console.log(`Balcão: ${url}`)
  console.log(`Files and secrets: ${config.dataDir}${databaseFolder === null ? '' : ` · database: ${databaseFolder}`}`)
  if (firstOwner?.password)
    console.log(
      `First sign-in: ${firstOwner.email} · ${firstOwner.password}  (shown only now; change it after signing in)`,
    )
  whenAsked(stop)
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof NoDatabaseHere)) throw error
  console.error(error.message)
  process.exit(1)
}
