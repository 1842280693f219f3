// What the desk may ask of whoever owns a connection; the asking process and the owner may be two.
import type { Kind } from '@balcao/contract'
import type { Template, WebhookAnswer, WebhookRequest } from './driver.ts'

export interface Supervisor {
  /** The kind of a connection; null for one that was deleted or never was. */
  kindOf(whatsappId: number): Promise<Kind | null>
  /** Starts the session, with the stored pairing if there is one. */
  start(whatsappId: number): Promise<void>
  /** Stops the session without forgetting the pairing. */
  stop(whatsappId: number): Promise<void>
  restart(whatsappId: number): Promise<void>
  /** Forgets the pairing and begins again with a new QR code. */
  recreate(whatsappId: number): Promise<void>
  /** Logs out at the provider, forgets the pairing and stays disconnected. */
  logout(whatsappId: number): Promise<void>
  /** Asks for a pair code for a phone (digits). */
  pair(whatsappId: number, phone: string): Promise<string>
  /** Anything else only the owner's session can tell or do; `argument` as the command wants it. */
  ask(whatsappId: number, command: 'check' | 'group', argument: string): Promise<unknown>
  /** Takes what a provider posts, in whichever process it arrives. */
  webhook(whatsappId: number, request: WebhookRequest): Promise<WebhookAnswer>
  /** Approved message templates; none for kinds without. */
  templates(whatsappId: number): Promise<readonly Template[]>
}
