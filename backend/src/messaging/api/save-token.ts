// Adding, changing and revoking tokens of programs.
import { type ApiToken, apiTokenRules, LIMITS, type RequestBody, type ResponseBody } from '@balcao/contract'
import { eq, sql } from 'drizzle-orm'
import { areQueuesPresent } from '../../desk/queues/existing.ts'
import type { Tx } from '../../platform/database/client.ts'
import { AppError, createFieldError, validateFields } from '../../platform/http/errors.ts'
import { isHidden, OWNER_ID } from '../../policy/access/hidden-owner.ts'
import { createRowStore, rejectStale } from '../../policy/kit/kept-rows.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { createApiToken, splitStoredToken } from '../../policy/settings/api-token.ts'
import { findViewer } from '../../policy/users/viewer.ts'
import { apiTokens } from './table.ts'
import { loadApiTokens } from './token-list.ts'

const store = createRowStore({
  name: 'apiToken',
  missing: 'ERR_NOT_FOUND',
  load: loadApiTokens,
  seen: {
    canSee: (viewer, { user }: ApiToken) => viewer.profile === 'admin' && (user === null || !isHidden(viewer, user.id)),
    toAudience: ({ user }: ApiToken) => (user?.id === OWNER_ID ? { to: 'user', userId: OWNER_ID } : { to: 'admins' }),
  },
})

/** A form that comes again makes no second token, but the one it made gets another secret: the first was told to nobody. Throws `ERR_VALIDATION`, `ERR_NO_USER_FOUND`. */
export async function addApiToken(
  parts: Parts,
  session: Session,
  body: RequestBody<'POST /integrations/tokens'>,
): Promise<ResponseBody<'POST /integrations/tokens'>> {
  const { name, scopes = [], perMinute = LIMITS.apiPerMinute } = body
  const values = validateFields(apiTokenRules, { name, scopes, perMinute })
  const { token, stored } = createApiToken()
  const secret = splitStoredToken(stored)
  const form = { clientId: body.clientId, content: body }
  let isMade = false
  const row = await store.add(parts, session, form, make, id => editApiToken(parts, session, id, body))
  if (!isMade) await parts.db.update(apiTokens).set(secret).where(eq(apiTokens.id, row.id))
  return { ...row, hint: secret.hint, token }

  async function make(tx: Tx) {
    const holder = await checkHolder(tx, session, { userId: null, queueIds: null, ...body })
    const [made] = await tx
      .insert(apiTokens)
      .values({ ...values, ...secret, ...holder, ...readExpiry(body) })
      .returning()
    isMade = true
    return made
  }
}

/** What is not given stays as it is. Throws also `ERR_NOT_FOUND`, `ERR_CHANGED_MEANWHILE` with the token as it is now. */
export async function editApiToken(
  parts: Parts,
  session: Session,
  id: number,
  body: RequestBody<'PUT /integrations/tokens/:id'>,
): Promise<ApiToken> {
  const { name, scopes, perMinute } = body
  const values = validateFields(apiTokenRules, { name, scopes, perMinute })
  return store.save(parts, session, async tx => {
    await tx.select({ id: apiTokens.id }).from(apiTokens).where(eq(apiTokens.id, id)).for('no key update')
    rejectStale(await store.find(tx, session, id), body.version)
    const [row] = await tx
      .update(apiTokens)
      .set({
        ...values,
        ...(await checkHolder(tx, session, body)),
        ...readExpiry(body),
        version: sql`${apiTokens.version} + 1`,
      })
      .where(eq(apiTokens.id, id))
      .returning()
    return row
  })
}

/** Nothing opens with it from then on. Throws `ERR_NOT_FOUND`. */
export function revokeApiToken(parts: Parts, session: Session, id: number): Promise<void> {
  return store.remove(parts, session, async tx => {
    const before = await store.find(tx, session, id)
    const gone = await tx.delete(apiTokens).where(eq(apiTokens.id, id)).returning({ id: apiTokens.id })
    return gone.length > 0 ? before : undefined
  })
}

type Holder = Pick<RequestBody<'PUT /integrations/tokens/:id'>, 'userId' | 'queueIds'>

/** A person who is there, or the company with queues that are there; nobody acts as the owner but the owner. */
async function checkHolder(tx: Tx, { viewer }: Session, { userId, queueIds }: Holder): Promise<Holder> {
  if (userId === undefined && queueIds === undefined) return {}
  if (userId) {
    if (queueIds) throw createFieldError('queueIds', 'apiToken.holder')
    if (isHidden(viewer, userId) || !(await findViewer(tx, userId))) throw new AppError('ERR_NO_USER_FOUND')
    return { userId, queueIds: null }
  }
  if (!queueIds?.length) throw createFieldError('queueIds', 'apiToken.holder')
  const ids = [...new Set(queueIds)]
  if (!(await areQueuesPresent(tx, ids))) throw createFieldError('queueIds', 'call.queue')
  return { userId: null, queueIds: ids }
}

function readExpiry({ expiresAt }: { readonly expiresAt?: string | null | undefined }) {
  if (!expiresAt) return expiresAt === null ? { expiresAt } : {}
  const at = Date.parse(expiresAt)
  if (!(at > Date.now() && at < MOST_YEARS_MS + Date.now())) throw createFieldError('expiresAt', 'apiToken.expiry')
  return { expiresAt: new Date(at).toISOString() }
}

const MOST_YEARS_MS = 100 * 365 * 86_400_000
