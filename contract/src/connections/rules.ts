// What holds for a connection besides its fields' own form (spec 2 §5): for the page and the server alike.

import { stripAccents, stripDirectionMarks } from '../kit/validation.ts'
import type { Kind } from './kind-names.ts'
import { KIND_TABLE } from './kinds.ts'

/** What is asked and thanked with at the end of a conversation, where nobody wrote something else. */
export const RATING_TEXTS = {
  npsMessage: 'De 1 a 5, que nota você dá para este atendimento?',
  npsTksMessage: 'Obrigado pela sua avaliação!',
} as const

/** With more than one queue customers have to be told which there are. */
export function isGreetingMissing(queueIds: readonly number[], greeting: string): boolean {
  return new Set(queueIds).size > 1 && greeting.trim() === ''
}

/**
 * The name a new connection gets: the gateway behind it takes only one without accents, blanks and slashes, and never the same twice.
 * @example makeConnectionName(kind, 'São José / Loja', 1764000000000) // 'Sao_Jose___Loja_1764000000000'
 */
export function makeConnectionName(kind: Kind, name: string, now: number): string {
  const clean = stripDirectionMarks(name).trim()
  return KIND_TABLE[kind].gateway ? `${stripAccents(clean).replace(/[\s/\\]/g, '_')}_${now}` : clean
}

/** None is right, too. Whether its host is public the server says. */
function validateFlowAddress(address: string): 'addressWrong' | null {
  const text = address.trim()
  if (text === '') return null
  if (!URL.canParse(text) || /\s/.test(text)) return 'addressWrong'
  const { protocol, username } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' ? null : 'addressWrong'
}

/** Whether its tickets begin with a flow of Typebot's in place of the questions (decisions-2 §10). Of a brief one: what it says. */
export function hasFlow(connection: Flow | { readonly hasFlow?: boolean }): boolean {
  if (!('publicDNSTypebot' in connection)) return connection.hasFlow === true
  return connection.publicDNSTypebot.trim() !== '' && connection.publicIDTypebot.trim() !== ''
}

interface Flow {
  readonly publicDNSTypebot: string
  readonly publicIDTypebot: string
}

/** What is wrong with where a connection's flow is (decisions-2 §10): its address and its name belong together. */
export function validateFlow({ publicDNSTypebot, publicIDTypebot }: Flow): {
  readonly publicDNSTypebot?: 'addressWrong' | 'flowAddressMissing'
  readonly publicIDTypebot?: 'flowIdWrong' | 'flowIdMissing'
} {
  const [address, id] = [publicDNSTypebot.trim(), publicIDTypebot.trim()]
  const wrong = validateFlowAddress(address) ?? (address === '' && id !== '' ? 'flowAddressMissing' : null)
  // Who copies a bot's address copies its name with it.
  const odd = /[\s/?#%\\]/.test(id) ? 'flowIdWrong' : id === '' && address !== '' ? 'flowIdMissing' : null
  return { ...(wrong && { publicDNSTypebot: wrong }), ...(odd && { publicIDTypebot: odd }) }
}
