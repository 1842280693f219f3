// Where providers knock. The raw bytes go to the connection's driver, which knows how to tell a true message from a false one.
import { MB } from '@balcao/contract'
import { challengeOf } from '../channels/cloud-api/signature.ts'
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
const confirm: Route['answer'] = async ({ request }, { config }) => {
  const challenge = challengeOf(new URL(request.url).searchParams, config.graph.verifyToken)
  if (challenge === null) throw new AppError('ERR_NO_PERMISSION')
  return new Response(challenge.slice(0, 200), { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}

/** 200 only after what came is committed; anything else makes the provider try again (design "In"). */
const take: Route['answer'] = async ({ request, params }, { supervisor }) => {
  const id = idOf(params.whatsappId ?? '', 'ERR_NO_WAPP_FOUND')
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
