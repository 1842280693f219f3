// Which addresses may be the endpoint of a push service: whoever is signed in names one and the server calls it.
import { isIP } from 'node:net'

/** Public https, or an origin the operator allows. Addresses of machines and of the network inside are none. */
export function isPushEndpoint(endpoint: string, allowedOrigins: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, origin, username } = new URL(endpoint)
  if (allowedOrigins.includes(origin)) return true
  if (protocol !== 'https:' || username !== '') return false
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) === 0 && host.includes('.') && !INSIDE.test(host)
}

const INSIDE = /\.(local|localhost|internal|intranet|lan|home|corp|arpa)$/i
