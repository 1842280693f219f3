// The HTTP surface of the double: Bearer check, then one function an endpoint.
import { extractDigits, listPhoneVariants } from '@balcao/contract/contacts/phone'
import type { BusinessContent, GraphMediaRef, GraphOutgoing, Media, MediaFile } from './content.ts'
import type { GraphCustomerPhone } from './customer-phone.ts'
import { createWebhookError, GraphCallError } from './errors.ts'
import { GraphFields } from './fields.ts'
import { findCustomerByPhone, type GraphState, verifyWebhook } from './graph.ts'
import { checkMedia, toMediaKind } from './media-store.ts'
import { readMessageBody, type SendRequest } from './message-body.ts'
import type { Business } from './people.ts'

const OLDEST_VERSION = 21

export async function handle(world: GraphState, req: Request): Promise<Response> {
  try {
    return Response.json(await answer(world, req))
  } catch (error) {
    if (error instanceof Response) return error
    if (error instanceof GraphCallError) return Response.json(error.answer(), { status: error.status })
    return Response.json(new GraphCallError(131000, String(error)).answer(), { status: 500 })
  }
}

async function answer(world: GraphState, req: Request): Promise<unknown> {
  const url = new URL(req.url)
  if (url.pathname === '/whatsapp_business/attachments/') throw await serveMediaFile(world, req, url)
  const [version = '', id = '', edge, ...rest] = url.pathname.slice(1).split('/')
  const token = readBearer(req)
  if (Number(/^v(\d+)\.0$/.exec(version)?.[1] ?? 0) < OLDEST_VERSION || rest.length > 0)
    throw new GraphCallError(100, `Unknown path components: ${url.pathname}`)
  const mine = [...world.businesses.values()].filter(one => one.token === token)
  if (mine.length === 0) throw new GraphCallError(190, 'Invalid OAuth access token - Cannot parse access token')

  const number = mine.find(one => one.phoneNumberId === id)
  if (number) return handleNumber(world, number, edge, req, url)
  const account = mine.find(one => one.wabaId === id)
  if (account) return handleAccount(world, account, mine, edge, req, url)
  const media = world.media.find(id)
  if (media && !edge && mine.some(one => one.phoneNumberId === media.phoneNumberId)) {
    if (req.method === 'GET') return world.media.describe(media, world.url)
    if (req.method === 'DELETE') {
      world.media.forget(id)
      return { success: true }
    }
  }
  throw createUnsupportedError(req, id)
}

async function handleNumber(
  world: GraphState,
  number: Business,
  edge: string | undefined,
  req: Request,
  url: URL,
): Promise<unknown> {
  const call = `${req.method} ${edge ?? ''}`
  if (call === 'GET ') return describeNumber(number, url.searchParams.get('fields'))
  if (call === 'POST ')
    return setWebhook([number], new GraphFields(await readJson(req)).object('webhook_configuration'))
  if (call === 'POST messages') return handleMessages(world, number, await readJson(req))
  if (call === 'POST media') return upload(world, number, req)
  if (call === 'POST register' || call === 'POST deregister') return { success: true }
  throw createUnsupportedError(req, number.phoneNumberId)
}

async function handleAccount(
  world: GraphState,
  account: Business,
  mine: Business[],
  edge: string | undefined,
  req: Request,
  url: URL,
): Promise<unknown> {
  const numbers = mine.filter(one => one.wabaId === account.wabaId)
  const call = `${req.method} ${edge ?? ''}`
  if (call === 'GET message_templates') return listTemplatePage(world, account, url)
  if (call === 'GET phone_numbers') return { data: numbers.map(one => describeNumber(one, null)) }
  if (call === 'GET ') return { id: account.wabaId, name: account.name }
  if (call === 'GET subscribed_apps') {
    const subscribed = numbers.some(one => one.lane.url)
    return {
      data: subscribed
        ? [{ whatsapp_business_api_data: { id: '900', name: 'Balcão', link: 'https://example.com' } }]
        : [],
    }
  }
  if (call === 'DELETE subscribed_apps') {
    for (const one of numbers) one.lane.url = undefined
    return { success: true }
  }
  if (call === 'POST subscribed_apps') {
    const text = await req.text()
    return text ? setWebhook(numbers, new GraphFields(parse(text))) : { success: true }
  }
  throw createUnsupportedError(req, account.wabaId)
}

