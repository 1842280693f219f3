// Whose request it is: the address it came from, or the one a proxy we trust names for it.
import { BlockList, isIP } from 'node:net'

/** Some addresses of the network. */
export interface Networks {
  has(address: string): boolean
}

/** Networks from addresses and CIDRs; what is neither is in `wrong`. */
export function parseNetworks(texts: readonly string[]): {
  readonly networks: Networks
  readonly wrong: readonly string[]
} {
  const list = new BlockList()
  const wrong: string[] = []
  for (const text of texts) {
    const [address = '', bits, ...rest] = text.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    const most = family === 'ipv4' ? 32 : 128
    const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
    if (isIP(address) === 0 || !isPrefix || rest.length > 0) wrong.push(text)
    else list.addSubnet(address, bits === undefined ? most : Number(bits), family)
  }
  const has = (address: string) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  return { networks: { has }, wrong }
}

/** Loopback: whoever asks from there is on this machine, or came through a proxy on it. */
export const THIS_MACHINE = parseNetworks(['127.0.0.0/8', '::1']).networks

/**
 * The address of whoever asks. `X-Forwarded-For` is read from the right, each entry only as long as the hop that wrote it is this
 * machine or a trusted proxy: everything further left could be anybody's invention.
 */
export function resolveClientAddress(headers: Headers, direct: string | undefined, trusted: Networks): string {
  let address = plain(direct ?? '127.0.0.1')
  const hops = headers.get('x-forwarded-for')?.split(',') ?? []
  while (THIS_MACHINE.has(address) || trusted.has(address)) {
    const named = plain(hops.pop()?.trim() ?? '')
    if (isIP(named) === 0) break
    address = named
  }
  return address
}

/** Whether a proxy nobody told us of seems to stand in between: everybody behind it has one address. */
export function isForwardedByStranger(headers: Headers, direct: string | undefined, trusted: Networks): boolean {
  const address = plain(direct ?? '127.0.0.1')
  return headers.has('x-forwarded-for') && !THIS_MACHINE.has(address) && !trusted.has(address)
}

/** Whether somebody on this machine asks, with nobody in between who would say so. */
export function isFromThisMachine(headers: Headers, direct: string | undefined): boolean {
  const told = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']
  return direct !== undefined && THIS_MACHINE.has(plain(direct)) && !told.some(name => headers.has(name))
}

/** What counts as one household or machine: an address, of IPv6 the network of 64 bits that it has to itself. */
export function toNetworkAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = (URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address).split('::')
  const [first, last] = [head.split(':').filter(Boolean), (tail ?? '').split(':').filter(Boolean)]
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last].slice(0, 4).join(':')
}

/** Without a port, and IPv4 as IPv4. */
function plain(address: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
  return /^::ffff:([\d.]+)$/i.exec(bare)?.[1] ?? bare
}
