// The phones on the page: each person's accounts on both networks under one identity, and the companies' own phones.
import { extractDigits, formatPhone, listPhoneVariants } from '@balcao/contract/contacts/phone'
import type { GraphSimulator } from '../graph/graph.ts'
import type { Customer } from '../graph/people.ts'
import type { CompanyPhone } from '../whatsapp/company.ts'
import type { CustomerPhone } from '../whatsapp/customer.ts'
import type { WhatsAppNetwork as WhatsApp } from '../whatsapp/index.ts'
import { GraphLine } from './graph-line.ts'
import { ActionError, formatPreview, type PhoneLine } from './line.ts'
import type { Network, PhoneDevice, PhoneView } from './model.ts'
import { WhatsAppLine } from './whatsapp-line.ts'

const BUBBLES_SHOWN = 80
/** A company's phone knows everybody, on the wall as well. */
const CHATS_SHOWN = 60
/** Among so many of the newest words a 'SAIR' is looked for: the desk answers it. */
const NEWEST = 8
const SLOW_MS = 2500

export interface PersonOptions {
  /** As people write it. */
  number: string
  name: string
  /** The number WhatsApp knows the account by, when it lacks the ninth digit. */
  onWhatsAppAs?: string
  /** Business-scoped user id at Meta. */
  userId?: string
  username?: string
  /** Meta does not tell this person's phone. */
  phoneHidden?: boolean
  addressing?: 'pn' | 'lid'
  /** Stands on the wall of phones only, among many. */
  crowd?: boolean
  /** Reads what comes by itself. */
  autoRead?: boolean
}

export interface CompanyOptions {
  number: string
  /** The name customers see. */
  name: string
  /** What stands above the phone; 'Celular da empresa' if not given. */
  owner?: string
  label?: string
}

export abstract class PagePhone {
  readonly id: string
  abstract readonly role: 'customer' | 'company'
  readonly name: string
  readonly label: string
  network: Network = 'normal'
  open: string | undefined
  readonly crowd: boolean = false
  protected readonly whatsappWorld: WhatsApp
  protected readonly known = new Map<string, PhoneLine>()

  constructor(whatsappWorld: WhatsApp, id: string, name: string, label: string) {
    this.whatsappWorld = whatsappWorld
    this.id = id
    this.name = name
    this.label = label
  }

  /** Every chat this phone can open; the list grows with the world. */
  abstract lines(): PhoneLine[]

  line(id: string | undefined): PhoneLine | undefined {
    return this.lines().find(line => line.id === id)
  }

  devices(): PhoneDevice[] {
    return []
  }

  get onWhatsApp(): boolean {
    return true
  }

  /** The number gives WhatsApp up, or takes it again. */
  setWhatsApp(_on: boolean): void {
    throw new ActionError('Só o telefone de um cliente fica sem WhatsApp.')
  }

  async setNetwork(network: Network): Promise<void> {
    this.network = network
    if (network === 'off') return
    for (const line of this.known.values()) if (line instanceof WhatsAppLine) await line.flush()
  }

