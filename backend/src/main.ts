// `npm start`: the real server, with what the environment says and nothing else.
import { whenAsked } from './ending.ts'
import { startServer } from './server.ts'
import { orSay } from './starting.ts'
import { firstSignIn } from './users/first-owner.ts'

const { url, config, databaseFolder, firstOwner, stop } = await orSay(() => startServer())
console.log(`Balcão: ${url}`)
console.log(`Files and secrets: ${config.dataDir}${databaseFolder === null ? '' : ` · database: ${databaseFolder}`}`)
const told = firstSignIn(firstOwner)
if (told) console.log(told)
whenAsked(stop)
