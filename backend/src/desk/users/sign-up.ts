// Self sign-up (decisions §5, userCreation): the new person is inactive until an administrator says otherwise.
import { type RequestBody, type ResponseBody, signUpRules } from '@balcao/contract'
import { toNetworkAddress } from '../../platform/http/addresses.ts'
import { AppError, validateFields } from '../../platform/http/errors.ts'
import { hashEmail, seal } from '../../platform/seal.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import { countAttempt, createAccountLimit } from '../../policy/sessions/attempts.ts'
import { limitConcurrency } from '../../policy/sessions/concurrency.ts'
import { openSecret } from '../../policy/sessions/secrets.ts'
import { hashPassword } from '../../policy/sessions/sign-in.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { publishUserEvents } from '../../policy/users/present.ts'
import { users } from '../../policy/users/table.ts'

/**
 * Throws `ERR_USER_CREATION_DISABLED`, `ERR_SYSTEM_BLOCKED`, `ERR_VALIDATION`, `ERR_DUPLICATED_EMAIL`, and
 * `ERR_TOO_MANY_ATTEMPTS`: each sign-up counts for its address, so nobody fills the company with people or asks for e-mails.
 */
export async function signUp(
  parts: Parts,
  form: RequestBody<'POST /auth/signup'>,
  address: string,
): Promise<ResponseBody<'POST /auth/signup'>> {
  const { db, config } = parts
  if (parts.license.blocked()) throw new AppError('ERR_SYSTEM_BLOCKED')
  if (!(await readSettings(db)).userCreation) throw new AppError('ERR_USER_CREATION_DISABLED')
  const [email, password] = await Promise.all([openSecret(config, form.email), openSecret(config, form.password)])
  const person = validateFields(signUpRules, { name: form.name, email, password })
  await countAttempt(db, [createAccountLimit(`signup:${toNetworkAddress(address)}`)])
  const hash = await limitConcurrency(() => hashPassword(person.password))
  const id = await change(parts, async tx => {
    const made = {
      name: person.name,
      emailSealed: seal(config.dataKey, person.email),
      emailHash: hashEmail(config.dataKey, person.email),
      passwordHash: hash,
      active: false,
      awaitingApproval: true,
    }
    const [row] = await tx.insert(users).values(made).onConflictDoNothing({ target: users.emailHash }).returning()
    if (!row) throw new AppError('ERR_DUPLICATED_EMAIL')
    await writeLog(tx, { action: 'user.signUp', userId: row.id, entityId: row.id })
    await publishUserEvents(tx, config, [row.id], 'create')
    return row.id
  })
  return { id, name: person.name, active: false }
}
