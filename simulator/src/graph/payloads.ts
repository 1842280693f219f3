// Webhook payloads: an inbound message of each kind, and the statuses of sent ones.
import type { CustomerContent, GraphEntry, Media } from './content.ts'
import { createWebhookError, type GraphCode } from './errors.ts'
import { type GraphMediaStore, hashSha256 } from './media-store.ts'
import type { Business, Customer } from './people.ts'

/** The `value` of a change that brings one message. */
export function createMessageValue(
  business: Business,
  customer: Customer,
  entry: GraphEntry & { from: 'customer' },
  media: GraphMediaStore,
) {
  const quoted = entry.quote && business.entries.get(entry.quote)
  return {
    ...createEnvelope(business),
    contacts: [
      {
        profile: { name: customer.name, ...(customer.username ? { username: customer.username } : {}) },
        ...createIdentity(customer, 'wa_id', 'user_id'),
      },
    ],
    messages: [
      {
        ...createIdentity(customer, 'from', 'from_user_id'),
        id: entry.id,
        timestamp: toSeconds(entry.at),
        ...(entry.quote
          ? {
              context: {
                from: quoted && quoted.from === 'customer' ? customer.waId : business.number,
                id: entry.quote,
              },
            }
          : {}),
        ...createContent(business, customer, entry.content, media),
      },
    ],
  }
}

/** The `value` of a change that brings one status. */
export function createStatusValue(
  business: Business,
  customer: Customer,
  entry: GraphEntry,
  status: 'sent' | 'delivered' | 'read' | 'played' | 'failed',
  at: Date,
  code?: GraphCode,
) {
  const billed = status === 'sent' || status === 'delivered'
  return {
    ...createEnvelope(business),
    ...(customer.userId
      ? { contacts: [{ ...createIdentity(customer, 'wa_id', 'user_id'), profile: { name: customer.name } }] }
      : {}),
    statuses: [
      {
        id: entry.id,
        status,
        timestamp: toSeconds(at),
        ...createIdentity(customer, 'recipient_id', 'recipient_user_id'),
        ...(entry.opaque === undefined ? {} : { biz_opaque_callback_data: entry.opaque }),
        ...(billed
          ? { pricing: { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' } }
          : {}),
        ...(code ? { errors: [createWebhookError(code)] } : {}),
      },
    ],
  }
}

function createEnvelope(business: Business) {
  return {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: business.number, phone_number_id: business.phoneNumberId },
  }
}

/** Phone and business-scoped id under the names the place calls for; a hidden phone is left out. */
function createIdentity(customer: Customer, phoneKey: string, userKey: string): Record<string, string> {
  return {
    ...(customer.phoneHidden ? {} : { [phoneKey]: customer.waId }),
    ...(customer.userId ? { [userKey]: customer.userId } : {}),
  }
}

function createContent(
  business: Business,
  customer: Customer,
  content: CustomerContent,
  media: GraphMediaStore,
): Record<string, unknown> {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: { body: content.text } }
    case 'location': {
      const { type, ...location } = content
      return { type, location }
    }
    case 'contacts':
      return { type: 'contacts', contacts: content.contacts.map(toContactCard) }
    case 'reaction':
      return {
        type: 'reaction',
        reaction: { message_id: content.to, ...(content.emoji ? { emoji: content.emoji } : {}) },
      }
    case 'button':
      return { type: 'button', button: { payload: content.payload, text: content.text } }
    case 'button_reply':
    case 'list_reply': {
      const { type, ...reply } = content
      return { type: 'interactive', interactive: { type, [type]: reply } }
    }
    case 'nfm_reply': {
      const reply = { name: content.name, body: content.body, response_json: JSON.stringify(content.response) }
      return { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: reply } }
    }
    case 'user_changed_number': {
      const text = `User ${customer.name} changed from ${customer.waId} to ${content.newWaId}`
      return { type: 'system', system: { type: 'user_changed_number', body: text, wa_id: content.newWaId } }
    }
    case 'order': {
      const product_items = content.lines.map(({ name, quantity, price }) => ({
        product_retailer_id: name,
        quantity,
        item_price: price,
        currency: 'BRL',
      }))
      return { type: 'order', order: { catalog_id: '77', text: content.text ?? '', product_items } }
    }
    case 'ad': {
      const { title: headline, link: source_url, body: text = '' } = content
      const referral = { source_url, source_type: 'ad', source_id: 'AD-1', headline, body: text, media_type: 'image' }
      return {
        type: 'text',
        text: { body: content.text },
        referral: { ...referral, image_url: `${source_url}/picture` },
      }
    }
    case 'enquiry': {
      const referred_product = { catalog_id: '77', product_retailer_id: content.code }
      return { type: 'text', text: { body: content.text }, context: { from: business.number, referred_product } }
    }
    case 'edit': {
      const message = { type: 'text', text: { body: content.text } }
      return { type: 'edit', edit: { original_message_id: content.of, message } }
    }
    case 'revoke':
      return { type: 'revoke', revoke: { original_message_id: content.of } }
    case 'unsupported': {
      const { kind = 'unknown', code = 131051 } = content
      return { type: 'unsupported', errors: [createWebhookError(code)], unsupported: { type: kind } }
    }
    case 'raw':
      return { type: content.kind, [content.kind]: content.value }
    default:
      return { type: content.type, [content.type]: createMediaContent(business, content, media) }
  }
}

function createMediaContent(business: Business, content: Media, media: GraphMediaStore) {
  const stored = media.keep(business.phoneNumberId, content)
  return {
    id: stored.id,
    mime_type: content.mime,
    sha256: hashSha256(content.bytes, 'base64'),
    ...(content.caption ? { caption: content.caption } : {}),
    ...(content.type === 'document' ? { filename: content.filename ?? 'documento' } : {}),
    ...(content.type === 'audio' ? { voice: content.voice ?? false } : {}),
    ...(content.type === 'sticker' ? { animated: content.animated ?? false } : {}),
  }
}

function toContactCard(card: { name: string; phone?: string; waId?: string }) {
  return {
    name: { formatted_name: card.name, first_name: card.name.split(' ')[0] },
    phones: card.phone ? [{ phone: card.phone, type: 'CELL', ...(card.waId ? { wa_id: card.waId } : {}) }] : [],
  }
}

function toSeconds(at: Date): string {
  return String(Math.floor(at.getTime() / 1000))
}
