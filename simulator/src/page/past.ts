// What was said before this world began, as the desk remembers it: it stands on the phones of both sides, and nobody is told of it.
import type { Business, Customer } from '../graph/people.ts'
import { compose } from '../whatsapp/compose.ts'
import type { WhatsAppNetwork as WhatsApp } from '../whatsapp/index.ts'
import type { Phone, PhoneMessage } from '../whatsapp/phone.ts'

export interface PastMessage {
  /** As the desk knows it, so that it can be quoted, edited and deleted on both sides. */
  readonly id: string
  readonly at: Date
  readonly by: 'customer' | 'company'
  readonly read: boolean
  readonly content: PastContent
}

export type PastContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'location'; readonly latitude: number; readonly longitude: number; readonly name: string }
  | {
      readonly type: 'image' | 'document'
      readonly bytes: Uint8Array
      readonly mime: string
      readonly name: string
      readonly caption: string
    }

/** Over WhatsApp: on the customer's phone and on the company's. */
export async function rememberOnWhatsApp(
  world: WhatsApp,
  { customer, company }: { customer: Phone; company: Phone },
  past: PastMessage,
): Promise<void> {
  const { id, at, by, read } = past
  const { content } = await compose(world, toOutgoing(past.content), {
    keyOf: () => ({ id }),
    secretOf: () => undefined,
    address: customer.jid,
  })
  if (!content) return
  const author = by === 'customer' ? customer : company
  for (const [viewer, other] of [
    [customer, company],
    [company, customer],
  ] as const) {
    const fromMe = viewer === author
    const shown: PhoneMessage = { id, chat: other.user, fromMe, from: author.user, at, content }
    viewer.keep(fromMe ? { ...shown, tick: read ? 'read' : 'delivered' } : shown)
  }
}

/** With a Cloud API number. */
export function rememberAtGraph(business: Business, customer: Customer, past: PastMessage): void {
  const { id, at, by, read } = past
  const { content: text } = past
  const content =
    'bytes' in text
      ? { type: text.type, bytes: text.bytes, mime: text.mime, filename: text.name, caption: text.caption }
      : text
  const facts = { id, at, status: read ? 'read' : 'delivered' } as const
  const entry =
    by === 'customer'
      ? { ...facts, from: 'customer' as const, content }
      : { ...facts, from: 'business' as const, content }
  business.entries.set(id, entry)
  customer.chat(business).push(entry)
}

function toOutgoing(content: PastContent): Parameters<typeof compose>[1] {
  if (!('bytes' in content)) return content
  const { type, bytes, mime, name, caption } = content
  return { type, data: bytes, mimetype: mime, fileName: name, ...(caption ? { caption } : {}) }
}
