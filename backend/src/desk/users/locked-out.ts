// A one-time password for who is locked out, given on the server's machine by whoever runs it (decisions-2 §21).

import { and, eq, isNull, sql } from 'drizzle-orm'
import { runWithInstallation } from '../../platform/database/installation.ts'
import { runInTransaction } from '../../platform/database/transaction.ts'
import { hashEmail } from '../../platform/seal.ts'
import { writeLog } from '../../policy/log/write.ts'
import { signOutEverywhere } from '../../policy/sessions/sign-out.ts'
import { users } from '../../policy/users/table.ts'
import { createOneTimePassword, hashNewPassword } from './passwords.ts'

/** Somebody's one-time password, shown by this answer alone; all sessions end. Null: nobody has this e-mail. Throws as `runWithInstallation`. */
export function resetLockedOut(
  env: Readonly<Record<string, string | undefined>>,
  email: string,
): Promise<{ id: number; name: string; active: boolean; password: string } | null> {
  return runWithInstallation(env, async ({ db, config }) => {
    const password = createOneTimePassword(config)
    const passwordHash = await hashNewPassword(password)
    const found = await runInTransaction(db, async tx => {
      const [user] = await tx
        .update(users)
        .set({ passwordHash, mustChangePassword: true, updatedAt: sql`now()`, version: sql`${users.version} + 1` })
        .where(and(eq(users.emailHash, hashEmail(config.dataKey, email)), isNull(users.deletedAt)))
        .returning({ id: users.id, name: users.name, active: users.active })
      if (!user) return null
      await signOutEverywhere(tx, user.id)
      await writeLog(tx, { action: 'user.resetPassword', entityId: user.id })
      return user
    })
    return found && { ...found, password }
  })
}
