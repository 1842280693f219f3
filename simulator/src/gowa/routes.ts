// The gateway's calls, as its description has them: who asks, for which device, and one function a call.
import { extractDigits } from '@balcao/contract/contacts/phone'
import { CustomerPhone } from '../whatsapp/customer.ts'
import type { OutgoingMessage } from '../whatsapp/index.ts'
import { type GowaDevice, getChatId } from './device.ts'
import type { GowaState } from './gowa.ts'
import { type ChatPartner, formatRfc3339, makeStaticPath, toStoredMessage } from './webhook-fields.ts'

/** A refusal in the gateway's words. */
export class RefusalError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

export interface GowaCall {
  readonly method: string
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly deviceId: string | null
  /** The fields of the body, files among them. */
  readonly body: Readonly<Record<string, unknown>>
}

/** The `results` of a call, and what is said of it. */
export interface GatewayAnswer {
  readonly message: string
  readonly results: unknown
}

export async function answer(gowa: GowaState, call: GowaCall): Promise<GatewayAnswer> {
  const [first = '', second = '', third = '', fourth = ''] = call.segments
  if (first === 'devices') return handleDevices(gowa, call, second, [third, fourth].filter(Boolean).join('/'))
  const device = findDevice(gowa, call.deviceId)
  switch (`${call.method} ${first}`) {
    case 'POST send':
      return send(gowa, device, second, call.body)
    case 'POST message':
      return change(gowa, device, second, third, call.body)
    case 'GET message':
      return download(gowa, device, second, call)
    case 'GET chats':
      return listChats(device, call.query)
    case 'GET chat':
      return listMessages(device, second, call.query)
    case 'GET user':
      return handleUser(gowa, device, [second, third].filter(Boolean).join('/'), call.query)
    case 'GET group':
      return group(gowa, device, call.query)
    case 'POST call':
      gowa.tell({ type: 'call-rejected', device, callId: readWord(call.body, 'call_id') })
      return { message: 'Call rejected', results: null }
    default:
      throw new RefusalError(404, 'NOT_FOUND', `Cannot ${call.method} /${call.segments.join('/')}`)
  }
}

async function handleDevices(
  gowa: GowaState,
  { method, body, query }: GowaCall,
  id: string,
  part: string,
): Promise<GatewayAnswer> {
  if (id === '' && method === 'POST') {
    const deviceId = readWord(body, 'device_id') || crypto.randomUUID()
    if (gowa.devices.has(deviceId)) throw new RefusalError(400, 'DEVICE_EXISTS', 'device already exists')
    const made = gowa.addDevice(deviceId)
    setWebhook(made, body)
    const { webhook_url, webhook_secret, webhook_events } = body
    const { phone_number: _, ...results } = describeDevice(made)
    return { message: 'Device added', results: { ...results, webhook_url, webhook_secret, webhook_events } }
  }
  if (id === '') return { message: 'List devices', results: [...gowa.devices.values()].map(describeDevice) }
  const device = findDevice(gowa, id, false)
  switch (`${method} ${part}`) {
    case 'GET ':
      return { message: 'Device info', results: gowa.lie(device, describeDevice(device)) }
    case 'DELETE ':
      device.unlink('device')
      device.lane.stop()
      gowa.devices.delete(id)
      return { message: 'Device removed', results: null }
    case 'GET status': {
      const results = {
        device_id: id,
        is_connected: device.state !== 'disconnected',
        is_logged_in: device.state === 'logged_in',
      }
      return { message: 'Device status', results }
    }
    case 'GET login': {
      if (device.state === 'logged_in') throw new RefusalError(400, 'ALREADY_LOGGED_IN', 'You already logged in :)')
      const text = device.login()
      gowa.tell({ type: 'login', device })
      const results = { device_id: id, qr_link: gowa.picture(text), qr_duration: gowa.options.qrSeconds }
      return { message: 'Login success', results }
    }
    case 'POST login/code': {
      if (device.state === 'logged_in') throw new RefusalError(400, 'ALREADY_LOGGED_IN', 'You already logged in :)')
      const code = device.loginByCode(extractDigits(query.get('phone') ?? ''))
      return { message: 'Login with code started', results: { device_id: id, pair_code: code } }
    }
    case 'POST logout':
      device.unlink('device')
      return { message: 'Device logged out', results: null }
    case 'POST reconnect':
      if (!device.phone)
        throw new RefusalError(500, 'INTERNAL_SERVER_ERROR', 'device is not logged in (session deleted)')
      if (!gowa.knobs.noLine) device.online = true
      return { message: 'Device reconnected', results: null }
    case 'PATCH webhook':
      setWebhook(device, body)
      return { message: 'Device webhook updated', results: { device_id: id, webhook_url: device.webhook?.url ?? '' } }
    default:
      throw new RefusalError(404, 'NOT_FOUND', `Cannot ${method} /devices/${id}/${part}`)
  }
}

