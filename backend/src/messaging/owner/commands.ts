// Asking a connection's owner for something, from any process: a row, a ring, an answer in the row.

import type { ConnectionCommand } from '../../desk/connections/table.ts'
import type { Db } from '../../platform/database/client.ts'
import type { Notices } from '../../platform/database/notices.ts'
import { getSql } from '../../platform/database/raw.ts'

export interface PendingCommand {
  readonly id: number
  readonly whatsappId: number
  readonly command: ConnectionCommand
  readonly argument: string | null
}

/** Nobody answered: no process runs the connection. */
export class NoOwnerError extends Error {
  constructor() {
    super('No process runs this connection')
    this.name = 'NoOwnerError'
  }
}

/** The owner tried and could not; the text is its own. */
export class CommandError extends Error {
  constructor(readonly code: string) {
    super(code)
    this.name = 'CommandError'
  }
}

const LOOK_MS = 250
/** Our own clients wait for longer, so that people read what the server says of it. */
export const COMMAND_WAIT_MS = 30_000

/** Asks and waits for the answer. Throws `NoOwnerError` after `withinMs`, `CommandError`. */
export async function runCommand(
  db: Db,
  notices: Notices,
  asking: { whatsappId: number; command: ConnectionCommand; argument?: string },
  withinMs = COMMAND_WAIT_MS,
): Promise<unknown> {
  const sql = getSql(db)
  const [row] = await sql<{ id: string }[]>`
    insert into whatsapp_command (whatsapp_id, command, argument)
    values (${asking.whatsappId}, ${asking.command}, ${asking.argument ?? null}) returning id`
  const id = row?.id ?? '0'
  notices.ring('connection')
  for (const until = Date.now() + withinMs; Date.now() < until; await Bun.sleep(LOOK_MS)) {
    const [now] = await sql<{ state: string; answer: unknown; error: string | null }[]>`
      select state, answer, error from whatsapp_command where id = ${id}`
    if (now?.state === 'done') return now.answer
    if (now?.state === 'failed') throw new CommandError(now.error ?? 'error')
  }
  await sql`update whatsapp_command set state = 'failed', error = 'no owner' where id = ${id} and state = 'waiting'`
  throw new NoOwnerError()
}

/** What is asked of the connections this process runs, oldest first. */
export async function listPendingCommands(db: Db, whatsappIds: readonly number[]): Promise<PendingCommand[]> {
  if (whatsappIds.length === 0) return []
  return getSql(db)<PendingCommand[]>`
    select id::float8 as id, whatsapp_id as "whatsappId", command, argument from whatsapp_command
    where state = 'waiting' and whatsapp_id = any(${[...whatsappIds]}::int[]) and created_at > now() - interval '1 minute'
    order by whatsapp_command.id`
}

/** Writes the answer; whoever asked finds it there. */
export async function answerCommand(
  db: Db,
  id: number,
  result: { answer: unknown } | { error: string },
): Promise<void> {
  const [state, value, error] = 'error' in result ? ['failed', null, result.error] : ['done', result.answer, null]
  await getSql(db)`
    update whatsapp_command set state = ${state}, answer = ${value === null || value === undefined ? null : JSON.stringify(value)}::text::jsonb, error = ${error}
    where id = ${id} and state = 'waiting'`
}
