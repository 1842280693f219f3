// Joins both networks for the page: whose phone is dirty, what happened, which codes wait; and tells every open page.
import type { GraphSimulator } from '../graph/graph.ts'
import type { WhatsAppNetwork as WhatsApp } from '../whatsapp/index.ts'
import { describeGraphEvent, describeWhatsAppEvent, shortenName, WorldNotices } from './happenings.ts'
import type { Frame, PageState, Scan, Typing } from './model.ts'
import {
  type CompanyOptions,
  CompanyPagePhone,
  CustomerPagePhone,
  isSamePhone,
  type PagePhone,
  type PersonOptions,
} from './phones.ts'
import { TYPING_MS, WhatsAppLine } from './whatsapp-line.ts'

const TOGETHER_MS = 40
const SCANS_EVERY_MS = 1000

/** Lists the connections whose QR is on a screen now. */
export type ScanRequest = () => Promise<Scan[]>

export class PhoneHub {
  readonly phones = new Map<string, CustomerPagePhone | CompanyPagePhone>()
  private readonly whatsapp: WhatsApp
  private readonly graph: GraphSimulator
  private readonly onScanRequest: ScanRequest | undefined
  private readonly pages = new Set<(frame: Frame) => void>()
  private readonly dirty = new Set<PagePhone>()
  private readonly happenings = new WorldNotices(happening => this.tell({ type: 'happening', happening }))
  private timer: Timer | undefined
  private scans: Scan[] = []
  private lookingForScans: Timer | undefined
  private readonly stops: (() => void)[]

  constructor(whatsapp: WhatsApp, graph: GraphSimulator, onScanRequest: ScanRequest | undefined) {
    this.whatsapp = whatsapp
    this.graph = graph
    this.onScanRequest = onScanRequest
    this.stops = [this.followWhatsApp(), this.followGraph()]
  }

  customer(options: PersonOptions): CustomerPagePhone {
    return this.add(new CustomerPagePhone(this.whatsapp, this.graph, options))
  }

  company(options: CompanyOptions): CompanyPagePhone {
    return this.add(new CompanyPagePhone(this.whatsapp, options, () => this.customers.map(one => one.whatsapp)))
  }

  get customers(): CustomerPagePhone[] {
    return [...this.phones.values()].filter(phone => phone instanceof CustomerPagePhone)
  }

  get companies(): CompanyPagePhone[] {
    return [...this.phones.values()].filter(phone => phone instanceof CompanyPagePhone)
  }

  /** The phone with this number or owner's name. */
  find(nameOrNumber: string): CustomerPagePhone | CompanyPagePhone | undefined {
    return [...this.phones.values()].find(phone => phone.name === nameOrNumber || isSamePhone(phone.id, nameOrNumber))
  }

  state(): PageState {
    return {
      phones: [...this.phones.values()].map(phone => phone.view()),
      happenings: this.happenings.list,
      scans: this.scans,
    }
  }

  /** Shows the phone anew on every page, together with what changes in the same moment. */
  touch(phone: PagePhone | undefined): void {
    // Under load without a page open this is called thousands of times a second.
    if (!phone || this.pages.size === 0) return
    this.dirty.add(phone)
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      const phones = [...this.dirty].map(one => one.view())
      this.dirty.clear()
      this.tell({ type: 'phones', phones })
    }, TOGETHER_MS)
  }

  /** A page opens; returns how it closes. */
  open(page: (frame: Frame) => void): () => void {
    this.pages.add(page)
    page({ type: 'state', state: this.state() })
    this.lookForScans()
    return () => this.pages.delete(page)
  }

  stop(): void {
    clearTimeout(this.timer)
    clearTimeout(this.lookingForScans)
    for (const stop of this.stops) stop()
    this.pages.clear()
  }

  private add<P extends CustomerPagePhone | CompanyPagePhone>(phone: P): P {
    this.phones.set(phone.id, phone)
    this.touch(phone)
    return phone
  }

  private tell(frame: Frame): void {
    for (const page of this.pages) page(frame)
  }

  private followWhatsApp(): () => void {
    const nameOf = (account: string) => {
      const phone = this.whatsapp.byNumber(account) ?? this.whatsapp.phone(account)
      return phone ? shortenName(phone.name) : 'Alguém'
    }
    return this.whatsapp.on(event => {
      const sentence = describeWhatsAppEvent(event, nameOf)
      if (sentence) this.happenings.add(sentence, event.at)
      if ('phone' in event) this.touch(this.byAccount(event.phone))
      if ('company' in event) {
        const phone = this.byAccount(event.company)
        if (phone instanceof CompanyPagePhone && 'device' in event) phone.see(event.device, event.at)
        this.touch(phone)
      }
      if (event.type === 'tick' && event.by) this.touch(this.byAccount(event.by))
      if (event.type === 'typing') this.hear(event.phone, event.by, event.state)
      if (event.type === 'message' && !event.message.fromMe) this.hear(event.phone, event.message.from, 'paused')
    })
  }

  /** Somebody writes to this phone, or stopped; nobody writes longer than a typing sign lasts. */
  private hear(account: string, by: string, state: Typing | 'paused'): void {
    const phone = this.byAccount(account)
    const line = phone?.line(`wa-${by}`)
    if (!(line instanceof WhatsAppLine)) return
    line.hear(state)
    if (state !== 'paused') setTimeout(() => this.touch(phone), TYPING_MS + TOGETHER_MS).unref()
  }

  private followGraph(): () => void {
    return this.graph.on(event => {
      const sentence = describeGraphEvent(event)
      if (sentence) this.happenings.add(sentence, event.at)
      if ('customer' in event) this.touch(this.phones.get(event.customer.number))
    })
  }

  private byAccount(user: string): PagePhone | undefined {
    const number = this.whatsapp.byNumber(user)?.number
    return number ? this.phones.get(number) : undefined
  }

  /** Only while somebody looks. */
  private lookForScans(): void {
    if (!this.onScanRequest || this.lookingForScans) return
    const afterMs = this.scans.length === 0 && this.pages.size === 1 ? SCANS_EVERY_MS / 4 : SCANS_EVERY_MS
    this.lookingForScans = setTimeout(() => void this.takeScans(), afterMs)
  }

  private async takeScans(): Promise<void> {
    const found = await this.onScanRequest?.().catch(() => this.scans)
    this.lookingForScans = undefined
    if (found && JSON.stringify(found) !== JSON.stringify(this.scans)) {
      this.scans = found
      this.tell({ type: 'scans', scans: found })
    }
    if (this.pages.size > 0) this.lookForScans()
  }
}