function describeDevice(device: GowaDevice) {
  const { id, state, jid, phone, createdAt } = device
  return {
    id,
    phone_number: phone?.user ?? '',
    display_name: phone?.name ?? '',
    state,
    jid,
    created_at: createdAt.toISOString(),
  }
}

function setWebhook(device: GowaDevice, body: GowaCall['body']): void {
  const url = readWord(body, 'webhook_url')
  const events = readWord(body, 'webhook_events').split(',').filter(Boolean)
  // One secret for everybody who sets none.
  device.webhook = url ? { url, secret: readWord(body, 'webhook_secret') || 'secret', events } : undefined
}

function findDevice(gowa: GowaState, id: string | null, loggedIn = true): GowaDevice {
  const device = id ? gowa.devices.get(id) : undefined
  if (!device) throw new RefusalError(404, 'DEVICE_NOT_FOUND', `device ${id ?? ''} not found`)
  if (loggedIn && device.state !== 'logged_in')
    throw new RefusalError(401, 'AUTHENTICATION_ERROR', 'you are not logged in')
  return device
}

async function send(gowa: GowaState, device: GowaDevice, kind: string, body: GowaCall['body']): Promise<GatewayAnswer> {
  const to = findTarget(gowa, device, body)
  const refusal = to instanceof CustomerPhone ? to.knobs.refuse : undefined
  if (refusal !== undefined) {
    const company = device.phone?.user ?? ''
    gowa.whatsapp.emit({ type: 'refused', company, to: to.jid, id: '', code: refusal })
    if (refusal === 463) throw new RefusalError(429, 'WA_REACHOUT_TIMELOCK', 'server returned error 463')
    throw new RefusalError(500, 'INTERNAL_SERVER_ERROR', `server returned error ${refusal}`)
  }
  const replied = readWord(body, 'reply_message_id')
  // A reply to what nobody knows goes without a quote, and without a word.
  const quote = replied && device.phone?.message(getChatId(to), replied) ? { quote: replied } : {}
  const timer = Number(body.duration ?? 0)
  const id = await device.send(to, { ...(await parseOutgoing(kind, body)), ...quote, ...(timer > 0 && { timer }) })
  gowa.tell({ type: 'sent', device, id })
  return { message: 'Success', results: { message_id: id, status: `${kind} success` } }
}

