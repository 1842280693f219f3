/** The world: a WhatsApp server with its accounts, groups, files and knobs. Start one with `startWhatsApp`. */
import type { BinaryNode, proto } from '@whiskeysockets/baileys'
import type { GowaDevice as GatewayDevice } from '../gowa/device'
import type { BrowserPage } from '../wwebjs/page'
import { type CertificateChain, getTlsCertificate, makeCertificateChain, type TlsCertificate } from './certificates'
import type { Companion } from './companion'
import { CompanyPhone } from './company'
import type { ServerConnection } from './connection'
import { type CustomerOptions, CustomerPhone } from './customer'
import { toDisconnectStanza } from './disconnects'
import { ChatGroup, type GroupOptions } from './group'
import { type Hosts, startHosts } from './hosts'
import { CALM, type Knobs, makeRandom } from './knobs'
import { admitClient, leave } from './login'
import { MediaStore } from './media'
import type { Phone, PhoneOptions } from './phone'
import { dispatch } from './stanzas'
import { type NewEvent, Timeline, type WorldEvent } from './timeline'

export interface WhatsAppNetworkOptions extends Partial<Knobs> {
  /** Port of the websocket and the plain media host; 0 takes a free one. */
  port?: number
  /** Port of the TLS media host; 0 takes a free one. */
  mediaPort?: number
  /** Seed of the knobs' chances. */
  seed?: number
}

/** Starts the server. Product processes get `world.env` and are run with `bun --preload simulator/src/whatsapp/trust.ts` (`commandOf`). */
export async function startWhatsApp(options: WhatsAppNetworkOptions = {}): Promise<WhatsAppNetwork> {
  const { port = 0, mediaPort = 0, seed = 1, ...knobs } = options
  const world = new WhatsAppNetwork(makeCertificateChain(), await getTlsCertificate(), { ...CALM, ...knobs }, seed)
  world.listen(port, mediaPort)
  return world
}

export class WhatsAppNetwork {
  readonly media = new MediaStore()
  readonly timeline = new Timeline()
  readonly connections = new Set<ServerConnection>()
  /** Open pages of WhatsApp Web. */
  readonly pages = new Set<BrowserPage>()
  /** The devices of each gateway. */
  readonly gateways = new Set<Iterable<GatewayDevice>>()
  readonly groups = new Map<string, ChatGroup>()
  readonly random: () => number
  private readonly people = new Map<string, Phone>()
  private readonly numbers = new Map<string, Phone>()
  private hosts: Hosts | undefined

  constructor(
    readonly chain: CertificateChain,
    private readonly tls: TlsCertificate,
    readonly knobs: Knobs,
    seed: number,
  ) {
    this.random = makeRandom(seed)
  }

  listen(port: number, mediaPort: number): void {
    this.hosts = startHosts(this, this.tls, port, mediaPort)
  }

  /** Address of the websocket, for `WHATSAPP_WEB_URL`. */
  get url(): string {
    return `ws://127.0.0.1:${this.running.port}/ws/chat`
  }

  /** Where devices upload files: host and port, TLS only. */
  get mediaHost(): string {
    return `localhost:${this.running.mediaPort}`
  }

  /** Where files sent by phones are fetched from. */
  get downloadHost(): string {
    return `http://127.0.0.1:${this.running.port}`
  }

  /** The root key a client has to trust, in hex. */
  get root(): string {
    return this.chain.root
  }

  /** What a product process needs in its environment, besides the preload. */
  get env(): { WHATSAPP_WEB_URL: string; SIMULATOR_WA_ROOT: string; NODE_EXTRA_CA_CERTS: string } {
    return { WHATSAPP_WEB_URL: this.url, SIMULATOR_WA_ROOT: this.root, NODE_EXTRA_CA_CERTS: this.tls.path }
  }

  /** A company's own phone: the primary device the desk is linked to. */
  company(options: PhoneOptions): CompanyPhone {
    return this.add(new CompanyPhone(this, options))
  }

  customer(options: CustomerOptions): CustomerPhone {
    return this.add(new CustomerPhone(this, options))
  }

