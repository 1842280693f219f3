// What an error of a driver's own means for a send.
import type { ChannelError, SendResult } from '../../../platform/channel/driver.ts'

type Failure = Extract<SendResult, { ok: false }>

/** Nothing of it reached the provider: it is tried again. */
export const NOT_HANDED_OVER: Failure = {
  ok: false,
  outcome: 'retry',
  code: 'not_handed_over',
  text: 'It could not be handed over',
  afterMs: 5000,
}

/** It can never be sent, unless what is ours failed on the way to it. */
export function toFailure({ code, message }: ChannelError): Failure {
  return code === NOT_HANDED_OVER.code ? NOT_HANDED_OVER : { ok: false, outcome: 'refused', code, text: message }
}