async function parseOutgoing(kind: string, body: GowaCall['body']): Promise<OutgoingMessage> {
  switch (kind) {
    case 'message':
      return { type: 'text', text: requireWord(body, 'message') }
    case 'location':
      return {
        type: 'location',
        latitude: Number(requireWord(body, 'latitude')),
        longitude: Number(requireWord(body, 'longitude')),
      }
    case 'contact':
      return { type: 'contact', name: requireWord(body, 'contact_name'), number: requireWord(body, 'contact_phone') }
  }
  const file = body[kind]
  if (!(file instanceof File)) throw new RefusalError(400, 'VALIDATION_ERROR', `${kind}: cannot be blank.`)
  const most = MOST_BYTES[kind]
  if (most === undefined) throw new RefusalError(404, 'NOT_FOUND', `Cannot POST /send/${kind}`)
  if (file.size > most) throw new RefusalError(413, 'FILE_TOO_LARGE', `max file upload is ${most}`)
  const caption = readWord(body, 'caption')
  const type = kind === 'file' ? 'document' : kind === 'audio' && readWord(body, 'ptt') === 'true' ? 'voice' : kind
  if (!isMedia(type)) throw new RefusalError(404, 'NOT_FOUND', `Cannot POST /send/${kind}`)
  return {
    type,
    data: await file.bytes(),
    mimetype: file.type,
    ...(caption && { caption }),
    ...(type === 'document' && { fileName: file.name }),
  }
}

const MB = 1024 * 1024
const MOST_BYTES: Record<string, number> = {
  image: 20 * MB,
  video: 100 * MB,
  audio: 100 * MB,
  file: 100 * MB,
  sticker: 20 * MB,
}
const MEDIA = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const

function isMedia(type: string): type is (typeof MEDIA)[number] {
  return MEDIA.some(one => one === type)
}

async function change(
  gowa: GowaState,
  device: GowaDevice,
  id: string,
  label: string,
  body: GowaCall['body'],
): Promise<GatewayAnswer> {
  const to = findTarget(gowa, device, body)
  const done = (message: string): GatewayAnswer => ({
    message: 'Success',
    results: { message_id: id, status: message },
  })
  switch (label) {
    case 'update':
      await device.send(to, { type: 'edit', of: id, text: requireWord(body, 'message') })
      return done('Update message success')
    case 'revoke':
      await device.send(to, { type: 'revoke', of: id })
      return done('Revoke success')
    case 'reaction':
      await device.send(to, { type: 'reaction', of: id, emoji: requireWord(body, 'emoji') })
      return done('Reaction sent')
    case 'read':
      gowa.tell({ type: 'read', device, id })
      return done('Mark as read success')
    default:
      throw new RefusalError(404, 'NOT_FOUND', `Cannot POST /message/${id}/${label}`)
  }
}

