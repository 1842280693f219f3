// What the desk sends → the body of `POST /{phoneNumberId}/messages`.
import { chooseMenuForm, type Menu } from '@balcao/contract'
import { readAddress } from '../../../platform/channel/addresses.ts'
import { ChannelError, type DriverHost, type Outgoing } from '../../../platform/channel/driver.ts'
import { readVcard } from '../../../platform/channel/vcard.ts'
import { convertFile, type FileForKind, toBlob } from '../shared/convert-file.ts'
import { isRecord, toText } from '../shared/json.ts'
import type { Graph } from './graph.ts'

type Body = Record<string, unknown>
type File = Extract<Outgoing, { type: 'media' }>

/** Meta's id of an uploaded file, what it is sent as and under which name. */
type Uploaded = Pick<FileForKind, 'as' | 'name' | 'voice'> & { readonly id: string }

/** To whom: a phone in digits, Meta's id of a person who shows none, or a group. */
export function toRecipient(to: string): Body {
  if (to.endsWith('@g.us')) return { recipient_type: 'group', to: to.slice(0, -'@g.us'.length) }
  if (readAddress(to).bsuid) return { recipient: to }
  return { to: to.replace(/@.*$/, '').replace(/\D/g, '') }
}

/** The body for one message; files are uploaded first. Throws `ChannelError` for what this kind cannot do. */
export async function buildMessageBody(
  to: string,
  message: Outgoing,
  upload: (file: File) => Promise<Uploaded>,
): Promise<Body> {
  const envelope = { messaging_product: 'whatsapp', recipient_type: 'individual', ...toRecipient(to) }
  const context = 'quote' in message && message.quote ? { context: { message_id: message.quote.id } } : {}
  switch (message.type) {
    case 'text': {
      const interactive = message.menu && buildMenu(message.menu)
      if (interactive) return { ...envelope, ...context, type: 'interactive', interactive }
      return { ...envelope, ...context, type: 'text', text: { body: message.text, preview_url: true } }
    }
    case 'media': {
      const file = await upload(message)
      const type = file.as === 'application' ? 'document' : file.as
      const named = type === 'document' ? { filename: file.name } : {}
      const captioned = type !== 'audio' && type !== 'sticker' && message.caption ? { caption: message.caption } : {}
      const voice = file.voice ? { voice: true } : {}
      return { ...envelope, ...context, type, [type]: { id: file.id, ...named, ...captioned, ...voice } }
    }
    case 'location': {
      const location = { latitude: message.lat, longitude: message.lng, ...(message.name && { name: message.name }) }
      return { ...envelope, ...context, type: 'location', location }
    }
    case 'contacts':
      return { ...envelope, ...context, type: 'contacts', contacts: message.vcards.map(buildContact) }
    case 'reaction':
      return { ...envelope, type: 'reaction', reaction: { message_id: message.ref.id, emoji: message.emoji } }
    case 'template': {
      const { name, lang } = message
      const components = await Promise.all(message.components.map(part => withUploads(part, upload)))
      const parts = components.length > 0 ? { components } : {}
      return { ...envelope, type: 'template', template: { name, language: { code: lang }, ...parts } }
    }
    default:
      throw new ChannelError('not_supported', 'The official API cannot do this')
  }
}

function buildMenu(menu: Menu): Body | null {
  const form = chooseMenuForm(menu)
  if (!form) return null
  const body = { text: form.words }
  if (form.as === 'list') {
    const sections = form.sections.map(({ choices: rows, ...titled }) => ({ ...titled, rows }))
    return { type: 'list', body, action: { button: 'Ver opções', sections } }
  }
  const buttons = form.sections.flatMap(({ choices }) => choices.map(reply => ({ type: 'reply', reply })))
  return { type: 'button', body, action: { buttons } }
}

/** The parameters of a template with the files of our store uploaded: `{ document: { mediaId } }` becomes Meta's own id. */
async function withUploads(value: unknown, upload: (file: File) => Promise<Uploaded>): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(each => withUploads(each, upload)))
  if (!isRecord(value)) return value
  const { mediaId, mime, name } = value
  if (typeof mediaId === 'string' && typeof mime === 'string') {
    const named = toText(name) ?? 'arquivo'
    const file = { type: 'media', media: toMediaType(mime), mediaId, mime, name: named } as const
    const { id, name: uploaded } = await upload(file)
    return { id, ...(file.media === 'application' ? { filename: uploaded } : {}) }
  }
  const entries = Object.entries(value).map(async ([key, inner]) => [key, await withUploads(inner, upload)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

function toMediaType(mime: string): File['media'] {
  const kind = mime.split('/')[0]
  return kind === 'image' || kind === 'video' ? kind : 'application'
}

function buildContact(card: string): Body {
  const { name, phones, emails, org } = readVcard(card)
  const shown = name || (phones[0]?.phone ?? '?')
  return {
    name: { formatted_name: shown, first_name: shown.split(' ')[0] ?? shown },
    phones: phones.map(({ phone, waId }) => ({ phone, type: 'CELL', ...(waId && { wa_id: waId }) })),
    ...(emails.length > 0 && { emails: emails.map(email => ({ email, type: 'WORK' })) }),
    ...(org && { org: { company: org } }),
  }
}

/** Uploads a file of our store in a form that Meta takes; what it still refuses, it refuses with 131053 and says why. */
export async function uploadFile(
  graph: Graph,
  phoneNumberId: string,
  host: Pick<DriverHost, 'openMedia'>,
  message: File,
): Promise<Uploaded> {
  const { as, name, mime, content, voice } = await convertFile('cloud_api', host, message)
  const file = toBlob(content)
  const form = new FormData()
  form.set('messaging_product', 'whatsapp')
  form.set('type', mime)
  form.set('file', file.slice(0, file.size, mime), name)
  const id = toText((await graph.upload([phoneNumberId, 'media'], form)).id)
  if (!id) throw new ChannelError('upload', 'Meta took the file but gave it no id')
  return { id, as, name, voice }
}
