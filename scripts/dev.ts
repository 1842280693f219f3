// The demo's world with hot reload: the server starts anew when its source changes, shell and remotes change in the open page.
import { join } from 'node:path'
import { readServerConfig } from '@balcao/backend/app/server'
import { runOnShutdown } from '@balcao/backend/platform/ending'
import { exitWithMessage } from '@balcao/backend/platform/starting'
import { startTestSystem } from '@balcao/e2e/world'

const root = join(import.meta.dir, '..')
const frontPort = Number(process.env.FRONT_PORT ?? 5173)
const url = `http://127.0.0.1:${frontPort}`

const dataDir = process.env.DATA_DIR ?? join(root, '.demo')

const { port } = await exitWithMessage(() =>
  readServerConfig({ ...process.env, DATA_DIR: dataDir, DATABASE_URL: undefined }),
)
let front: Bun.Subprocess | undefined
const starting = exitWithMessage(() =>
  startTestSystem({
    port,
    dataDir,
    verbose: true,
    watch: true,
    env: { PUBLIC_URL: url },
  }),
)
const end = runOnShutdown(async () => {
  front?.kill()
  await (await starting).stop()
})
const world = await starting
front = Bun.spawn([process.execPath, 'ui/build/dev.ts'], {
  cwd: root,
  env: { ...process.env, BACKEND_URL: world.url, FRONT_PORT: String(frontPort) },
  stdio: ['ignore', 'inherit', 'inherit'],
})

console.log(
  `\n  ${url} (celulares: ${world.url}/simulator)\n${world.accounts.map(account => `  ${account.email}  ${account.password}`).join('\n')}\n`,
)

void Promise.race([world.server.ended, front.exited]).then(end)
