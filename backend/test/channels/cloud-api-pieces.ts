// Of what the rows of the official API's messages are made.
import type { MediaType, MessageOrigin } from '@balcao/contract'
import { toNotificationEvents } from '../../src/messaging/channels/cloud-api/inbound.ts'
import type { ChannelEvent } from '../../src/platform/channel/driver.ts'

export const FOR_US = { phoneNumberId: '5501', wabaId: '9901' }
export const PN = '5531987650001'

export type Fields = Record<string, unknown>

/** One message as its notification brings it. */
export function toEvents(message: Fields, more: Fields = {}): ChannelEvent[] {
  const value = {
    metadata: { phone_number_id: '5501' },
    contacts: [{ profile: { name: 'Dona Lúcia' }, wa_id: PN }],
    messages: [{ from: PN, id: 'wamid.1', timestamp: '1790000000', ...message }],
    ...more,
  }
  return toNotificationEvents({ entry: [{ id: '9901', changes: [{ field: 'messages', value }] }] }, FOR_US)
}

export interface Shown {
  readonly is: MediaType
  readonly says?: string
  readonly file?: string
  readonly card?: Fields
  readonly origin?: MessageOrigin
}

export const text = (body: string) => ({ type: 'text', text: { body } })
export const order = (items: readonly Fields[], more: Fields = {}) => ({
  type: 'order',
  order: { catalog_id: '77', product_items: items, ...more },
})
export const item = (id: unknown, quantity: unknown, price: unknown, currency: unknown = 'BRL') => ({
  product_retailer_id: id,
  quantity,
  item_price: price,
  currency,
})
export const interactive = (type: string, part: unknown) => ({
  type: 'interactive',
  interactive: { type, [type]: part },
})
export const FORM_PHOTO = { id: 'f1', file_name: 'frente.jpg', mime_type: 'image/jpeg', sha256: 'abc' }
export const form = (response: unknown, body = 'Sent', name = 'flow') =>
  interactive('nfm_reply', {
    name,
    body,
    response_json: typeof response === 'string' ? response : JSON.stringify(response),
  })
export const unsupported = (type: string | null, code = 131051) => ({
  type: 'unsupported',
  errors: [{ code, title: 'Message type unknown', error_data: { details: 'raw words of Meta' } }],
  ...(type !== null && { unsupported: { type } }),
})
export const offer = (part: Fields) => ({ type: 'interactive', interactive: part })
export const notice = (code: string, name: string): Shown => ({
  is: 'unknown',
  says: '',
  card: { kind: 'notice', code, name },
})
export const media = (type: string, mime: string, more: Fields = {}) => ({
  type,
  [type]: { id: 'f1', mime_type: mime, ...more },
})
export const ad = {
  source_url: 'https://fb.me/ad1',
  source_type: 'ad',
  source_id: 'AD-7',
  headline: 'Matrículas abertas',
  body: 'Venha conhecer',
  media_type: 'image',
  image_url: 'https://scontent/secret.jpg',
  ctwa_clid: 'click',
}
export const adOrigin: MessageOrigin = {
  kind: 'ad',
  title: 'Matrículas abertas',
  text: 'Venha conhecer',
  link: 'https://fb.me/ad1',
  code: 'AD-7',
}
