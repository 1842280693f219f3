// What stands before several server processes: the small balancer of the tests, which asks them whether they are ready, or nginx as
// `deploy/nginx.conf` configures it, which finds out.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startBalancer } from '@balcao/simulator/balancer'
import { until } from './measure.ts'
import { freePort } from './processes.ts'

export interface Proxy {
  readonly url: string
  stop(): Promise<void>
}

const CONFIGURATION = join(import.meta.dir, '../../deploy/nginx.conf')
/** What of the configuration is another machine's: its certificates, and where it listens. */
const ANOTHER_MACHINES = /^\s*(?:ssl_certificate|ssl_certificate_key|server_name)\b.*\n/gm

/** `program`: nginx, by its path; without one the balancer. `folder` is its own. */
export function startProxy(urls: readonly string[], folder: string, program?: string): Promise<Proxy> {
  return program ? startNginx(urls, folder, program) : startBalancer(urls)
}

async function startNginx([one = '', other = '']: readonly string[], folder: string, program: string): Promise<Proxy> {
  const port = await freePort()
  const own = (await Bun.file(CONFIGURATION).text())
    .replace('127.0.0.1:3001', new URL(one).host)
    .replace('127.0.0.1:3002', new URL(other).host)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace(ANOTHER_MACHINES, '')
  const home = join(folder, 'nginx')
  await mkdir(home, { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(home, name)};`,
  )
  const path = join(home, 'nginx.conf')
  await Bun.write(
    path,
    `pid ${join(home, 'pid')};\nerror_log stderr crit;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${own}\n}\n`,
  )
  const child = Bun.spawn([program, '-e', 'stderr', '-p', home, '-c', path, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await until(() => answers(url), 10, 'nginx answers')
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/ready`).catch(() => null)
  await answer?.arrayBuffer()
  return answer?.ok ?? false
}