  group(options: GroupOptions): ChatGroup {
    const group = new ChatGroup(options)
    this.groups.set(group.jid, group)
    group.announce()
    return group
  }

  /** Every phone, in the order they were made. */
  get phones(): Phone[] {
    return [...new Set(this.numbers.values())]
  }

  get companies(): CompanyPhone[] {
    return this.phones.filter(phone => phone instanceof CompanyPhone)
  }

  /** The phone behind a jid, whatever device and addressing. */
  phone(jid: string | undefined): Phone | undefined {
    return jid ? this.people.get(stripDevice(jid)) : undefined
  }

  /** The phone people reach by a number, with or without the Brazilian ninth digit. */
  byNumber(number: string): Phone | undefined {
    return this.numbers.get(number) ?? this.numbers.get(toggleNinthDigit(number) ?? '')
  }

  /** The account a client finds under a number; nobody where the number has no WhatsApp. */
  account(number: string): Phone | undefined {
    const phone = this.byNumber(number)
    return phone instanceof CustomerPhone && !phone.onWhatsApp ? undefined : phone
  }

  /** The linked device behind a jid with a device number. */
  device(jid: string | undefined): Companion | undefined {
    const phone = this.phone(jid)
    const device = Number(jid?.match(/:(\d+)@/)?.[1] ?? 0)
    return phone instanceof CompanyPhone ? phone.devices.find(companion => companion.device === device) : undefined
  }

  on(listener: (event: WorldEvent) => void): () => void {
    return this.timeline.on(listener)
  }

  emit(event: NewEvent): void {
    this.timeline.add(event)
  }

  trouble(error: unknown): void {
    this.emit({ type: 'trouble', error: error instanceof Error ? error : new Error(String(error)) })
  }

  /**
   * Cuts every device of a company off with a code of the protocol (401, 403, 405, 408, 411, 428, 440, 500, 503, 515).
   * 401 also removes the devices, as the phone does; to refuse the next logins too, set `company.refuseLogin`.
   */
  disconnect(company: CompanyPhone, code: number): void {
    for (const companion of [...company.devices]) {
      if (code === 401) company.logOut(companion)
      else companion.connection?.end(toDisconnectStanza(code))
    }
  }

  /** The line stays open but nothing passes any more: the client has to notice by itself. */
  freeze(company: CompanyPhone): void {
    for (const companion of company.devices) companion.connection?.freeze()
  }

  /** Puts a file on the plain host, for profile pictures. @returns its address */
  publish(path: string, data: Uint8Array): string {
    this.media.put(path, data)
    return `${this.downloadHost}${path}`
  }

  async stop(): Promise<void> {
    for (const connection of [...this.connections]) connection.close()
    await this.hosts?.stop()
  }

  connected(connection: ServerConnection, noiseKey: Uint8Array, payload: proto.ClientPayload): void {
    admitClient(this, connection, noiseKey, payload)
  }

  disconnected(connection: ServerConnection): void {
    this.connections.delete(connection)
    leave(this, connection)
  }

  handle(connection: ServerConnection, stanza: BinaryNode): Promise<void> {
    return dispatch(this, connection, stanza)
  }

  private get running(): Hosts {
    if (!this.hosts) throw new Error('The world is not listening')
    return this.hosts
  }

  private add<P extends Phone>(phone: P): P {
    const taken = [phone.number, phone.user].find(number => this.numbers.has(number))
    if (taken) throw new Error(`There is a phone with the number ${taken} already`)
    this.numbers.set(phone.number, phone)
    this.numbers.set(phone.user, phone)
    this.people.set(phone.jid, phone)
    this.people.set(phone.lid, phone)
    return phone
  }
}

function stripDevice(jid: string): string {
  return jid.replace(/:\d+@/, '@')
}

/** `5531998762210` for `553198762210` and the other way round; nothing for numbers that are no Brazilian mobiles. */
function toggleNinthDigit(number: string): string | undefined {
  const with9 = /^55(\d\d)9(\d{8})$/.exec(number)
  if (with9) return `55${with9[1]}${with9[2]}`
  const without9 = /^55(\d\d)(\d{8})$/.exec(number)
  return without9 ? `55${without9[1]}9${without9[2]}` : undefined
}
