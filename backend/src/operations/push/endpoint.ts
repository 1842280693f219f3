// Which addresses may be the endpoint of a push service: whoever is signed in names one and the server calls it.
import { isPublicHost } from '../../platform/http/public-host.ts'

/** Public https, or an origin the operator allows. Addresses of machines and of the network inside are none. */
export function isPushEndpoint(endpoint: string, allowedOrigins: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, origin, username } = new URL(endpoint)
  if (allowedOrigins.includes(origin)) return true
  return protocol === 'https:' && username === '' && isPublicHost(hostname)
}
