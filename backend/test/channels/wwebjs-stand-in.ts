// The simulated WhatsApp behind a page that stands in for web.whatsapp.com, as the suite's stand-in for the kind `wwebjs`.
import {
  type CompanyPhone,
  type CustomerPhone,
  startWhatsApp,
  type WhatsAppNetwork,
} from '@balcao/simulator/whatsapp/index'
import type { BrowserDevice } from '@balcao/simulator/wwebjs/device'
import { createWebDriver, type WebTimes } from '../../src/messaging/channels/wwebjs/driver.ts'
import type { Driver } from '../../src/platform/channel/driver.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { GRAPH_UNUSED, toPhoneMessage, toSeenMessage } from './baileys-stand-in.ts'
import { ChannelDesk } from './desk.ts'
import type { StandIn } from './stand-in.ts'

export const QUICK: Partial<WebTimes> = {
  backoffMs: [20, 40, 80],
  replacedMs: 100,
  tooOldMs: 200,
  confirmMs: 3000,
  steadyMs: 60_000,
}

export interface WebStandIn extends StandIn {
  readonly world: WhatsAppNetwork
  readonly company: CompanyPhone
  readonly customer: CustomerPhone
  /** What the library asked the page for and it does not have. */
  readonly unknown: readonly string[]
  readonly device: BrowserDevice
  connected(): Promise<unknown>
}

export async function startWwebjsStandIn(db: Db, times: Partial<WebTimes> = {}): Promise<WebStandIn> {
  const world = await startWhatsApp({ ackDelayMs: 5 })
  const unknown: string[] = []
  world.on(event => event.type === 'trouble' && unknown.push(event.error.message))
  const company = world.company({ number: '553132224010', name: 'Loja Centro' })
  const customer = world.customer({ number: '5531998762210', name: 'Dona Lúcia', onWhatsAppAs: '553198762210' })
  const desk = await ChannelDesk.open(db, 'wwebjs', { whatsappWebUrl: world.url, graph: GRAPH_UNUSED })
  let driver: Driver = createWebDriver(desk.host, { ...QUICK, ...times })

  const connected = () => desk.next('status', event => event.status === 'CONNECTED', 30_000)
  const device = () => {
    const [linked] = company.browsers
    if (!linked) throw new Error('No page is linked')
    return linked
  }

  async function restart(): Promise<void> {
    await driver.stop()
    desk.forget()
    driver = createWebDriver(desk.host, { ...QUICK, ...times })
    await driver.start()
    await connected()
  }

  const state = (
    code: string,
    reason: StandIn['ends'][number]['reason'],
    next: StandIn['ends'][number]['next'] = 'retry',
    comesBack = true,
  ) => ({ code, reason, next, comesBack, cause: async () => device().say({ t: 'state', state: code }) })

  return {
    world,
    company,
    customer,
    desk,
    unknown,
    get device() {
      return device()
    },
    get driver() {
      return driver
    },
    get address() {
      return customer.address
    },
    phone: '553198762210',
    connected,
    async connect() {
      desk.forget()
      await driver.pair({ qr: true })
      await desk.next('status', event => Boolean(event.qr), 30_000)
      await company.scan(() => desk.all('status').findLast(event => event.qr)?.qr ?? '')
      await connected()
    },
    restart,
    says: message => customer.send(company, toPhoneMessage(message)),
    reads: () => customer.read(company),
    async seen(id) {
      const message = customer.message(company.user, id)
      return message && toSeenMessage(customer, message)
    },
    async whileAway(work) {
      await driver.stop()
      await work()
      desk.forget()
      await driver.start()
      await connected()
    },
    async twice(work) {
      world.knobs.repeat = 1
      await work()
      world.knobs.repeat = 0
    },
    async receiptsReversed(work) {
      device().holdAcks()
      const ticked = (tick: string) => world.timeline.next(event => event.type === 'tick' && event.tick === tick)
      const delivered = ticked('delivered')
      await work()
      await delivered
      const read = ticked('read')
      customer.read(company)
      await read
      device().releaseAcks()
    },
    async whileFilesAre(spoil, work) {
      device().spoilFile = spoil
      try {
        return await work()
      } finally {
        device().spoilFile = undefined
      }
    },
    ends: [
      state('DEPRECATED_VERSION', 'client_too_old'),
      state('CONFLICT', 'replaced'),
      state('TOS_BLOCK', 'banned', 'ask_support', false),
    ],
    async unlink() {
      company.logOut(device())
    },
    refuseNext() {
      customer.knobs.refuse = 463
      const stop = world.on(event => {
        if (event.type !== 'refused') return
        customer.knobs.refuse = undefined
        stop()
      })
      return 'ack_error'
    },
    async close() {
      await driver.stop()
      await world.stop()
      await desk.close()
    },
  }
}
