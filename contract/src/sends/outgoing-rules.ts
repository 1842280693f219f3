// What may go out on a connection, to many or at an hour: the rules that forms of sends and of scheduled sends share (decisions §15).

import type { Kind } from '../connections/kind-names.ts'
import { KIND_TABLE } from '../connections/kinds.ts'
import { LIMITS } from '../kit/limits.ts'
import { isComment } from '../messages/comments.ts'

/** What customers are to get. */
export interface OutgoingContent {
  readonly text: string
  readonly hasFile: boolean
  readonly hasTemplate: boolean
}

export type OutgoingProblem = 'messageLong' | 'messageComment' | 'templateNotOffered'

/** How long a text is that does not fit, and how long it may be. */
export type LengthExcess = Readonly<Record<'length' | 'most', number>>

export interface TextFault {
  readonly code: Exclude<OutgoingProblem, 'templateNotOffered'>
  readonly params?: LengthExcess
}

export interface OutgoingFaults {
  readonly text: TextFault | null
  readonly template: Extract<OutgoingProblem, 'templateNotOffered'> | null
}

/** `kind` of the connection; undefined where none is there to ask. */
export function validateOutgoing(
  { text, hasFile, hasTemplate }: OutgoingContent,
  kind: Kind | undefined,
): OutgoingFaults {
  const trimmed = text.trim()
  return {
    text:
      findLengthFault(trimmed, getMaxTextLength(kind, hasFile)) ??
      (isComment(trimmed) ? { code: 'messageComment' } : null),
    template: hasTemplate && kind && !KIND_TABLE[kind].can.templates ? 'templateNotOffered' : null,
  }
}

/** What is wrong with a text that may be only so long, with how long it is. */
export function findLengthFault(text: string, most: number): TextFault | null {
  return text.length > most ? { code: 'messageLong', params: { length: text.length, most } } : null
}

/** How long a text may be: under a file it is shorter on some kinds. */
export function getMaxTextLength(kind: Kind | undefined, hasFile: boolean): number {
  const most = kind && KIND_TABLE[kind].most
  return (hasFile ? most?.caption : most?.text) ?? LIMITS.textLength
}
