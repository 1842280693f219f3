// E-mails and passwords come in the wire format of the specification or plain (decisions §2).
import { openWire } from '@balcao/contract'
import type { Config } from '../../platform/config.ts'

/** The text of something that came in, whichever way it was sent. */
export async function openSecret({ sharedSecret }: Pick<Config, 'sharedSecret'>, input: string): Promise<string> {
  return (await openWire(sharedSecret, input)) ?? input
}
