// What stays inside a conversation: lines about the ticket, and comments. The ticket's event is the caller's.
import { fillBraces } from '@balcao/contract'
import pt from '@balcao/contract/texts/lines/pt.json'
import type { Tx } from '../../platform/database/client.ts'
import { toPersonId, toWriter } from '../../policy/users/viewer.ts'
import { appendMessages } from './append.ts'
import { publishMessageEvents } from './present.ts'

/** A line about the ticket in its conversation: a code for our screens, and the words of it for everybody else. */
export interface SystemLine {
  readonly code: string
  readonly text: string
  readonly params: Readonly<Record<string, string>>
}

/** A line about what happened by itself, in the words of the screens. */
export function composeLine(code: keyof typeof pt.system, params: SystemLine['params'] = {}): SystemLine {
  return { code, text: fillBraces(pt.system[code], params), params }
}

/** A line about what somebody did. */
export function createSystemLine(
  { name }: { name: string },
  code: string,
  did: string,
  more: SystemLine['params'] = {},
): SystemLine {
  return { code, text: `${name} ${did}`, params: { user: name, ...more } }
}

export function writeLine(tx: Tx, ticketId: number, userId: number | null, line: SystemLine): Promise<void> {
  return writeLines(tx, userId, [{ ticketId, line }])
}

/** A line in each of several locked tickets, in the same few statements however many they are. */
export async function writeLines(
  tx: Tx,
  userId: number | null,
  lines: readonly { readonly ticketId: number; readonly line: SystemLine }[],
): Promise<void> {
  const rows = lines.map(({ ticketId, line: { code, params, text: body } }) => {
    return {
      ticketId,
      userId: toPersonId(userId),
      body,
      mediaType: 'system',
      state: 'sent',
      system: { code, params },
    } as const
  })
  const ticketIds = lines.map(({ ticketId }) => ticketId)
  await publishMessageEvents(tx, await appendMessages(tx, rows), 'create', ticketIds)
}

export async function writeComment(
  tx: Tx,
  ticketId: number,
  by: Parameters<typeof toWriter>[0],
  body: string,
): Promise<void> {
  const row = { ticketId, ...toWriter(by), body, mediaType: 'comment', state: 'sent' } as const
  await publishMessageEvents(tx, await appendMessages(tx, [row]), 'create', [ticketId])
}
