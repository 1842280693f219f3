// `npm start`: the real server, with what the environment says and nothing else.
import { whenAsked } from './ending.ts'
import { announce } from './logger.ts'
import { startServer } from './server.ts'
import { orSay } from './starting.ts'
import { firstSignIn } from './users/first-owner.ts'

const starting = orSay(() => startServer())
// From the first moment on: what was begun is ended also by who loses patience with the start.
whenAsked(async () => (await starting).stop())
const { url, config, databaseFolder, firstOwner } = await starting
const { dataDir, version } = config
const database = databaseFolder === null ? '' : `\n  Database           ${databaseFolder}`
announce(
  'ready',
  { url, version, dataDir, databaseFolder },
  `\nBalcão ${version}: ${url}\n  Files and secrets  ${dataDir}${database}`,
)
const told = firstSignIn(firstOwner)
if (told) announce('first sign-in, shown only now', { ...firstOwner }, `\n  ${told}\n`)
