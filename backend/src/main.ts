// `npm start`: the real server, with what the environment says and nothing else.
import { startServer } from './app/server.ts'
import { formatFirstSignIn } from './desk/users/first-owner.ts'
import { runOnShutdown } from './platform/ending.ts'
import { announce } from './platform/logger.ts'
import { exitWithMessage } from './platform/starting.ts'

const starting = exitWithMessage(() => startServer())
// From the first moment on: what was begun is ended also by who loses patience with the start.
runOnShutdown(async () => (await starting).stop())
const { url, config, databaseFolder, firstOwner } = await starting
const { dataDir, version } = config
const database = databaseFolder === null ? '' : `\n  Database           ${databaseFolder}`
announce(
  'ready',
  { url, version, dataDir, databaseFolder },
  `\nBalcão ${version}: ${url}\n  Files and secrets  ${dataDir}${database}`,
)
const told = formatFirstSignIn(firstOwner)
if (told) announce('first sign-in, shown only now', { ...firstOwner }, `\n  ${told}\n`)