  view(): PhoneView {
    const lines = this.lines()
    const open = lines.find(line => line.id === this.open)
    const typing = open?.typing()
    return {
      id: this.id,
      role: this.role,
      name: this.name,
      label: this.label,
      network: this.network,
      onWhatsApp: this.onWhatsApp,
      crowd: this.crowd,
      chats: lines
        .map(toChatLine)
        .sort((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
        .slice(0, CHATS_SHOWN),
      ...(open
        ? {
            open: open.id,
            peer: {
              name: open.name,
              subtitle: open.subtitle,
              canCall: open.canCall,
              canEdit: open.canEdit,
              blocked: open.blocked,
              samples: open.samples,
              ...(typing ? { typing } : {}),
            },
          }
        : {}),
      bubbles: open?.bubbles(BUBBLES_SHOWN) ?? [],
      devices: this.devices(),
    }
  }

  protected whatsappLine(owner: CustomerPhone | CompanyPhone, other: CustomerPhone | CompanyPhone): PhoneLine {
    const key = `wa-${other.user}`
    const line = this.known.get(key) ?? new WhatsAppLine(this.whatsappWorld, this, owner, other)
    this.known.set(key, line)
    return line
  }
}

function toChatLine(line: PhoneLine) {
  const newest = line.bubbles(NEWEST)
  const last = newest.at(-1)
  return {
    id: line.id,
    name: line.name,
    number: line.number,
    preview: formatPreview(last),
    unread: line.unread(),
    mine: last?.mine ?? false,
    left: /^sair\W*$/i.test(newest.findLast(bubble => bubble.mine)?.text?.trim() ?? ''),
    blocked: line.blocked,
    ...(last ? { at: last.at } : {}),
  }
}

export class CustomerPagePhone extends PagePhone {
  readonly role = 'customer'
  readonly whatsapp: CustomerPhone
  readonly cloud: Customer
  override readonly crowd: boolean
  private readonly graph: GraphSimulator

  constructor(whatsapp: WhatsApp, graph: GraphSimulator, options: PersonOptions) {
    const number = extractDigits(options.number)
    super(whatsapp, number, options.name, formatPhone(number))
    const { onWhatsAppAs, addressing, autoRead, userId, username, phoneHidden } = options
    this.graph = graph
    this.crowd = options.crowd ?? false
    this.whatsapp = whatsapp.customer({
      number,
      name: options.name,
      ...(onWhatsAppAs ? { onWhatsAppAs: extractDigits(onWhatsAppAs) } : {}),
      ...(addressing ? { addressing } : {}),
      ...(autoRead ? { autoRead } : {}),
    })
    this.cloud = graph.customer({
      number,
      name: options.name,
      waId: this.whatsapp.user,
      ...(userId ? { userId } : {}),
      ...(username ? { username } : {}),
      ...(phoneHidden ? { phoneHidden } : {}),
    })
  }

  lines(): PhoneLine[] {
    const companies = this.whatsappWorld.companies.map(company => this.whatsappLine(this.whatsapp, company))
    return [
      ...companies,
      ...[...this.graph.businesses.values()].map(business => this.cloudLine(business.phoneNumberId)),
    ]
  }

  cloudLine(phoneNumberId: string): PhoneLine {
    const business = this.graph.businesses.get(phoneNumberId)
    if (!business) throw new Error(`No business number ${phoneNumberId}`)
    const line = this.known.get(`cloud-${phoneNumberId}`) ?? new GraphLine(this, this.cloud, business)
    this.known.set(line.id, line)
    return line
  }

  override get onWhatsApp(): boolean {
    return this.whatsapp.onWhatsApp
  }

  override setWhatsApp(on: boolean): void {
    this.whatsapp.onWhatsApp = on
    this.cloud.onWhatsApp = on
  }

  override async setNetwork(network: Network): Promise<void> {
    const slow = network === 'slow'
    this.whatsapp.knobs.delayMs = slow ? SLOW_MS : 0
    if (slow) this.whatsapp.knobs.ackDelayMs = SLOW_MS / 2
    else delete this.whatsapp.knobs.ackDelayMs
    this.whatsapp.online = network !== 'off'
    this.cloud.setNetwork(network)
    await super.setNetwork(network)
  }
}

export class CompanyPagePhone extends PagePhone {
  readonly role = 'company'
  readonly whatsapp: CompanyPhone
  private readonly seen = new Map<number, Date>()
  private readonly customers: () => CustomerPhone[]

  constructor(whatsapp: WhatsApp, options: CompanyOptions, customers: () => CustomerPhone[]) {
    const number = extractDigits(options.number)
    super(whatsapp, number, options.owner ?? 'Celular da empresa', options.label ?? formatPhone(number))
    this.whatsapp = whatsapp.company({ number, name: options.name })
    this.customers = customers
  }

  lines(): PhoneLine[] {
    return this.customers().map(customer => this.whatsappLine(this.whatsapp, customer))
  }

  override devices(): PhoneDevice[] {
    return this.whatsapp.linked.map(device => {
      const seenAt = this.seen.get(device.device)
      return {
        id: String(device.device),
        name: `Balcão · ${this.label}`,
        online: device.online,
        ...(seenAt ? { seenAt: seenAt.toISOString() } : {}),
      }
    })
  }

  /** A device of this phone was last there at this moment. */
  see(device: number, at: Date): void {
    this.seen.set(device, at)
  }
}

/** Whether two spellings are the same phone, with or without the ninth digit. */
export function isSamePhone(one: string, other: string): boolean {
  return listPhoneVariants(extractDigits(one)).includes(extractDigits(other))
}
