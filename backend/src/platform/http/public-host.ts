// Addresses that people name and the server calls: of public hosts, so that nobody reaches into the network by them.
import { isIP } from 'node:net'

/** Public https, or a host the operator names: `host` or `host:port`, then also without TLS. */
export function isPublicAddress(address: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, host, username } = new URL(address)
  if (username !== '' || !/^https?:$/.test(protocol)) return false
  if (allowed.includes(host) || allowed.includes(hostname)) return true
  return protocol === 'https:' && isPublicHost(hostname)
}

/** Named as hosts of the internet are. Addresses of machines and names of a network inside are not. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) === 0 && host.includes('.') && !INSIDE.test(host)
}

const INSIDE = /\.(local|localhost|internal|intranet|lan|home|corp|arpa)$/i
