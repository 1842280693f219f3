// The phone of a company whose number is in its app and in the official API at once, and what Meta tells of the account: no customer does these.
import { randomUUID } from 'node:crypto'
import type { Business, Customer } from './people.ts'

/** One message of before the number was connected. */
export interface PastGraphMessage {
  readonly id?: string
  readonly text: string
  readonly at: Date
  readonly fromMe?: boolean
  /** A file of which only later more is told, by `file`. */
  readonly placeholder?: boolean
}

/** What happens on the phone beside the API comes as webhooks of its own. */
export function createCompanyPhone(business: Business) {
  const post = (field: string, value: Record<string, unknown>) =>
    business.lane.post({
      field,
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: business.number, phone_number_id: business.phoneNumberId },
        ...value,
      },
    })
  const echo = (customer: Customer, message: Record<string, unknown>) => {
    const id = `wamid.phone-${randomUUID()}`
    const between = { from: business.number, to: customer.waId, id, timestamp: toSeconds(new Date()) }
    post('smb_message_echoes', { message_echoes: [{ ...between, ...message }] })
    return id
  }
  return {
    /** Types on the phone; gives the message's id. */
    type: (customer: Customer, text: string) => echo(customer, { type: 'text', text: { body: text } }),
    edit: (customer: Customer, of: string, text: string) =>
      echo(customer, {
        type: 'edit',
        edit: { original_message_id: of, message: { type: 'text', text: { body: text } } },
      }),
    revoke: (customer: Customer, of: string) => echo(customer, { type: 'revoke', revoke: { original_message_id: of } }),
    /** One chunk of what was said with a customer before. */
    history(
      customer: Customer,
      messages: readonly PastGraphMessage[],
      at: { phase?: number; chunk?: number; progress?: number } = {},
    ) {
      const { phase = 0, chunk = 1, progress = 100 } = at
      const history = messages.map(({ id = `wamid.past-${randomUUID()}`, text, at: when, fromMe, placeholder }) => ({
        from: fromMe ? business.number : customer.waId,
        ...(fromMe && { to: customer.waId }),
        id,
        timestamp: toSeconds(when),
        ...(placeholder ? { type: 'media_placeholder' } : { type: 'text', text: { body: text } }),
        history_context: { status: 'READ', ...(fromMe && { from_me: true }) },
      }))
      const threads = [{ id: customer.waId, messages: history }]
      post('history', { history: [{ metadata: { phase, chunk_order: chunk, progress }, threads }] })
    },
    /** The file behind a placeholder of the history. */
    file(customer: Customer, id: string, type: string, file: Record<string, unknown>) {
      const contacts = [{ profile: { name: customer.name }, wa_id: customer.waId }]
      post('history', {
        contacts,
        messages: [{ from: customer.waId, id, timestamp: toSeconds(new Date()), type, [type]: file }],
      })
    },
    /** The company did not want its history told. */
    declineHistory() {
      const title = 'History sync is turned off by the business from the WhatsApp Business App'
      post('history', { history: [{ errors: [{ code: 2593109, title, message: title }] }] })
    },
    /** A name of the phone's contact book; null takes it out. */
    name(customer: Customer, fullName: string | null) {
      const contact = { phone_number: customer.waId, ...(fullName !== null && { full_name: fullName }) }
      const action = fullName === null ? 'remove' : 'add'
      post('smb_app_state_sync', {
        state_sync: [{ type: 'contact', contact, action, metadata: { timestamp: toSeconds(new Date()) } }],
      })
    },
    /** Somebody calls and nobody answers. */
    missedCall(customer: Customer) {
      const call = {
        id: `wacid.${randomUUID()}`,
        from: customer.waId,
        to: business.number,
        timestamp: toSeconds(new Date()),
      }
      post('calls', {
        contacts: [{ profile: { name: customer.name }, wa_id: customer.waId }],
        calls: [{ ...call, event: 'terminate', direction: 'USER_INITIATED', status: 'FAILED' }],
      })
    },
    /** Somebody wants no advertising any more (`stop`), or wants it again. */
    prefers(customer: Customer, value: 'stop' | 'resume') {
      const one = {
        wa_id: customer.waId,
        category: 'marketing_messages',
        value,
        timestamp: Math.floor(Date.now() / 1000),
      }
      post('user_preferences', { user_preferences: [one] })
    },
    /** News of the account, which name no number: `news('account_update', { event: 'ACCOUNT_RESTRICTION' })`. */
    news: (field: string, value: Record<string, unknown>) => business.lane.post({ field, value }),
  }
}

function toSeconds(at: Date): string {
  return String(Math.floor(at.getTime() / 1000))
}
