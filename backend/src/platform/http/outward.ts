// Calls to addresses that people name or flows tell. They reach public hosts alone, or hosts the operator names (`ALLOW_PRIVATE_HOSTS`): a
// name is looked up once, and the connection goes to the very address that was looked at, so that no name points elsewhere a moment later.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { parseNetworks } from './addresses.ts'
import { isPublicHost } from './public-host.ts'

/**
 * Why a call came to nothing. Certainly not sent: `private` (no host may be reached there), `insecure` (no TLS, or a wrong certificate),
 * `unsent` (no such name, nobody listens). `lost` and `slow`: perhaps it was heard. `tooLarge`: its answer.
 */
export type OutwardFault = 'private' | 'insecure' | 'unsent' | 'lost' | 'slow' | 'tooLarge'

export class OutwardError extends Error {
  constructor(readonly fault: OutwardFault) {
    super(`A call to the outside: ${fault}`)
    this.name = 'OutwardError'
  }
}

export interface OutwardOptions {
  /** Hosts (`host` or `host:port`) that may be reached although they are not public. */
  readonly allowed: readonly string[]
  /** For the whole of it, the answer's body included. */
  readonly ms: number
  /** Whether a public host may be asked without TLS. */
  readonly plain?: boolean
  /** How names are looked up. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

/** One request, without redirects: they are the caller's to look at. Throws `OutwardError`. */
export async function callOutside(address: string, init: RequestInit, outward: OutwardOptions): Promise<Response> {
  const { allowed, ms, plain = false, resolve = resolveHost } = outward
  if (!URL.canParse(address)) throw new OutwardError('private')
  const url = new URL(address)
  const { protocol, hostname, host, username } = url
  const isNamed = allowed.includes(host) || allowed.includes(hostname)
  if (!/^https?:$/.test(protocol) || username !== '') throw new OutwardError('private')
  if (!isNamed && !isPublicHost(hostname)) throw new OutwardError('private')
  if (!isNamed && !plain && protocol !== 'https:') throw new OutwardError('insecure')
  const signal = AbortSignal.timeout(ms)
  const bare = hostname.replace(/^\[|\]$/g, '')
  const found = isIP(bare) === 0 ? await within(signal, resolve(bare)) : [bare]
  if (!isNamed && !found.every(isPublicIp)) throw new OutwardError('private')
  const headers = new Headers(init.headers)
  headers.set('host', host)
  for (const [at, ip] of found.entries()) {
    const to = new URL(url)
    to.hostname = isIP(ip) === 6 ? `[${ip}]` : ip
    try {
      // A connection that was kept may close as it is used: then nobody knows what was heard.
      const more = {
        redirect: 'manual',
        keepalive: false,
        ...(isIP(bare) === 0 && { tls: { serverName: bare } }),
      } as const
      return await fetch(to, { ...init, ...more, headers, signal })
    } catch (error) {
      const fault = toOutwardFault(error, signal)
      if (fault !== 'unsent' || at === found.length - 1) throw new OutwardError(fault)
    }
  }
  throw new OutwardError('unsent')
}

const MOST_STEPS = 4

/** The same through redirects, each looked at as the first address was. `url`: where the answer was found. Throws `OutwardError`. */
export async function followOutside(
  address: string,
  init: RequestInit,
  outward: OutwardOptions,
): Promise<{ readonly answer: Response; readonly url: string }> {
  const end = performance.now() + outward.ms
  let url = address
  for (let step = 0; step < MOST_STEPS; step++) {
    const answer = await callOutside(url, init, { ...outward, ms: Math.max(1, end - performance.now()) })
    const next = answer.headers.get('location')
    if (answer.status < 300 || answer.status >= 400 || next === null) return { answer, url }
    await answer.body?.cancel()
    if (!URL.canParse(next, url)) break
    url = new URL(next, url).href
  }
  throw new OutwardError('lost')
}

/** A body of no more than `most` bytes, as they come. Throws `OutwardError`. */
export async function* readOutwardBody(answer: Response, most: number): AsyncGenerator<Uint8Array> {
  let size = 0
  if (Number(answer.headers.get('content-length') ?? 0) > most) {
    await answer.body?.cancel()
    throw new OutwardError('tooLarge')
  }
  try {
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength
      if (size > most) throw new OutwardError('tooLarge')
      yield chunk
    }
  } catch (error) {
    throw error instanceof OutwardError ? error : new OutwardError(toOutwardFault(error))
  }
}

/** Whether an address is one of the internet: not of this machine, a network inside, a cloud's own service, or made for something else. */
export function isPublicIp(address: string): boolean {
  return isIP(address) === 6
    ? WORLD.has(address) && !NOT_WORLD.has(address)
    : isIP(address) === 4 && !INSIDE.has(address)
}

const INSIDE = parseNetworks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]).networks
const WORLD = parseNetworks(['2000::/3']).networks
/** Documentation, and networks that carry an IPv4 address in themselves: Teredo and 6to4. */
const NOT_WORLD = parseNetworks(['2001:db8::/32', '2001::/32', '2002::/16']).networks

async function resolveHost(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

async function within(signal: AbortSignal, looking: Promise<readonly string[]>): Promise<readonly string[]> {
  const late = new Promise<never>((_, refuse) => signal.addEventListener('abort', refuse, { once: true }))
  try {
    return await Promise.race([looking, late])
  } catch {
    throw new OutwardError('unsent')
  }
}

const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'FailedToOpenSocket',
  'ConnectionRefused',
])

function toOutwardFault(error: unknown, signal?: AbortSignal): OutwardFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (UNSENT.has(code)) return 'unsent'
  if (/CERT|TLS|SSL|ISSUER/.test(code)) return 'insecure'
  return signal?.aborted || (error instanceof Error && error.name === 'TimeoutError') ? 'slow' : 'lost'
}
