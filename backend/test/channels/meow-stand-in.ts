// The gateway's double, over the simulated WhatsApp's phones, as the suite's stand-in for the kind `meow`.
import { type Gowa, type GowaOptions, startGowa } from '@balcao/simulator/gowa/gowa'
import {
  type CompanyPhone,
  type CustomerPhone,
  startWhatsApp,
  type WhatsAppNetwork,
} from '@balcao/simulator/whatsapp/index'
import { createMeowDriver, type MeowTimes } from '../../src/messaging/channels/meow/driver.ts'
import type { Driver } from '../../src/platform/channel/driver.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { GRAPH_UNUSED, toPhoneMessage, toSeenMessage } from './baileys-stand-in.ts'
import { ChannelDesk } from './desk.ts'
import type { StandIn } from './stand-in.ts'

const QUICK: Partial<MeowTimes> = {
  callMs: 5000,
  pollMs: 100,
  pairingPollMs: 25,
  backoffMs: [20, 40],
  graceMs: 200,
  againMs: 200,
  settledMs: 500,
  timerMs: 0,
}

export const SECRET = 'a-secret-of-this-device-alone'

export interface MeowStandIn extends StandIn {
  readonly world: WhatsAppNetwork
  readonly gowa: Gowa
  readonly company: CompanyPhone
  readonly customer: CustomerPhone
  /** The HTTP statuses the webhook answered with. */
  readonly answers: number[]
  /** Nobody answers at the address the gateway posts to. */
  away: boolean
}

export async function startMeowStandIn(
  db: Db,
  options: GowaOptions = {},
  times: Partial<MeowTimes> = {},
): Promise<MeowStandIn> {
  const world = await startWhatsApp({ ackDelayMs: 5 })
  const gowa = await startGowa(world, { ackDelayMs: 5, retryBaseMs: 20, ...options })
  const company = world.company({ number: '553132224010', name: 'Loja Centro' })
  const customer = world.customer({ number: '5531998762210', name: 'Dona Lúcia', onWhatsAppAs: '553198762210' })
  const answers: number[] = []
  const webhook = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (self.away) return new Response(null, { status: 502 })
      const raw = await request.bytes()
      const answer = await driver.handleWebhook?.({ headers: request.headers, raw })
      answers.push(answer?.status ?? 404)
      return new Response(null, { status: answer?.status ?? 404 })
    },
  })
  const { GOWA_URL: url, GOWA_USER: user, GOWA_PASSWORD: password } = gowa.env
  const config = {
    whatsappWebUrl: null,
    graph: GRAPH_UNUSED,
    gowa: { url, user, password, webhookUrl: `http://127.0.0.1:${webhook.port}` },
  }
  const desk = await ChannelDesk.open(db, 'meow', config, { webhookSecret: SECRET })
  const create = () => createMeowDriver(desk.connection, desk.host, { ...QUICK, ...times })
  let driver: Driver = create()
  const connected = () => desk.next('status', event => event.status === 'CONNECTED')
  const device = () => company.gateways[0]

  const self: MeowStandIn = {
    world,
    gowa,
    company,
    customer,
    answers,
    away: false,
    desk,
    get driver() {
      return driver
    },
    address: '553198762210@s.whatsapp.net',
    phone: '553198762210',
    lacks: ['placeName', 'takingReactionsBack', 'fileHashes'],
    async connect() {
      desk.forget()
      await driver.pair({ qr: true })
      const { qr = '' } = await desk.next('status', event => event.status === 'qrcode')
      await company.scan(qr)
      await connected()
    },
    async restart() {
      await driver.stop()
      desk.forget()
      driver = create()
      await driver.start()
      await connected()
    },
    says: message => customer.send(company, toPhoneMessage(message)),
    reads: () => customer.read(company),
    async seen(id) {
      const message = customer.message(company.user, id)
      if (!message) return undefined
      return toSeenMessage(customer, message)
    },
    async whileAway(work) {
      await driver.stop()
      self.away = true
      await work()
      await gowa.idle()
      self.away = false
      desk.forget()
      driver = create()
      await driver.start()
      await connected()
    },
    async twice(work) {
      const lane = device()?.lane
      if (lane) lane.repeat = 1
      await work()
      await gowa.idle()
    },
    async receiptsReversed(work) {
      const lane = device()?.lane
      lane?.reorder(2)
      await work()
      customer.read(company)
      await Bun.sleep(20)
      lane?.release()
    },
    ends: [
      {
        code: 'disconnected',
        reason: 'network',
        next: 'retry',
        comesBack: true,
        async cause() {
          const linked = device()
          if (linked) linked.online = false
        },
      },
      {
        code: 'unreachable',
        reason: 'gateway_down',
        next: 'retry',
        comesBack: true,
        cause: () => gowa.restart(() => desk.next('status', event => event.status === 'DISCONNECTED').then(() => {})),
      },
      {
        code: 'logged_out',
        reason: 'logged_out',
        next: 'read_qr',
        comesBack: false,
        cause: async () => device()?.unlink('phone'),
      },
    ],
    async unlink() {
      device()?.unlink('phone')
    },
    refuseNext() {
      customer.knobs.refuse = 463
      const stop = world.on(event => {
        if (event.type !== 'refused') return
        delete customer.knobs.refuse
        stop()
      })
      return '463'
    },
    async close() {
      await driver.stop()
      await gowa.stop()
      await world.stop()
      await webhook.stop(true)
      await desk.close()
      if (gowa.faults.length > 0) throw new Error(`Not as the gateway describes itself:\n${gowa.faults.join('\n')}`)
    },
  }
  return self
}
