// What somebody has to be allowed for a kind of long work, from its beginning to the last time its file is asked for.
import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database/client.ts'
import { isReportStillAllowed } from '../../policy/access/report-scope.ts'
import { users } from '../../policy/users/table.ts'

/** The flags of a person for the contact book (spec 3 §6). */
export type ContactRight = 'add' | 'edit' | 'del'

/** Kinds that are not named are everybody's. */
const NEEDED: Readonly<Record<string, ContactRight | 'admin' | 'manager'>> = {
  'contacts.import': 'edit',
  'contacts.phone': 'edit',
  'contacts.export': 'edit',
  'contacts.assign': 'edit',
  'contacts.delegation': 'add',
  'contacts.exportDelegation': 'add',
  'contacts.clear': 'del',
  'contacts.remove': 'del',
  'ratings.export': 'admin',
  'sends.recipients': 'manager',
  'log.export': 'admin',
  'privacy.export': 'admin',
  'moveIn.read': 'admin',
  'moveIn.write': 'admin',
  'moveIn.files': 'admin',
  'moveIn.undo': 'admin',
}

/** Whether a person may still have done what work of a kind does, begun with these parameters, and see what came of it. */
export async function isStillAllowed(
  db: Db | Tx,
  job: { readonly kind: string; readonly params: unknown },
  userId: number,
): Promise<boolean> {
  const { kind } = job
  if (kind.startsWith('report.')) return isReportStillAllowed(db, job, userId)
  const { addContact: add, editContact: edit, delContact: del } = users
  const [row] = await db
    .select({ add, edit, del, active: users.active, profile: users.profile, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (!row?.active || row.deletedAt !== null) return false
  const needed = NEEDED[kind]
  if (needed === 'admin') return row.profile === 'admin'
  if (needed === 'manager') return row.profile !== 'user'
  return needed === undefined || row[needed]
}
