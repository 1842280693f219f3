// The gateway's calls, as its description has them: who asks, for which device, and one function a call.
import { digitsOf } from '@balcao/contract/phone'
import { CustomerPhone } from '../whatsapp/customer.ts'
import type { Outgoing } from '../whatsapp/index.ts'
import { chatOf, type Device } from './device.ts'
import type { GowaWorld } from './gowa.ts'
import { type Other, rfc3339, staticPath, stored } from './told.ts'

/** A refusal in the gateway's words. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

export interface Call {
  readonly method: string
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly deviceId: string | null
  /** The fields of the body, files among them. */
  readonly body: Readonly<Record<string, unknown>>
}

/** The `results` of a call, and what is said of it. */
export interface Said {
  readonly message: string
  readonly results: unknown
}

export async function answer(gowa: GowaWorld, call: Call): Promise<Said> {
  const [first = '', second = '', third = '', fourth = ''] = call.segments
  if (first === 'devices') return devices(gowa, call, second, [third, fourth].filter(Boolean).join('/'))
  const device = deviceOf(gowa, call.deviceId)
  switch (`${call.method} ${first}`) {
    case 'POST send':
      return send(gowa, device, second, call.body)
    case 'POST message':
      return change(gowa, device, second, third, call.body)
    case 'GET message':
      return download(gowa, device, second, call)
    case 'GET chats':
      return chats(device, call.query)
    case 'GET chat':
      return messages(device, second, call.query)
    case 'GET user':
      return user(gowa, device, [second, third].filter(Boolean).join('/'), call.query)
    case 'GET group':
      return group(gowa, device, call.query)
    case 'POST call':
      gowa.tell({ type: 'call-rejected', device, callId: word(call.body, 'call_id') })
      return { message: 'Call rejected', results: null }
    default:
      throw new Refused(404, 'NOT_FOUND', `Cannot ${call.method} /${call.segments.join('/')}`)
  }
}

async function devices(gowa: GowaWorld, { method, body, query }: Call, id: string, part: string): Promise<Said> {
  if (id === '' && method === 'POST') {
    const given = word(body, 'device_id') || crypto.randomUUID()
    if (gowa.devices.has(given)) throw new Refused(400, 'DEVICE_EXISTS', 'device already exists')
    const made = gowa.addDevice(given)
    setWebhook(made, body)
    const { webhook_url, webhook_secret, webhook_events } = body
    const { phone_number: _, ...results } = described(made)
    return { message: 'Device added', results: { ...results, webhook_url, webhook_secret, webhook_events } }
  }
  if (id === '') return { message: 'List devices', results: [...gowa.devices.values()].map(described) }
  const device = deviceOf(gowa, id, false)
  switch (`${method} ${part}`) {
    case 'GET ':
      return { message: 'Device info', results: gowa.lie(device, described(device)) }
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
      if (device.state === 'logged_in') throw new Refused(400, 'ALREADY_LOGGED_IN', 'You already logged in :)')
      const text = device.login()
      gowa.tell({ type: 'login', device })
      const results = { device_id: id, qr_link: gowa.picture(text), qr_duration: gowa.options.qrSeconds }
      return { message: 'Login success', results }
    }
    case 'POST login/code': {
      if (device.state === 'logged_in') throw new Refused(400, 'ALREADY_LOGGED_IN', 'You already logged in :)')
      const code = device.loginByCode(digitsOf(query.get('phone') ?? ''))
      return { message: 'Login with code started', results: { device_id: id, pair_code: code } }
    }
    case 'POST logout':
      device.unlink('device')
      return { message: 'Device logged out', results: null }
    case 'POST reconnect':
      if (!device.phone) throw new Refused(500, 'INTERNAL_SERVER_ERROR', 'device is not logged in (session deleted)')
      if (!gowa.knobs.noLine) device.online = true
      return { message: 'Device reconnected', results: null }
    case 'PATCH webhook':
      setWebhook(device, body)
      return { message: 'Device webhook updated', results: { device_id: id, webhook_url: device.webhook?.url ?? '' } }
    default:
      throw new Refused(404, 'NOT_FOUND', `Cannot ${method} /devices/${id}/${part}`)
  }
}

