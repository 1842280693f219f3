// Which connection is the default: there is always exactly one (decisions-2 §22).
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { publishConnectionEvents } from './present.ts'
import { connections } from './table.ts'

/** Any number, the same in every version of the product. */
const ONE_DEFAULT = 7_114_005
const IS_DEFAULT = and(isNull(connections.deletedAt), connections.isDefault)

/** Somebody saved the form: whoever has an older one open is told. */
export const SAVED = {
  updatedAt: sql`now()`,
  version: sql`${connections.version} + 1`,
  savedVersion: sql`${connections.version} + 1`,
}

/** Before any row of a connection is locked: of two who choose another default at once the second sees what the first chose. */
export async function lockDefaultConnection(tx: Tx): Promise<void> {
  await getSql(tx)`select pg_advisory_xact_lock(${ONE_DEFAULT})`
}

/** Makes room for another one, or the unique index would refuse. */
export async function clearOtherDefaults(tx: Tx, heir: number): Promise<void> {
  const rows = await tx
    .update(connections)
    .set({ isDefault: false, ...SAVED })
    .where(and(IS_DEFAULT, ne(connections.id, heir)))
    .returning({ id: connections.id })
  const ids = rows.map(row => row.id)
  await publishConnectionEvents(tx, ids, 'update')
}

export async function hasDefaultConnection(tx: Tx): Promise<boolean> {
  return (await tx.$count(connections, IS_DEFAULT)) > 0
}

/** The default stays while there are others; the only one may go. Throws `ERR_NO_OTHER_WHATSAPP`. */
export async function checkDefaultRemovable(tx: Tx, id: number): Promise<void> {
  const here = await tx.$count(connections, and(IS_DEFAULT, eq(connections.id, id)))
  const others = await tx.$count(connections, and(isNull(connections.deletedAt), ne(connections.id, id)))
  if (here > 0 && others > 0) throw new AppError('ERR_NO_OTHER_WHATSAPP')
}
