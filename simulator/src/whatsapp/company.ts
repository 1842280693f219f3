/** The company's own phone: the primary device, to which the desk is linked as a companion. */

import type { GowaDevice as GatewayDevice } from '../gowa/device'
import type { BrowserDevice } from '../wwebjs/device'
import { applyTick } from './chats'
import type { Companion } from './companion'
import type { OutgoingMessage } from './compose'
import { toDisconnectStanza } from './disconnects'
import type { ChatGroup } from './group'
import { type QrSource, scan } from './pairing'
import { enterCode } from './pairing-code'
import { Phone, type PhoneOptions } from './phone'
import { readOnPhone } from './receipts'
import { getAddress, sendFrom } from './send'
import type { DeliveryStep } from './timeline'
import type { WhatsAppNetwork } from './world'

/** A linked device, whatever it runs in. */
export type LinkedDevice = Companion | BrowserDevice | GatewayDevice

export class CompanyPhone extends Phone {
  /** The linked devices; a device stays here while its process is away. */
  readonly devices: Companion[] = []
  /** Linked pages of WhatsApp Web, which stay here while no browser has them open. */
  readonly browsers: BrowserDevice[] = []
  /** Devices that a gateway keeps. */
  readonly gateways: GatewayDevice[] = []
  /** Refuses every login with this code (403, 405 …) until it is cleared. */
  refuseLogin: number | undefined
  /** What the account says about read receipts; `none` makes the desk's reading invisible. */
  readReceipts: 'all' | 'none' = 'all'
  private lastDevice = 0

  constructor(
    private readonly world: WhatsAppNetwork,
    options: PhoneOptions,
  ) {
    super(options)
  }

  /**
   * Points the camera at a QR. Give a function that reads the screen to keep looking when the code is renewed meanwhile.
   * @returns the new device, after the client has accepted the link
   */
  scan(screen: QrSource): Promise<LinkedDevice> {
    return scan(this.world, this, screen)
  }

  /** Types the eight characters the desk shows, with or without the dash. */
  enterCode(code: string): Promise<LinkedDevice> {
    return enterCode(this.world, this, code)
  }

  /** Removes a device from the phone's list of linked devices. */
  logOut(device: LinkedDevice): void {
    if ('lane' in device) {
      device.unlink('phone')
      return
    }
    this.unlink(device, 'phone')
    if ('logOut' in device) device.logOut()
    else device.connection?.end(toDisconnectStanza(401))
  }

  /** Writes on this phone itself: the desk sees a message of its own that it did not send. */
  type({ to, id, at, ...message }: { to: Phone | ChatGroup; id?: string; at?: Date } & TypedMessage): Promise<string> {
    const outgoing: OutgoingMessage = 'type' in message ? message : { type: 'text', text: message.text }
    return sendFrom(this.world, this, to, outgoing, { ...(id && { id }), ...(at && { at }) })
  }

  /** Opens a chat on this phone itself: its unread mark goes away at the desk too, and the customer sees blue ticks. */
  read(customer: Phone): void {
    readOnPhone(this, customer, getAddress(customer))
    for (const message of customer.messages(this.user)) {
      if (message.fromMe) applyTick(this.world, customer, message.id, 'read', this)
    }
  }

  /** Every linked device, whether its process is away or not. */
  get linked(): readonly LinkedDevice[] {
    return [...this.devices, ...this.browsers, ...this.gateways]
  }

  nextDevice(): number {
    this.lastDevice += 1
    return this.lastDevice
  }

  /** Tells the world what befell a message on its way to a device. */
  note({ device }: Companion, id: string, step: DeliveryStep): void {
    this.world.emit({ type: 'stanza', company: this.user, device, id, step })
  }

  unlink(device: Companion | BrowserDevice, by: 'phone' | 'device'): void {
    if (!('logOut' in device ? takeOut(this.browsers, device) : takeOut(this.devices, device))) return
    device.loggedOut = true
    this.world.emit({ type: 'logged-out', company: this.user, device: device.device, by })
  }
}

export type TypedMessage = OutgoingMessage | { text: string }

function takeOut<T>(list: T[], one: T): boolean {
  const index = list.indexOf(one)
  if (index >= 0) list.splice(index, 1)
  return index >= 0
}
