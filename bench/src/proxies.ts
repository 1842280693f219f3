// What stands before several server processes: the small balancer of the tests, which asks them whether they are ready, or nginx as
// `deploy/nginx.conf` configures it, which finds out.
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startBalancer } from '@balcao/simulator/balancer'
import { until } from './measure.ts'
import { freePort } from './processes.ts'

export interface Proxy {
  readonly url: string
  stop(): Promise<void>
}

export interface Nginx extends Proxy {
  readonly folder: string
}

const CONFIGURATION = join(import.meta.dir, '../../deploy/nginx.conf')
/** What of the configuration is another machine's: its certificates, and where it listens. */
const ANOTHER_MACHINES = /^\s*(?:ssl_certificate|ssl_certificate_key|server_name)\b.*\n/gm

/** `program`: nginx, by its path; without one the balancer. `folder` is its own. */
export function startProxy(urls: readonly string[], folder: string, program?: string): Promise<Proxy> {
  return program ? startNginx(urls, folder, { program }) : startBalancer(urls)
}

/**
 * The configuration of the repository with these processes, on a free port of this machine. `certificate`: with one of a moment, signed by
 * itself, for whoever asks no more of it; otherwise without one.
 */
export async function startNginx(
  urls: readonly string[],
  folder: string,
  { program = 'nginx', certificate = false }: { readonly program?: string; readonly certificate?: boolean } = {},
): Promise<Nginx> {
  const home = join(folder, 'nginx')
  await mkdir(join(home, 'client_body'), { recursive: true })
  // Its workers are somebody else.
  for (const path of [folder, home, join(home, 'client_body')]) await chmod(path, path === folder ? 0o711 : 0o777)
  const port = await freePort()
  const site = withServers(await Bun.file(CONFIGURATION).text(), urls)
  const own = certificate
    ? await certified(site, home, port)
    : site.replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`).replace(ANOTHER_MACHINES, '')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(home, name)};`,
  )
  const path = join(home, 'nginx.conf')
  await Bun.write(
    path,
    `worker_processes 1;\npid ${join(home, 'pid')};\nerror_log stderr crit;\nevents { worker_connections 4096; }\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${own}\n}\n`,
  )
  const child = Bun.spawn([program, '-e', 'stderr', '-p', home, '-c', path, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
      return answers(url)
    },
    20,
    'nginx answers',
  )
  return {
    url,
    folder: home,
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

async function certified(site: string, home: string, port: number): Promise<string> {
  const [key, certificate] = [join(home, 'key.pem'), join(home, 'cert.pem')]
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost'
  const child = Bun.spawn(['openssl', ...words.split(' '), '-keyout', key, '-out', certificate], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`openssl: ${said.trim()}`)
  return site
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/ready`).catch(() => null)
  await answer?.arrayBuffer()
  return answer?.ok ?? false
}
