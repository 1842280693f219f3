/** The company's own phone: the primary device, to which the desk is linked as a companion. */
import { tick } from './chats'
import type { Companion } from './companion'
import type { Outgoing } from './compose'
import { reasonFor } from './disconnects'
import type { Group } from './group'
import { type Screen, scan } from './pairing'
import { enterCode } from './pairing-code'
import { Phone, type PhoneOptions } from './phone'
import { readOnPhone } from './receipts'
import { addressOf, sendFrom } from './send'
import type { Step } from './timeline'
import type { World } from './world'

export class CompanyPhone extends Phone {
  /** The linked devices; a device stays here while its process is away. */
  readonly devices: Companion[] = []
  /** Refuses every login with this code (403, 405 …) until it is cleared. */
  refuseLogin: number | undefined
  /** What the account says about read receipts; `none` makes the desk's reading invisible. */
  readReceipts: 'all' | 'none' = 'all'
  private lastDevice = 0

  constructor(
    private readonly world: World,
    options: PhoneOptions,
  ) {
    super(options)
  }

  /**
   * Points the camera at a QR. Give a function that reads the screen to keep looking when the code is renewed meanwhile.
   * @returns the new device, after the client has accepted the link
   */
  scan(screen: Screen): Promise<Companion> {
    return scan(this.world, this, screen)
  }

  /** Types the eight characters the desk shows, with or without the dash. */
  enterCode(code: string): Promise<Companion> {
    return enterCode(this.world, this, code)
  }

  /** Removes a device from the phone's list of linked devices. */
  logOut(device: Companion): void {
    this.unlink(device, 'phone')
    device.connection?.end(reasonFor(401))
  }

  /** Writes on this phone itself: the desk sees a message of its own that it did not send. */
  type({ to, id, at, ...message }: { to: Phone | Group; id?: string; at?: Date } & TypedMessage): Promise<string> {
    const outgoing: Outgoing = 'type' in message ? message : { type: 'text', text: message.text }
    return sendFrom(this.world, this, to, outgoing, { ...(id && { id }), ...(at && { at }) })
  }

  /** Opens a chat on this phone itself: its unread mark goes away at the desk too, and the customer sees blue ticks. */
  read(customer: Phone): void {
    readOnPhone(this, customer, addressOf(customer))
    for (const message of customer.messages(this.user)) {
      if (message.fromMe) tick(this.world, customer, message.id, 'read', this)
    }
  }

  nextDevice(): number {
    this.lastDevice += 1
    return this.lastDevice
  }

  /** Tells the world what befell a message on its way to a device. */
  note({ device }: Companion, id: string, step: Step): void {
    this.world.emit({ type: 'stanza', company: this.user, device, id, step })
  }

  unlink(device: Companion, by: 'phone' | 'device'): void {
    const index = this.devices.indexOf(device)
    if (index < 0) return
    this.devices.splice(index, 1)
    device.loggedOut = true
    this.world.emit({ type: 'logged-out', company: this.user, device: device.device, by })
  }
}

export type TypedMessage = Outgoing | { text: string }
