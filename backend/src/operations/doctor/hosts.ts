// Every host outside that this installation uses: whether it answers, what its clock says, and how long our own certificate holds.
import { connect } from 'node:tls'
import type { Kind } from '@balcao/contract'
import { getKindModule } from '../../messaging/channels/registry.ts'
import { getSql } from '../../platform/database/raw.ts'
import { callOutside, OutwardError } from '../../platform/http/outward.ts'
import { isPublicHost } from '../../platform/http/public-host.ts'
import { type CheckContext, type CheckFinding, toLevel } from './checks.ts'

const PATIENCE_MS = 5000
const DAY_MS = 86_400_000

interface Host {
  readonly address: string
  /** Named by an administrator on a page, not by who runs the machine: only public hosts may be asked. */
  readonly isGiven?: boolean
}

export async function checkHosts(patient: CheckContext): Promise<readonly CheckFinding[]> {
  const hosts = await listHosts(patient)
  const found = await Promise.all(hosts.map(host => reached(host, patient)))
  return [...found.flat(), ...(await checkCertificate(patient))]
}

/** Each once, and only those that something here uses. */
async function listHosts({ config, db }: CheckContext): Promise<readonly Host[]> {
  const rows = await getSql(db)<{ api: Kind; typebot: string }[]>`
    select distinct api, public_dns_typebot as typebot from whatsapp where deleted_at is null`
  const devices = await getSql(db)<{ origin: string }[]>`
    select distinct substring(endpoint from '^https?://[^/]+') as origin from push_subscription
    where endpoint ~ '^https?://[^/]+' limit 5`
  const kinds = [...new Set(rows.map(({ api }) => api))].map(api => getKindModule(api).host(config))
  const hosts: (Host | null)[] = [
    ...kinds.map(address => (address === null ? null : { address })),
    config.ai && { address: config.ai.url },
    config.licenseUrl === null ? null : { address: config.licenseUrl },
    config.financeUrl === null ? null : { address: config.financeUrl },
    ...rows.map(({ typebot }) => (typebot === '' ? null : { address: typebot, isGiven: true })),
    ...devices.map(({ origin }) => ({ address: origin, isGiven: !config.push.origins.includes(origin) })),
  ]
  const known = new Map(hosts.flatMap(host => (host && URL.canParse(host.address) ? [[getOrigin(host), host]] : [])))
  return [...known.values()]
}

/** Any answer will do: who answers can be asked. Nothing but the host is told of an address, which may hold more. */
async function reached(host: Host, { config, signal }: CheckContext): Promise<readonly CheckFinding[]> {
  const origin = getOrigin(host)
  const name = new URL(origin).host
  const began = performance.now()
  try {
    const answer = await ask(origin, host, config.privateHosts, signal)
    await answer.body?.cancel()
    const ms = Math.round(performance.now() - began)
    const late = Date.parse(answer.headers.get('date') ?? '')
    // The date is whole seconds, and as old as the way back.
    const seconds =
      Number.isNaN(late) || !isPublicHost(new URL(origin).hostname) ? 0 : Math.abs(Date.now() - late) / 1000
    return [
      { code: 'host.reached', level: 'ok', params: { host: name, ms } },
      ...(seconds >= 30
        ? [
            {
              code: 'machine.outsideClock',
              level: toLevel(seconds, { warning: 30, danger: 300 }),
              params: { host: name, seconds: Math.round(seconds) },
            } as const,
          ]
        : []),
    ]
  } catch (error) {
    return [{ code: 'host.reached', level: 'danger', params: { host: name, why: classifyError(error) } }]
  }
}

function ask(origin: string, { isGiven }: Host, allowed: readonly string[], signal: AbortSignal): Promise<Response> {
  if (isGiven) return callOutside(origin, { method: 'HEAD' }, { allowed, ms: PATIENCE_MS, plain: true })
  return fetch(origin, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  })
}

/** `dns`, `refused`, `slow`, `tls`, `private`, or `other`: a word for the reader's language. */
function classifyError(error: unknown): string {
  if (error instanceof OutwardError)
    return { private: 'private', insecure: 'tls', unsent: 'dns', lost: 'other', slow: 'slow', tooLarge: 'other' }[
      error.fault
    ]
  const { name, code } = Object(error)
  if (name === 'TimeoutError' || name === 'AbortError') return 'slow'
  const text = String(code ?? '')
  if (/ENOTFOUND|EAI_AGAIN|FailedToOpenSocket|DNS/i.test(text)) return 'dns'
  if (/REFUSED/i.test(text)) return 'refused'
  return /CERT|TLS|SSL|SELF_SIGNED/i.test(text) ? 'tls' : 'other'
}

function getOrigin({ address }: Host): string {
  return new URL(address).origin
}

/** The certificate people's browsers see, as this machine sees it. */
async function checkCertificate({ config }: CheckContext): Promise<readonly CheckFinding[]> {
  if (!config.publicUrl?.startsWith('https:')) return []
  const { hostname, port } = new URL(config.publicUrl)
  const until = await certificateUntil(hostname, Number(port || 443))
  if (until === null) return [{ code: 'host.certificate', level: 'unknown', params: { host: hostname, days: 0 } }]
  const days = Math.floor((until - Date.now()) / DAY_MS)
  const level = days < 3 ? 'danger' : days < 14 ? 'warning' : 'ok'
  return [{ code: 'host.certificate', level, params: { host: hostname, days } }]
}

function certificateUntil(host: string, port: number): Promise<number | null> {
  return new Promise(resolve => {
    // Also one that is not valid any more is looked at: that it has ended is what there is to tell.
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: PATIENCE_MS })
    const done = (until: number | null) => {
      socket.destroy()
      resolve(until)
    }
    socket.once('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to)
      done(Number.isNaN(until) ? null : until)
    })
    socket.once('error', () => done(null))
    socket.once('timeout', () => done(null))
  })
}
