// Who takes part: the business numbers a company sends from and the customers on the other side.
import type { CustomerContent, GraphEntry } from './content.ts'
import type { GraphCode } from './errors.ts'
import type { GraphTemplate } from './templates.ts'
import type { WebhookLane } from './webhook-lane.ts'

export type Network = 'normal' | 'slow' | 'off'

export interface Refusal {
  code: GraphCode
  /** Refusals left; each refused call takes one. */
  times: number
  /** Only for this recipient, in digits. */
  to?: string
  details?: string
}

export interface Business {
  readonly phoneNumberId: string
  readonly wabaId: string
  /** Digits with country code. */
  readonly number: string
  readonly name: string
  token: string
  templates: GraphTemplate[]
  readonly lane: WebhookLane
  /** Every message of this number, by wamid. */
  readonly entries: Map<string, GraphEntry>
  /** Calls answered with an error before anything happens; the first that fits is used. */
  readonly refusals: Refusal[]
  /** Accepted messages that then fail: the status `failed` comes with this code. */
  readonly failures: GraphCode[]
  /** Refuses the next calls to /messages (synchronous error answers). */
  refuse(code: GraphCode, options?: { times?: number; to?: string; details?: string }): void
  /** Accepts the next message and then reports it as failed. */
  failNext(code: GraphCode): void
}

export interface Customer {
  readonly number: string
  name: string
  /** What Meta calls this phone: may lack the ninth digit the number has. */
  waId: string
  /** Business-scoped user id, `BR.…`, for people with a username. */
  userId?: string
  username?: string
  /** A person with a username may show no phone at all. */
  phoneHidden: boolean
  readonly network: Network
  /** Whether the number has WhatsApp: without, what is sent to it is undeliverable. */
  onWhatsApp: boolean
  /** Businesses this person blocked: what they send is taken and never delivered. */
  readonly blocked: Set<Business>
  /** Sends as this customer; resolves with the message's id once it left the phone's hands. */
  send(business: Business, content: CustomerContent, options?: { quote?: string; at?: Date }): Promise<string>
  /** Opens the chat: everything delivered becomes read. */
  read(business: Business): void
  /** Listens to a voice note. */
  play(business: Business, id: string): void
  chat(business: Business): GraphEntry[]
  /** Whether the business shows 'typing…' in this chat now. */
  typing(business: Business): boolean
  setNetwork(network: Network): void
  /** Puts the last word of this customer further than 24 hours away. */
  closeWindow(business: Business): void
}
