// Who runs a connection: one process at a time. What it writes counts only while nobody has taken the connection over.
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

export interface OwnedConnection {
  readonly whatsappId: number
  readonly epoch: number
}

/** The connection has a newer owner: whoever gets this stops at once. */
export class FencedError extends Error {
  constructor() {
    super('The connection has another owner')
    this.name = 'Fenced'
  }
}

/** Holds the connection's row so that no take-over can happen until the transaction ends. Throws `Fenced`. */
export async function checkEpoch(tx: Tx, { whatsappId, epoch }: OwnedConnection): Promise<void> {
  const rows = await getSql(tx)`select 1 from whatsapp where id = ${whatsappId} and epoch = ${epoch} for share`
  if (rows.length === 0) throw new FencedError()
}
