// `bun ui/build/dev.ts`: shell and remotes with hot reload; everything that is not front end goes to BACKEND_URL.
// FRONT_PORT (5173) is the shell's; the remotes take the ports after it.
import path from 'node:path'
import { type DevServer, rspack } from '@rspack/core'
import { RspackDevServer } from '@rspack/dev-server'
import { buildServiceWorker, loadConfig, PACKAGES } from './build.ts'
import { repoRoot } from './config.ts'

const firstPort = Number(process.env.FRONT_PORT ?? 5173)
const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:3000'
const names: readonly string[] = PACKAGES
const getDevPort = (name: string) => firstPort + names.indexOf(name)

for (const name of PACKAGES) {
  const port = getDevPort(name)
  const config = (await loadConfig(name))({ devPort: port })
  const server = new RspackDevServer(
    { ...makeServerOptions(port), ...(name === 'shell' ? makeShellOptions() : {}) },
    rspack(config),
  )
  await server.start()
}
console.log(`front end on http://127.0.0.1:${firstPort}, backend ${backend}`)

function makeServerOptions(port: number) {
  return {
    port,
    host: '127.0.0.1',
    hot: true,
    liveReload: false,
    static: false as const,
    allowedHosts: 'all' as const,
    headers: { 'Access-Control-Allow-Origin': '*' },
    client: { webSocketURL: `ws://127.0.0.1:${port}/ws`, overlay: false, logging: 'warn' as const },
  }
}

function makeShellOptions(): DevServer {
  return {
    historyApiFallback: true,
    static: { directory: path.join(repoRoot, 'shell/public') },
    proxy: [
      {
        context: (pathname: string, request: { headers: Record<string, unknown>; method?: string }) =>
          !isFrontEnd(pathname, request),
        target: backend,
        ws: true,
        xfwd: true,
      },
    ],
    setupMiddlewares: middlewares => {
      middlewares.unshift({
        name: 'remotes',
        path: '/remotes.json',
        middleware: async (
          _request: unknown,
          response: { setHeader(n: string, v: string): void; end(body: string): void },
        ) => {
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify(await readDevRemotes()))
        },
      })
      middlewares.unshift({
        name: 'sw',
        path: '/sw.js',
        middleware: async (
          _request: unknown,
          response: { setHeader(n: string, v: string): void; end(body: string): void },
        ) => {
          response.setHeader('content-type', 'text/javascript')
          response.end(await buildServiceWorker())
        },
      })
      return middlewares
    },
  }
}

/** Pages, the shell's own files and its hot-reload socket; all else is the backend's. */
function isFrontEnd(pathname: string, request: { headers: Record<string, unknown>; method?: string }) {
  if (pathname === '/ws' || pathname === '/remotes.json' || pathname.startsWith('/icons/')) return true
  if (
    /\.(js|css|map|json|svg|html)$/.test(pathname) &&
    !/^\/(media|webhooks|openapi|simulator|brand\.css)/.test(pathname)
  )
    return true
  const wantsPage = request.method === 'GET' && String(request.headers.accept ?? '').includes('text/html')
  return wantsPage && !/^\/(simulator|openapi|media)/.test(pathname)
}

async function readDevRemotes() {
  const list: { name: string; entry: string }[] = await Bun.file(path.join(repoRoot, 'shell/remotes.json')).json()
  return list.map(remote => ({
    ...remote,
    entry: `http://127.0.0.1:${getDevPort(remote.name.replace('_', '-'))}/mf-manifest.json`,
  }))
}
