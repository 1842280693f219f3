/** One open page of WhatsApp Web: it shows codes until a phone links it, then it is that device. */
import { randomBytes } from 'node:crypto'
import type { ServerWebSocket } from 'bun'
import type { CompanyPhone } from '../whatsapp/company'
import { makeReference } from '../whatsapp/reference'
import type { WhatsAppNetwork } from '../whatsapp/world'
import { BrowserDevice } from './device'
import type { PageFrame, WorldFrame } from './frames'
import { toJid, toWid } from './to-page'

/** How long a code is shown before the next. */
const CODE_MS = 20_000
const LETTERS = '123456789ABCDEFGHJKLMNPQRSTVWXYZ'

export class BrowserPage {
  /** The code it shows now, and the one to be typed; empty once it is linked. */
  ref = ''
  alt: { number: string; code: string } | undefined
  private device: BrowserDevice | undefined
  private timer: Timer | undefined

  constructor(
    private readonly world: WhatsAppNetwork,
    private readonly socket: ServerWebSocket<unknown>,
  ) {}

  say(frame: PageFrame): void {
    this.socket.send(JSON.stringify(frame))
  }

  received(text: string): void {
    const frame: WorldFrame = JSON.parse(text)
    this.take(frame).catch(error => this.world.trouble(error))
  }

  closed(): void {
    clearTimeout(this.timer)
    this.device?.close(this)
    this.world.pages.delete(this)
  }

  /** As somebody does who reads or types its code. */
  link(company: CompanyPhone): BrowserDevice {
    const device = new BrowserDevice(this.world, company, company.nextDevice())
    company.browsers.push(device)
    this.world.emit({ type: 'linked', company: company.user, device: device.device })
    this.open(device)
    return device
  }

  /** Shows the next code, as the page does when nobody read the last one. */
  nextCode(): void {
    clearTimeout(this.timer)
    this.ref = makeReference()
    this.say({ t: 'ref', ref: this.ref })
    this.timer = setTimeout(() => this.nextCode(), CODE_MS)
  }

  private open(device: BrowserDevice): void {
    clearTimeout(this.timer)
    this.ref = ''
    this.alt = undefined
    this.device = device
    device.open(this)
  }

  private async take(frame: WorldFrame): Promise<void> {
    const { world } = this
    switch (frame.t) {
      case 'hello': {
        const known = world.companies.flatMap(company => company.browsers).find(one => one.key === frame.key)
        if (known) return this.open(known)
        this.nextCode()
        return world.emit({ type: 'qr', refs: 1 })
      }
      case 'alt': {
        const code = [...randomBytes(8)].map(byte => LETTERS[byte % LETTERS.length]).join('')
        this.alt = { number: frame.phone, code }
        world.emit({ type: 'pairing-code', number: frame.phone })
        return this.say({ t: 'answer', n: frame.n, value: code })
      }
      case 'exists': {
        const jid = toJid(frame.wid)
        const phone = world.account(world.phone(jid)?.user ?? jid.replace(/@.*$/, ''))
        return this.say({ t: 'answer', n: frame.n, value: phone ? { pn: toWid(phone.jid), lid: phone.lid } : null })
      }
      case 'file':
        return this.say({ t: 'answer', n: frame.n, value: await this.file(frame.path) })
      case 'unknown':
        return world.trouble(new Error(`The library asked for ${frame.name}, which this page does not have`))
      default:
        return this.device?.take(frame)
    }
  }

  private async file(path: string): Promise<string | null> {
    const company = this.device?.company
    const content = company
      ?.chatNames()
      .flatMap(chat => company.messages(chat))
      .map(message => message.content)
      .find(one => 'media' in one && one.media.path === path)
    if (!content || !('media' in content)) return null
    const bytes = await this.world.media.open(content.media).catch(() => null)
    return bytes && Buffer.from(this.device?.spoilFile?.(bytes) ?? bytes).toString('base64')
  }
}
