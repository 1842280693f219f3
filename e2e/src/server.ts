// The server of the demo and of tests that kill it, in a process of its own.
import { startServer } from '@balcao/backend/app/server'
import { formatFirstSignIn } from '@balcao/backend/desk/users/first-owner'
import { exitWithMessage } from '@balcao/backend/platform/starting'
import { readServerOptions } from './server-options.ts'

const server = await exitWithMessage(() => startServer(readServerOptions(process.env)))
const firstSignIn = formatFirstSignIn(server.firstOwner)
if (firstSignIn) console.log(firstSignIn)
// The local address: PUBLIC_URL may be another program's, which passes on to this one.
console.log(`READY http://127.0.0.1:${server.port}`)
