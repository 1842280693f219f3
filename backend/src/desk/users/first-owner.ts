// The first start with no users makes the owner (decisions §2).
import { OWNER_NAME } from '@balcao/contract/users/owner'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { hashEmail, seal } from '../../platform/seal.ts'
import { hashPassword } from '../../policy/sessions/sign-in.ts'
import { createOpaqueToken } from '../../policy/sessions/tokens.ts'

const DEFAULT_EMAIL = 'admin@balcao.local'

/** What to tell the person at the terminal, once; null when there was somebody already. */
export interface FirstOwner {
  readonly email: string
  /** Null: the one from ADMIN_PASSWORD, which needs no repeating. */
  readonly password: string | null
}

/** How it is told at the terminal; null where there is nothing to tell. */
export function formatFirstSignIn(owner: FirstOwner | null): string | null {
  return owner?.password
    ? `First sign-in: ${owner.email} · ${owner.password}  (shown only now; change it after signing in)`
    : null
}

/** Creates user 1 from ADMIN_EMAIL and ADMIN_PASSWORD, or with a random password that is shown once and stored nowhere. */
export async function makeFirstOwner(db: Db, config: Config): Promise<FirstOwner | null> {
  const email = config.admin.email ?? DEFAULT_EMAIL
  const random = config.admin.password === null ? `${createOpaqueToken().slice(0, 14)}-A9` : null
  const [known] = await getSql(db)`select 1 from "user" limit 1`
  if (known) return null
  const hash = await hashPassword(config.admin.password ?? random ?? '')
  const made = await getSql(db)`
    insert into "user" (name, email_sealed, email_hash, password_hash, profile, del_contact, must_change_password)
    select ${OWNER_NAME}, ${seal(config.dataKey, email)}, ${hashEmail(config.dataKey, email)}, ${hash}, 'admin', true, ${random !== null}
    where not exists (select 1 from "user") on conflict do nothing returning 1`
  return made.length > 0 ? { email, password: random } : null
}
