// What stands before several server processes: the small balancer of the tests, which asks them whether they are ready, nginx as
// `deploy/nginx.conf` configures it, which finds out, or Caddy as `deploy/Caddyfile` does, which asks as well.
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startBalancer } from '@balcao/simulator/balancer'
import type { Subprocess } from 'bun'
import { waitUntil } from './measure.ts'
import { findFreePort } from './processes.ts'

export interface Proxy {
  readonly url: string
  stop(): Promise<void>
}

const PROGRAMS = ['nginx', 'caddy'] as const
export type ProxyProgram = (typeof PROGRAMS)[number]

const CADDYFILE = join(import.meta.dir, '../../deploy/Caddyfile')
const CONFIGURATION = join(import.meta.dir, '../../deploy/nginx.conf')
/** What of the configuration is another machine's: its certificates, and where it listens. */
const ANOTHER_MACHINES = /^\s*(?:ssl_certificate|ssl_certificate_key|server_name)\b.*\n/gm

/** The one that was asked for. Throws a sentence where it is none of these, or not on this machine. */
export function findProxyProgram(word: string): ProxyProgram {
  const program = PROGRAMS.find(each => each === word)
  if (!program) throw new Error(`--with must be one of ${PROGRAMS.join(', ')}`)
  if (!Bun.which(program)) throw new Error(`There is no ${program} on this machine (apt install ${program})`)
  return program
}

/** Without a program the balancer of the tests. `folder` is its own. */
export function startProxy(urls: readonly string[], folder: string, program?: ProxyProgram): Promise<Proxy> {
  return program ? startProgram(program, urls, folder) : startBalancer(urls)
}

/** The program with the repository's configuration of it and these processes, on a free port of this machine. */
function startProgram(program: ProxyProgram, urls: readonly string[], folder: string) {
  return { nginx: startNginx, caddy: startCaddy }[program](urls, folder)
}

async function startNginx(urls: readonly string[], folder: string): Promise<Proxy> {
  const home = join(folder, 'nginx')
  await mkdir(join(home, 'client_body'), { recursive: true })
  // Its workers are somebody else.
  for (const path of [folder, home, join(home, 'client_body')]) await chmod(path, path === folder ? 0o711 : 0o777)
  const port = await findFreePort()
  const site = withServers(await Bun.file(CONFIGURATION).text(), urls)
  const own = site.replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`).replace(ANOTHER_MACHINES, '')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(home, name)};`,
  )
  const path = join(home, 'nginx.conf')
  await Bun.write(
    path,
    `worker_processes 1;\npid ${join(home, 'pid')};\nerror_log stderr crit;\nevents { worker_connections 4096; }\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${own}\n}\n`,
  )
  const child = Bun.spawn(['nginx', '-e', 'stderr', '-p', home, '-c', path, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return waitUntilAnswering('nginx', child, `http://127.0.0.1:${port}`)
}

async function startCaddy(urls: readonly string[], folder: string): Promise<Proxy> {
  const home = join(folder, 'caddy')
  await mkdir(home, { recursive: true })
  const url = `http://127.0.0.1:${await findFreePort()}`
  const path = join(home, 'Caddyfile')
  const site = await Bun.file(CADDYFILE).text()
  const servers = / server-a:3000 server-b:3000 /
  if (!servers.test(site)) throw new Error('deploy/Caddyfile names no servers')
  await Bun.write(
    path,
    site
      .replace(/^\{$/m, '{\nadmin off\nlog {\nlevel FATAL\n}')
      .replace(servers, ` ${urls.map(each => new URL(each).host).join(' ')} `),
  )
  const child = Bun.spawn(['caddy', 'run', '--config', path, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DOMAIN: url, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
  })
  return waitUntilAnswering('Caddy', child, url)
}

async function waitUntilAnswering(name: string, child: Subprocess, url: string): Promise<Proxy> {
  await waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
      return isAnswering(url)
    },
    20,
    `${name} answers`,
  )
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

/** The servers of the configuration are two, ours as many as there are. */
function withServers(configuration: string, urls: readonly string[]): string {
  const [first, ...others] = configuration.match(/^ *server 127.*\n/gm) ?? []
  if (!first) throw new Error('deploy/nginx.conf names no servers')
  const all = urls.map(url => first.replace(/127\.0\.0\.1:\d+/, new URL(url).host)).join('')
  return others.reduce((left, line) => left.replace(line, ''), configuration).replace(first, all)
}

async function isAnswering(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/ready`).catch(() => null)
  await answer?.arrayBuffer()
  return answer?.ok ?? false
}