function described(device: Device) {
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

function setWebhook(device: Device, body: Call['body']): void {
  const url = word(body, 'webhook_url')
  const events = word(body, 'webhook_events').split(',').filter(Boolean)
  // One secret for everybody who sets none.
  device.webhook = url ? { url, secret: word(body, 'webhook_secret') || 'secret', events } : undefined
}

function deviceOf(gowa: GowaWorld, id: string | null, loggedIn = true): Device {
  const device = id ? gowa.devices.get(id) : undefined
  if (!device) throw new Refused(404, 'DEVICE_NOT_FOUND', `device ${id ?? ''} not found`)
  if (loggedIn && device.state !== 'logged_in') throw new Refused(401, 'AUTHENTICATION_ERROR', 'you are not logged in')
  return device
}

async function send(gowa: GowaWorld, device: Device, kind: string, body: Call['body']): Promise<Said> {
  const to = target(gowa, device, body)
  const refusal = to instanceof CustomerPhone ? to.knobs.refuse : undefined
  if (refusal !== undefined) {
    const company = device.phone?.user ?? ''
    gowa.whatsapp.emit({ type: 'refused', company, to: to.jid, id: '', code: refusal })
    if (refusal === 463) throw new Refused(429, 'WA_REACHOUT_TIMELOCK', 'server returned error 463')
    throw new Refused(500, 'INTERNAL_SERVER_ERROR', `server returned error ${refusal}`)
  }
  const replied = word(body, 'reply_message_id')
  // A reply to what nobody knows goes without a quote, and without a word.
  const quote = replied && device.phone?.message(chatOf(to), replied) ? { quote: replied } : {}
  const id = await device.send(to, { ...(await outgoing(kind, body)), ...quote })
  gowa.tell({ type: 'sent', device, id })
  return { message: 'Success', results: { message_id: id, status: `${kind} success` } }
}

async function outgoing(kind: string, body: Call['body']): Promise<Outgoing> {
  switch (kind) {
    case 'message':
      return { type: 'text', text: needed(body, 'message') }
    case 'location':
      return {
        type: 'location',
        latitude: Number(needed(body, 'latitude')),
        longitude: Number(needed(body, 'longitude')),
      }
    case 'contact':
      return { type: 'contact', name: needed(body, 'contact_name'), number: needed(body, 'contact_phone') }
  }
  const given = body[kind]
  if (!(given instanceof File)) throw new Refused(400, 'VALIDATION_ERROR', `${kind}: cannot be blank.`)
  const most = MOST_BYTES[kind]
  if (most === undefined) throw new Refused(404, 'NOT_FOUND', `Cannot POST /send/${kind}`)
  if (given.size > most) throw new Refused(413, 'FILE_TOO_LARGE', `max file upload is ${most}`)
  const caption = word(body, 'caption')
  const type = kind === 'file' ? 'document' : kind === 'audio' && word(body, 'ptt') === 'true' ? 'voice' : kind
  if (!isMedia(type)) throw new Refused(404, 'NOT_FOUND', `Cannot POST /send/${kind}`)
  return {
    type,
    data: await given.bytes(),
    mimetype: given.type,
    ...(caption && { caption }),
    ...(type === 'document' && { fileName: given.name }),
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

async function change(gowa: GowaWorld, device: Device, id: string, what: string, body: Call['body']): Promise<Said> {
  const to = target(gowa, device, body)
  const done = (message: string): Said => ({ message: 'Success', results: { message_id: id, status: message } })
  switch (what) {
    case 'update':
      await device.send(to, { type: 'edit', of: id, text: needed(body, 'message') })
      return done('Update message success')
    case 'revoke':
      await device.send(to, { type: 'revoke', of: id })
      return done('Revoke success')
    case 'reaction':
      await device.send(to, { type: 'reaction', of: id, emoji: needed(body, 'emoji') })
      return done('Reaction sent')
    case 'read':
      gowa.tell({ type: 'read', device, id })
      return done('Mark as read success')
    default:
      throw new Refused(404, 'NOT_FOUND', `Cannot POST /message/${id}/${what}`)
  }
}

async function download(gowa: GowaWorld, device: Device, id: string, { query }: Call): Promise<Said> {
  const message = device.phone?.find(id)
  const content = message?.content
  if (!query.get('phone') || !content || !('media' in content)) throw new Refused(404, 'NOT_FOUND', 'message not found')
  const bytes = await gowa.whatsapp.media.open(content.media).catch(() => {
    throw new Refused(404, 'NOT_FOUND', 'media is gone')
  })
  const file_path = staticPath(content.mimetype)
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

function chats(device: Device, query: URLSearchParams): Said {
  const rows = (device.phone?.chatNames() ?? []).flatMap(name => {
    const other = device.other(name)
    const last = device.phone?.messages(name).at(-1)
    if (!other || !last) return []
    const at = rfc3339(last.at)
    const title = 'members' in other ? other.subject : other.name
    return [
      {
        jid: other.jid,
        name: title,
        last_message_time: at,
        ephemeral_expiration: 0,
        created_at: at,
        updated_at: at,
        archived: false,
      },
    ]
  })
  rows.sort((a, b) => b.last_message_time.localeCompare(a.last_message_time))
  return { message: 'Success get chat list', results: paged(rows, query, 25) }
}

function messages(device: Device, jid: string, query: URLSearchParams): Said {
  const other = device.other(jid)
  const chat = other && chatOf(other)
  if (!chat || !device.phone?.chatNames().includes(chat)) throw new Refused(404, 'NOT_FOUND', 'Chat not found')
  const [from, until] = [Date.parse(query.get('start_time') ?? ''), Date.parse(query.get('end_time') ?? '')]
  const mine = query.get('is_from_me')
  const rows = device.phone.messages(chat).flatMap(message => {
    const by = device.other(message.from)
    const at = message.at.getTime()
    const fits = !(at < from) && !(at > until) && (mine === null || String(message.fromMe) === mine)
    if (!fits || !by || 'members' in by || (query.get('media_only') === 'true' && !('media' in message.content)))
      return []
    return [stored(message, other.jid, by)]
  })
  return { message: 'Success get chat messages', results: paged(rows.reverse(), query, 50) }
}

function paged<T>(rows: readonly T[], query: URLSearchParams, usual: number) {
  const limit = Math.min(100, Number(query.get('limit') ?? usual))
  const offset = Number(query.get('offset') ?? 0)
  return { data: rows.slice(offset, offset + limit), pagination: { limit, offset, total: rows.length } }
}

function user(gowa: GowaWorld, _device: Device, what: string, query: URLSearchParams): Said {
  if (what === 'check') {
    const is_on_whatsapp = gowa.whatsapp.account(digitsOf(query.get('phone') ?? '')) !== undefined
    return { message: 'Success check user', results: { is_on_whatsapp } }
  }
  if (what === 'my/contacts') return { message: 'Success get list contacts', results: { data: [...gowa.book] } }
  throw new Refused(404, 'NOT_FOUND', `Cannot GET /user/${what}`)
}

function group(gowa: GowaWorld, device: Device, query: URLSearchParams): Said {
  const found = gowa.whatsapp.groups.get(query.get('group_id') ?? '')
  if (!found || !device.phone || !found.members.includes(device.phone))
    throw new Refused(500, 'INTERNAL_SERVER_ERROR', 'item-not-found')
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
function target(gowa: GowaWorld, device: Device, body: Call['body']): Other {
  const phone = needed(body, 'phone')
  const jid = phone.includes('@')
    ? phone
    : digitsOf(phone).length > 15
      ? `${phone}@g.us`
      : `${digitsOf(phone)}@s.whatsapp.net`
  const found =
    gowa.whatsapp.groups.get(jid) ?? gowa.whatsapp.phone(jid) ?? gowa.whatsapp.byNumber(jid.replace(/@.*$/, ''))
  if (!found || found === device.phone) throw new Refused(400, 'INVALID_JID', `Phone ${phone} is not on whatsapp`)
  return found
}

function word(body: Call['body'], name: string): string {
  const value = body[name]
  return typeof value === 'string' ? value : ''
}

function needed(body: Call['body'], name: string): string {
  const value = word(body, name)
  if (value === '') throw new Refused(400, 'VALIDATION_ERROR', `${name}: cannot be blank.`)
  return value
}