function describeNumber(number: Business, wanted: string | null) {
  const all: Record<string, unknown> = {
    display_phone_number: `+${number.number}`,
    verified_name: number.name,
    quality_rating: 'GREEN',
    code_verification_status: 'VERIFIED',
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
    name_status: 'APPROVED',
    messaging_limit_tier: 'TIER_1K',
    status: 'CONNECTED',
  }
  const fields = wanted?.split(',').map(field => field.trim()) ?? Object.keys(all)
  const unknown = fields.find(field => field !== 'id' && !(field in all))
  if (unknown)
    throw new GraphCallError(
      100,
      `Tried accessing nonexisting field (${unknown}) on node type (WhatsAppBusinessPhoneNumber)`,
    )
  return { ...Object.fromEntries(fields.map(field => [field, all[field]])), id: number.phoneNumberId }
}

/** `override_callback_uri`: the app's address for these numbers, taken after it answered the challenge. */
async function setWebhook(numbers: Business[], body: GraphFields): Promise<unknown> {
  const uri = body.optionalText('override_callback_uri')
  if (!uri) return { success: true }
  if (!(await verifyWebhook(uri, body.text('verify_token'))))
    throw new GraphCallError(100, `Callback verification failed: ${new URL(uri).pathname} did not echo the challenge`)
  for (const one of numbers) one.lane.url = uri
  return { success: true }
}

async function handleMessages(world: GraphState, number: Business, body: unknown): Promise<unknown> {
  const request = readMessageBody(body, number.templates)
  if ('read' in request) {
    const reader = [...world.customers].find(one => one.readByBusiness(number, request.read, request.typing))
    if (!reader) throw new GraphCallError(100, `Message ${request.read} does not exist`, 33)
    return { success: true }
  }
  refuseIfTold(world, number, request)
  const content = await resolve(world, number, request.content)
  const customer = findAddressee(world, request)
  if (!customer)
    return createAcceptance(request, extractDigits(request.input), reportUndeliverable(world, number, request))
  return createAcceptance(request, customer.waId, customer.receive(number, content, request.quote, request.opaque))
}

function refuseIfTold(world: GraphState, number: Business, request: SendRequest): void {
  const spellings = listPhoneVariants(extractDigits(request.input))
  const refusal = number.refusals.find(one => one.to === undefined || spellings.includes(extractDigits(one.to)))
  if (!refusal) return
  refusal.times--
  if (refusal.times <= 0) number.refusals.splice(number.refusals.indexOf(refusal), 1)
  world.emit({ type: 'refused', business: number, code: refusal.code })
  throw new GraphCallError(refusal.code, refusal.details)
}

function findAddressee(world: GraphState, request: SendRequest): GraphCustomerPhone | undefined {
  if (request.by === 'phone') return findCustomerByPhone(world, request.input)
  return [...world.customers].find(one => one.userId === request.input)
}

function createAcceptance(request: SendRequest, waId: string, id: string) {
  const by = request.by === 'phone' ? { wa_id: waId } : { user_id: request.input }
  const status = request.content.type === 'template' ? { message_status: 'accepted' } : {}
  return { messaging_product: 'whatsapp', contacts: [{ input: request.input, ...by }], messages: [{ id, ...status }] }
}

/** Nobody there: Meta accepts the message and reports it undeliverable afterwards. */
function reportUndeliverable(world: GraphState, number: Business, request: SendRequest): string {
  const id = `wamid.${Buffer.from(crypto.randomUUID()).toString('base64')}`
  world.later(() => {
    number.lane.post({
      field: 'messages',
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: number.number, phone_number_id: number.phoneNumberId },
        statuses: [
          {
            id,
            status: 'failed',
            timestamp: String(Math.floor(world.now() / 1000)),
            recipient_id: extractDigits(request.input),
            ...(request.opaque === undefined ? {} : { biz_opaque_callback_data: request.opaque }),
            errors: [createWebhookError(131026)],
          },
        ],
      },
    })
  }, world.options.ackDelayMs)
  return id
}

async function resolve(world: GraphState, number: Business, content: GraphOutgoing): Promise<BusinessContent> {
  if (content.type === 'media') return load(world, number, content.media)
  if (content.type !== 'template') return content
  const { media, ...template } = content
  return media ? { ...template, file: await load(world, number, media) } : template
}

async function load(world: GraphState, number: Business, ref: GraphMediaRef): Promise<Media> {
  const { id, link, ...facts } = ref
  const file = id === undefined ? await fetchLink(link ?? '') : world.media.find(id)
  if (!file || ('phoneNumberId' in file && file.phoneNumberId !== number.phoneNumberId))
    throw new GraphCallError(100, `Media ${id} does not exist, cannot be loaded due to missing permissions`, 33)
  checkMedia(ref.type, file)
  if (ref.voice && !/^audio\/ogg/.test(file.mime))
    throw new GraphCallError(131053, 'A voice message must be audio/ogg with the opus codec')
  return {
    ...facts,
    bytes: file.bytes,
    mime: file.mime,
    ...((facts.filename ?? file.filename) ? { filename: facts.filename ?? file.filename } : {}),
  }
}

