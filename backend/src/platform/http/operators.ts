// Who may see how the desk does: figures and details tell of connections and how much goes on, so not everybody.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { isFromThisMachine, resolveClientAddress, THIS_MACHINE } from './addresses.ts'

/** A request and the address at the other end of its line. */
export interface OperatorRequest {
  readonly request: Request
  readonly direct: string | undefined
}

/** Whether who asks brings METRICS_TOKEN, or asks from an address of METRICS_FROM. */
export function isOperatorRequest(
  { operators, trustedProxies }: Config,
  { request, direct }: OperatorRequest,
): boolean {
  const { headers } = request
  const token = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (operators.token !== null && token !== undefined && isSame(token, operators.token)) return true
  const address = resolveClientAddress(headers, direct, trustedProxies)
  if (!operators.from.has(address)) return false
  // From this machine: without a proxy in between, which may bring anybody.
  return !THIS_MACHINE.has(address) || isFromThisMachine(headers, direct)
}

function isSame(input: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(input), hash(token))
}
