// Where providers knock. The raw bytes go to the connection's driver, which knows how to tell a true message from a false one.
import { MB } from '@balcao/contract'
import { challengeOf } from '../channels/cloud-api/signature.ts'
import type { Db } from '../database/client.ts'
import { sqlOf } from '../database/raw.ts'
import { readBytes } from '../http/body.ts'
import { AppError, refusal } from '../http/errors.ts'
import type { Route } from '../http/serve.ts'
import { idOf } from '../http/validate.ts'

const WEBHOOK_LIMIT = 4 * MB

export function webhookRoutes(): Route[] {
  return [
    { method: 'GET', path: '/webhooks/cloud/:whatsappId', answer: confirm },
    { method: 'POST', path: '/webhooks/cloud/:whatsappId', answer: take },
  ]
}

/** Meta asks once whether the address is ours: whoever knows the verify token gets the challenge back. */
const confirm: Route['answer'] = async ({ request, params }, { config, db }) => {
  await connectionIn(db, params)
  const challenge = challengeOf(new URL(request.url).searchParams, config.graph.verifyToken)
  if (challenge === null) throw new AppError('ERR_NO_PERMISSION')
  return new Response(challenge.slice(0, 200), { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

/** 200 only after what came is committed; anything else makes the provider try again (design "In"). */
const take: Route['answer'] = async ({ request, params }, { supervisor, db }) => {
  const id = await connectionIn(db, params)
  const raw = await readBytes(request, WEBHOOK_LIMIT)
  const { status } = await supervisor.webhook(id, { headers: request.headers, raw })
  switch (status) {
    case 200:
      return new Response('ok', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
    case 401:
      return refusal('ERR_BAD_SIGNATURE')
    case 400:
      return refusal('ERR_BAD_REQUEST')
    case 503:
      return refusal('ERR_NOT_READY')
  }
}

/** Before anything else is looked at: nobody asks for a connection that is not there. Throws `ERR_NO_WAPP_FOUND`. */
async function connectionIn(db: Db, params: Readonly<Record<string, string>>): Promise<number> {
  const id = idOf(params.whatsappId ?? '', 'ERR_NO_WAPP_FOUND')
  const known = await sqlOf(db)`select 1 from whatsapp where id = ${id} and api = 'cloud_api' and deleted_at is null`
  if (known.length === 0) throw new AppError('ERR_NO_WAPP_FOUND')
  return id
}
