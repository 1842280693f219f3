// `npm start`: the real server, with what the environment says and nothing else.
import { ConfigError } from './config.ts'
import { startServer } from './server.ts'

try {
  const { url, firstOwner, stop } = await startServer()
  console.log(`Balcão: ${url}`)
  if (firstOwner?.password)
    console.log(
      `First sign-in: ${firstOwner.email} · ${firstOwner.password}  (shown only now; change it after signing in)`,
    )
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stop().then(
        () => process.exit(0),
        error => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exit(1)
}
