// Where providers knock. The raw bytes go to the connection's driver, which knows how to tell a true message from a false one.

import { rm } from 'node:fs/promises'
import { KIND_TABLE, type Kind, MB } from '@balcao/contract'
import { countOne } from '../../desk/connections/counts.ts'
import { receiveFile } from '../../desk/media/folder.ts'
import { checkAnnouncedSize, limitBytes, readBytes, streamChunks } from '../../platform/http/body.ts'
import { AppError, createRefusalResponse } from '../../platform/http/errors.ts'
import { BytesInFlight, STRANGERS } from '../../platform/http/in-flight.ts'
import { parseId } from '../../platform/http/validate.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import type { Arrival, Route } from '../../policy/kit/serve.ts'
import { getKindModule } from '../channels/registry.ts'

const WEBHOOK_LIMIT = 4 * MB
/** In memory; nearly all are smaller by far. */
const HELD_LIMIT = 64 * 1024
const SECONDS = 30
/** On the disk. */
const SPOOLED = new BytesInFlight(128 * MB, 32 * MB)
const PLAIN = { headers: { 'content-type': 'text/plain; charset=utf-8' } }

export function webhookRoutes(): Route[] {
  return [
    { method: 'GET', path: '/webhooks/:provider/:whatsappId', answer: confirm },
    { method: 'POST', path: '/webhooks/:provider/:whatsappId', answer: take },
  ]
}

/** A provider asks once whether the address is ours: whoever knows the secret gets the challenge back. */
const confirm: Route['answer'] = async ({ request, params }, { config, supervisor }) => {
  const { api } = await resolveWebhookConnection({ supervisor }, params)
  const challenge = getKindModule(api).challenge?.(new URL(request.url).searchParams, config) ?? null
  if (challenge === null) throw new AppError('ERR_NO_PERMISSION')
  return new Response(challenge.slice(0, 200), PLAIN)
}

/** 200 only after what came is committed; anything else makes the provider try again (design "In"). */
const take: Route['answer'] = async ({ request, params, address }, { supervisor, db, metrics, config }) => {
  const { id, api } = await resolveWebhookConnection({ supervisor }, params)
  const raw = await readWebhookBody({ request, address }, config.dataDir)
  const { status } = await supervisor.webhook(id, { headers: request.headers, raw })
  if (status === 200 || status === 401) countOne(db, id, status === 200 ? 'webhook' : 'refused')
  if (status === 401) metrics.refusedWebhooks.inc({ kind: api })
  switch (status) {
    case 200:
      return new Response('ok', PLAIN)
    case 401:
      return createRefusalResponse('ERR_BAD_SIGNATURE', request)
    case 400:
      return createRefusalResponse('ERR_BAD_REQUEST', request)
    case 503:
      return createRefusalResponse('ERR_NOT_READY', request)
  }
}

/**
 * What came, as its signature covers all of it. Who sent it is known only after the last byte, so until then a large one lies on the disk:
 * memory is for what is whole.
 */
async function readWebhookBody(
  { request, address }: Pick<Arrival, 'request' | 'address'>,
  dataDir: string,
): Promise<Uint8Array> {
  checkAnnouncedSize(request, WEBHOOK_LIMIT)
  const announced = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  if (announced <= HELD_LIMIT)
    return readBytes(request, address, { most: HELD_LIMIT, seconds: SECONDS, inFlight: STRANGERS })
  const body = limitBytes(streamChunks(request, SECONDS), WEBHOOK_LIMIT)
  const flight = SPOOLED.begin(address)
  try {
    flight.hold(Math.min(announced, WEBHOOK_LIMIT))
    const { path } = await receiveFile(dataDir, body, WEBHOOK_LIMIT)
    try {
      return await Bun.file(path).bytes()
    } finally {
      await rm(path, { force: true })
    }
  } finally {
    flight.end()
  }
}

/** Before anything else is looked at: nobody asks for a connection that is not there. Throws `ERR_NO_WAPP_FOUND`. */
async function resolveWebhookConnection(
  { supervisor }: Pick<Parts, 'supervisor'>,
  { provider, whatsappId = '' }: Readonly<Record<string, string>>,
): Promise<{ id: number; api: Kind }> {
  const id = parseId(whatsappId, 'ERR_NO_WAPP_FOUND')
  const api = await supervisor.kindOf(id)
  if (!api || KIND_TABLE[api].webhookPath !== provider) throw new AppError('ERR_NO_WAPP_FOUND')
  return { id, api }
}
