// Two servers of one database, as an operator would set them up: a primary, a hot standby that has everything before it is answered, and
// HAProxy as `deploy/haproxy.cfg` configures it before them.
import { join } from 'node:path'
import { type EmbeddedPostgres, ensurePostgres } from '@balcao/backend/platform/database/embedded'
import type { Server, Subprocess } from 'bun'
import { makeStandby, waitUntilInStep } from '../../backend/test/standby.ts'
import { runOnServer } from './engine.ts'
import { waitUntil } from './measure.ts'
import { findFreePort } from './processes.ts'

export interface Cluster {
  /** Of whichever is the primary: its database `postgres`, through HAProxy. */
  readonly url: string
  /** Kills the primary as a power cut would: it does not come back. */
  killPrimary(): Promise<void>
  /** The standby becomes the primary; resolves when it takes what is written. */
  promote(): Promise<void>
  stop(): Promise<void>
}

/** Makes both under `home`, a folder that others may enter. */
export async function startCluster(home: string): Promise<Cluster> {
  const primary = await ensurePostgres({ dataDir: join(home, 'primary') })
  let standby: EmbeddedPostgres | undefined
  let front: Front | undefined
  try {
    standby = await makeStandby(primary, join(home, 'standby'))
    await waitUntilInStep(primary)
    front = await startFront(home, [primary.url, standby.url])
  } catch (error) {
    await front?.stop()
    await standby?.stop()
    await primary.stop()
    throw error
  }
  const engines = [primary, standby] as const
  return {
    url: front.url,
    killPrimary: () => kill(primary),
    async promote() {
      await runOnServer(engines[1].url, 'select pg_promote(true)')
    },
    async stop() {
      await front.stop()
      await Promise.all(engines.map(engine => engine.stop()))
    },
  }
}

interface Front {
  readonly url: string
  stop(): Promise<void>
}

/** HAProxy before these servers. What Patroni answers on each host is answered here: whether its server takes what is written. */
async function startFront(home: string, urls: readonly string[]): Promise<Front> {
  if (!Bun.which('haproxy')) throw new Error('There is no haproxy on this machine (apt install haproxy)')
  const agents = urls.map(answerAsPatroni)
  const own = new URL(urls[0] ?? '')
  own.host = `127.0.0.1:${await findFreePort()}`
  const lines = urls.map((url, at) => `    server db-${at + 1} ${new URL(url).host} check port ${agents[at]?.port}\n`)
  const shipped = await Bun.file(join(import.meta.dir, '../../deploy/haproxy.cfg')).text()
  const servers = /(?:^ *server .*\n)+/m
  if (!servers.test(shipped)) throw new Error('deploy/haproxy.cfg names no servers')
  const path = join(home, 'haproxy.cfg')
  await Bun.write(path, shipped.replace(servers, lines.join('')).replace('127.0.0.1:5000', own.host))
  const child: Subprocess = Bun.spawn(['haproxy', '-db', '-q', '-f', path], { stdio: ['ignore', 'ignore', 'inherit'] })
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
    await Promise.all(agents.map(agent => agent.stop(true)))
  }
  // It takes every server for one that serves until it has asked.
  await waitUntil(
    async () => (await Promise.all([1, 2, 3, 4].map(() => isPrimary(own.href)))).every(Boolean),
    20,
    'HAProxy serves',
  )
  return { url: own.href, stop }
}

function answerAsPatroni(url: string): Server<undefined> {
  const answer = async () => new Response(null, { status: (await isPrimary(url)) ? 200 : 503 })
  return Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
}

async function isPrimary(url: string): Promise<boolean> {
  const rows = await runOnServer(url, 'select pg_is_in_recovery() as is_standby').catch(() => [])
  return rows[0]?.is_standby === false
}

/** With all its processes; whoever watches over it is told in the same breath that it is not to come back. */
async function kill({ folder, stop }: EmbeddedPostgres): Promise<void> {
  const pid = Number((await Bun.file(join(folder, 'cluster/postmaster.pid')).text()).split('\n')[0])
  const children = (await Bun.file(`/proc/${pid}/task/${pid}/children`).text()).trim().split(' ').map(Number)
  for (const each of [pid, ...children]) process.kill(each, 'SIGKILL')
  await stop()
}