async function download(gowa: GowaState, device: GowaDevice, id: string, { query }: GowaCall): Promise<GatewayAnswer> {
  const message = device.phone?.find(id)
  const content = message?.content
  if (!query.get('phone') || !content || !('media' in content))
    throw new RefusalError(404, 'NOT_FOUND', 'message not found')
  const bytes = await gowa.whatsapp.media.open(content.media).catch(() => {
    throw new RefusalError(404, 'NOT_FOUND', 'media is gone')
  })
  const file_path = makeStaticPath(content.mimetype)
  gowa.statics.set(`/${file_path}`, { bytes, type: content.mimetype })
  const results = {
    status: 'Media downloaded successfully',
    message_id: id,
    media_type: content.type === 'voice' ? 'audio' : content.type,
    filename: content.fileName ?? file_path.replace(/^.*\//, ''),
    file_path,
    file_url: `${gowa.publicOrigin}/${file_path}`,
    file_size: bytes.length,
  }
  return { message: 'Media downloaded successfully', results }
}

function listChats(device: GowaDevice, query: URLSearchParams): GatewayAnswer {
  const rows = (device.phone?.chatNames() ?? []).flatMap(name => {
    const other = device.other(name)
    const last = device.phone?.messages(name).at(-1)
    if (!other || !last) return []
    const at = formatRfc3339(last.at)
    const title = 'members' in other ? other.subject : other.name
    return [
      {
        jid: other.jid,
        name: title,
        last_message_time: at,
        ephemeral_expiration: device.phone?.timer(name) ?? 0,
        created_at: at,
        updated_at: at,
        archived: false,
      },
    ]
  })
  rows.sort((a, b) => b.last_message_time.localeCompare(a.last_message_time))
  return { message: 'Success get chat list', results: takePage(rows, query, 25) }
}

function listMessages(device: GowaDevice, jid: string, query: URLSearchParams): GatewayAnswer {
  const other = device.other(jid)
  const chat = other && getChatId(other)
  if (!chat || !device.phone?.chatNames().includes(chat)) throw new RefusalError(404, 'NOT_FOUND', 'Chat not found')
  const [from, until] = [Date.parse(query.get('start_time') ?? ''), Date.parse(query.get('end_time') ?? '')]
  const mine = query.get('is_from_me')
  const rows = device.phone.messages(chat).flatMap(message => {
    const by = device.other(message.from)
    const at = message.at.getTime()
    const fits = !(at < from) && !(at > until) && (mine === null || String(message.fromMe) === mine)
    if (!fits || !by || 'members' in by || (query.get('media_only') === 'true' && !('media' in message.content)))
      return []
    return [toStoredMessage(message, other.jid, by)]
  })
  const chat_info = { jid: other.jid, ephemeral_expiration: device.phone.timer(chat) }
  return { message: 'Success get chat messages', results: { ...takePage(rows.reverse(), query, 50), chat_info } }
}

function takePage<T>(rows: readonly T[], query: URLSearchParams, usual: number) {
  const limit = Math.min(100, Number(query.get('limit') ?? usual))
  const offset = Number(query.get('offset') ?? 0)
  return { data: rows.slice(offset, offset + limit), pagination: { limit, offset, total: rows.length } }
}

function handleUser(gowa: GowaState, _device: GowaDevice, action: string, query: URLSearchParams): GatewayAnswer {
  if (action === 'check') {
    const is_on_whatsapp = gowa.whatsapp.account(extractDigits(query.get('phone') ?? '')) !== undefined
    return { message: 'Success check user', results: { is_on_whatsapp } }
  }
  if (action === 'my/contacts') return { message: 'Success get list contacts', results: { data: [...gowa.book] } }
  throw new RefusalError(404, 'NOT_FOUND', `Cannot GET /user/${action}`)
}

function group(gowa: GowaState, device: GowaDevice, query: URLSearchParams): GatewayAnswer {
  const found = gowa.whatsapp.groups.get(query.get('group_id') ?? '')
  if (!found || !device.phone || !found.members.includes(device.phone))
    throw new RefusalError(500, 'INTERNAL_SERVER_ERROR', 'item-not-found')
  const Participants = found.members.map(member => ({
    JID: found.addressOf(member),
    PhoneNumber: member.jid,
    LID: member.lid,
    IsAdmin: member === found.members[0],
    IsSuperAdmin: false,
    DisplayName: '',
  }))
  const results = { JID: found.jid, Name: found.subject, Topic: found.description ?? '', Participants }
  return { message: 'Success get group info', results }
}

/** Many digits without a server are a group's; fewer are a phone's. */
function findTarget(gowa: GowaState, device: GowaDevice, body: GowaCall['body']): ChatPartner {
  const phone = requireWord(body, 'phone')
  const jid = phone.includes('@')
    ? phone
    : extractDigits(phone).length > 15
      ? `${phone}@g.us`
      : `${extractDigits(phone)}@s.whatsapp.net`
  const found =
    gowa.whatsapp.groups.get(jid) ?? gowa.whatsapp.phone(jid) ?? gowa.whatsapp.byNumber(jid.replace(/@.*$/, ''))
  if (!found || found === device.phone) throw new RefusalError(400, 'INVALID_JID', `Phone ${phone} is not on whatsapp`)
  return found
}

function readWord(body: GowaCall['body'], name: string): string {
  const value = body[name]
  return typeof value === 'string' ? value : ''
}

function requireWord(body: GowaCall['body'], name: string): string {
  const value = readWord(body, name)
  if (value === '') throw new RefusalError(400, 'VALIDATION_ERROR', `${name}: cannot be blank.`)
  return value
}
