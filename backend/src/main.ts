// `npm start`: the real server, with what the environment says and nothing else.
import { ConfigError } from './config.ts'
import { whenAsked } from './ending.ts'
import { startServer } from './server.ts'

try {
  const { url, firstOwner, stop } = await startServer()
  console.log(`Balcão: ${url}`)
  if (firstOwner?.password)
    console.log(
      `First sign-in: ${firstOwner.email} · ${firstOwner.password}  (shown only now; change it after signing in)`,
    )
  whenAsked(stop)
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
}
