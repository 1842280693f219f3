// Who was told that a ticket is in the way may ask for it without seeing it: what told so gave a pass, good for this person, this ticket
// and some minutes.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../platform/config.ts'

const PASS_MS = 10 * 60_000

interface Asking {
  readonly userId: number
  readonly ticketId: number
}

/** A pass to ask for a ticket. */
export function createAskPass(config: Pick<Config, 'jwtSecret'>, asking: Asking, now = Date.now()): string {
  const until = now + PASS_MS
  return `${until}.${sign(config, asking, until)}`
}

/** Whether this is a pass for it that has not run out. */
export function isAskPass(config: Pick<Config, 'jwtSecret'>, asking: Asking, pass: string, now = Date.now()): boolean {
  const [until = '', signature = ''] = pass.split('.')
  const expected = Buffer.from(sign(config, asking, Number(until)))
  const received = Buffer.from(signature)
  return Number(until) > now && received.length === expected.length && timingSafeEqual(received, expected)
}

function sign({ jwtSecret }: Pick<Config, 'jwtSecret'>, { userId, ticketId }: Asking, until: number): string {
  return createHmac('sha256', jwtSecret).update(`ticket.ask ${userId} ${ticketId} ${until}`).digest('base64url')
}