async function fetchLink(link: string): Promise<MediaFile> {
  const found = await fetch(link, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
  if (!found?.ok)
    throw new GraphCallError(131053, `Downloading media from weblink failed with http code ${found?.status ?? 0}`)
  return {
    bytes: new Uint8Array(await found.arrayBuffer()),
    mime: found.headers.get('content-type') ?? 'application/octet-stream',
  }
}

async function upload(world: GraphState, number: Business, req: Request): Promise<unknown> {
  const raw = Buffer.from(await req.arrayBuffer())
  const form = await new Response(raw, { headers: req.headers }).formData().catch(() => {
    throw new GraphCallError(100, 'The body must be multipart/form-data')
  })
  if (form.get('messaging_product') !== 'whatsapp')
    throw new GraphCallError(131008, 'The parameter messaging_product is required.')
  const file = form.get('file')
  if (!(file instanceof File)) throw new GraphCallError(131008, 'The parameter file is required.')
  const type = form.get('type')
  const mime = typeof type === 'string' && type.includes('/') ? type : findDeclaredType(raw)
  const media = { bytes: new Uint8Array(await file.arrayBuffer()), mime, ...(file.name ? { filename: file.name } : {}) }
  checkMedia(toMediaKind(mime), media)
  return { id: world.media.keep(number.phoneNumberId, media).id }
}

/** The file part's own content type. Bun's `formData()` guesses it from the file name and ignores what was declared. */
function findDeclaredType(raw: Buffer): string {
  const at = raw.indexOf('name="file"')
  const head = raw.toString('latin1', at, raw.indexOf('\r\n\r\n', at))
  return /content-type:\s*([^\r\n]+)/i.exec(head)?.[1]?.trim() ?? 'application/octet-stream'
}

async function serveMediaFile(world: GraphState, req: Request, url: URL): Promise<Response> {
  const token = readBearer(req)
  const file = world.media.behind(url.searchParams.get('key') ?? '')
  if (!file || file.id !== url.searchParams.get('mid')) return new Response('URL signature expired', { status: 404 })
  if (world.businesses.get(file.phoneNumberId)?.token !== token) throw new GraphCallError(190)
  if (!req.headers.get('user-agent')) return new Response('Bad Request', { status: 400 })
  return new Response(new Uint8Array(file.bytes), { headers: { 'content-type': file.mime } })
}

function listTemplatePage(world: GraphState, account: Business, url: URL) {
  const limit = Math.max(1, Math.min(100, Number(url.searchParams.get('limit') ?? 25) || 25))
  const status = url.searchParams.get('status')
  const name = url.searchParams.get('name')
  const wanted = account.templates.filter(
    one => (!status || one.status === status) && (!name || one.name.includes(name)),
  )
  const after = url.searchParams.get('after')
  const from = after ? wanted.findIndex(one => encodeCursor(one.id) === after) + 1 : 0
  const rows = wanted.slice(from, from + limit)
  const fields = url.searchParams.get('fields')?.split(',')
  const last = rows.at(-1)
  const next = new URL(`${world.url}${url.pathname}${url.search}`)
  if (last) next.searchParams.set('after', encodeCursor(last.id))
  return {
    data: rows.map(row =>
      fields ? Object.fromEntries(Object.entries(row).filter(([key]) => key === 'id' || fields.includes(key))) : row,
    ),
    paging: {
      cursors: { before: encodeCursor(rows[0]?.id ?? ''), after: encodeCursor(last?.id ?? '') },
      ...(from + limit < wanted.length ? { next: next.toString() } : {}),
    },
  }
}

function encodeCursor(id: string): string {
  return Buffer.from(`template:${id}`).toString('base64url')
}

function readBearer(req: Request): string {
  const token = /^Bearer (\S+)$/.exec(req.headers.get('authorization') ?? '')?.[1]
  if (!token) throw new GraphCallError(190, 'An access token is required to request this resource.')
  return token
}

async function readJson(req: Request): Promise<unknown> {
  return parse(await req.text())
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GraphCallError(100, 'The body is not valid JSON')
  }
}

function createUnsupportedError(req: Request, id: string): GraphCallError {
  return new GraphCallError(
    100,
    `Unsupported ${req.method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
    33,
  )
}
