// Everything outside Balcão in one process: WhatsApp, Meta's Graph API, a gateway, an AI endpoint, a Typebot, the people who use them, and the page with their phones.
import { type Ai, startAi } from './ai/ai.ts'
import { type Gowa, type GowaOptions, startGowa } from './gowa/gowa.ts'
import { type GraphOptions, type GraphSimulator, startGraph } from './graph/graph.ts'
import type { Business } from './graph/people.ts'
import { PhoneHub, type ScanRequest } from './page/hub.ts'
import { COMPANIES, CUSTOMERS } from './page/people.ts'
import type { CompanyOptions, CompanyPagePhone, CustomerPagePhone, PersonOptions } from './page/phones.ts'
import { handlePage } from './page/routes.ts'
import { startTypebot, type Typebot } from './typebot/typebot.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhooks/receiver.ts'
import { startWhatsApp, type WhatsAppNetwork as WhatsApp, type WhatsAppNetworkOptions } from './whatsapp/index.ts'

export interface SimulatorOptions {
  /** Port of the phones page; 0 (the default) takes a free one. */
  port?: number
  whatsapp?: WhatsAppNetworkOptions
  graph?: GraphOptions
  gowa?: GowaOptions
  /** Lists the connections that show a QR now, so that a company's phone can read them by itself. */
  onScanRequest?: ScanRequest
  /** False starts an empty world; true (the default) one with the people of the demo. */
  people?: boolean
}

/** What a person enters for a Cloud API connection. */
export interface CloudNumber {
  phoneNumberId: string
  wabaId: string
  token: string
  number: string
  name: string
}

export interface Simulator {
  /** What the product needs in its environment to live in this world instead of the real one. */
  readonly env: WhatsApp['env'] & GraphSimulator['env'] & Gowa['env'] & Ai['env'] & Typebot['env']
  readonly whatsapp: WhatsApp
  readonly graph: GraphSimulator
  /** The gateway of connections of the kind `meow`. */
  readonly gowa: Gowa
  readonly ai: Ai
  readonly typebot: Typebot
  /** A program that is told what happens. */
  readonly receiver: WebhookReceiver
  /** Origin; the page is at `${url}/simulator`. */
  readonly url: string
  /** The demo's Cloud API number; nothing in an empty world. */
  readonly cloud: (CloudNumber & { business: Business }) | undefined
  /** A person known to both networks, with a phone on the page. */
  customer(options: PersonOptions): CustomerPagePhone
  /** A company's own phone, which links devices. */
  company(options: CompanyOptions): CompanyPagePhone
  /** The companies' own phones. */
  readonly companies: readonly CompanyPagePhone[]
  /** The phone with this number or owner's name. */
  find(nameOrNumber: string): CustomerPagePhone | CompanyPagePhone | undefined
  /** Answers a request under /simulator, for a server that mounts the page. */
  fetch(req: Request): Promise<Response>
  stop(): Promise<void>
}

const CLOUD: CloudNumber = {
  phoneNumberId: '106540352242922',
  wabaId: '102290129340398',
  token: 'EAAG-demo-distribuidora-sao-jose',
  number: '+55 31 3333-4400',
  name: 'São José · Oficial',
}

/**
 * Starts the simulated world.
 * @example
 * const simulator = await startSimulator()
 * await simulator.find('Dona Lúcia')?.lines()[0]?.send({ type: 'text', text: 'Bom dia' })
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const whatsapp = await startWhatsApp(options.whatsapp)
  const graph = await startGraph({ ackDelayMs: 150, ...options.graph })
  const gowa = await startGowa(whatsapp, options.gowa)
  const ai = startAi()
  const typebot = startTypebot()
  const receiver = startWebhookReceiver()
  const hosts = `${typebot.env.ALLOW_PRIVATE_HOSTS},${receiver.host}`
  const hub = new PhoneHub(whatsapp, graph, options.onScanRequest)
  const cloud = options.people === false ? undefined : populate(hub, graph, whatsapp)
  const server = Bun.serve({
    port: options.port ?? 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: req => handlePage(hub, req),
  })
  return {
    env: { ...whatsapp.env, ...graph.env, ...gowa.env, ...ai.env, ALLOW_PRIVATE_HOSTS: hosts },
    whatsapp,
    graph,
    gowa,
    ai,
    typebot,
    receiver,
    url: `http://127.0.0.1:${server.port}`,
    cloud,
    customer: person => hub.customer(person),
    company: company => hub.company(company),
    get companies() {
      return hub.companies
    },
    find: nameOrNumber => hub.find(nameOrNumber),
    fetch: req => handlePage(hub, req),
    async stop() {
      hub.stop()
      await server.stop(true)
      await graph.stop()
      await gowa.stop()
      await ai.stop()
      await typebot.stop()
      await receiver.stop()
      await whatsapp.stop()
    },
  }
}

/** The group of the demo's deliveries, under the address the seeded desk knows it by. */
const DELIVERY_GROUP = '120363041122334455@g.us'

/** The people of the demo: two customers, the company's phone, then the others; each with a chat open. */
function populate(hub: PhoneHub, graph: GraphSimulator, whatsapp: WhatsApp): CloudNumber & { business: Business } {
  const business = graph.business(CLOUD)
  const [company, ...companies] = COMPANIES
  const [lucia, estrela, ...others] = CUSTOMERS
  const near = [lucia, estrela].flatMap(person => (person ? hub.customer(person) : []))
  const first = company ? hub.company(company) : undefined
  const far = others.map(person => hub.customer(person))
  for (const other of companies) hub.company(other)
  if (first)
    whatsapp.group({
      jid: DELIVERY_GROUP,
      subject: 'Entregas zona norte',
      description: 'Rotas, paradas e atrasos da zona norte. Áudio só até as 20h.',
      members: [first.whatsapp, ...[...near, ...far].slice(0, 4).map(phone => phone.whatsapp)],
    })
  for (const phone of [...near, ...far]) phone.open = `wa-${first?.whatsapp.user ?? ''}`
  const hidden = far.find(phone => phone.cloud.phoneHidden)
  if (hidden) hidden.open = `cloud-${business.phoneNumberId}`
  return { ...CLOUD, business }
}
