// The simulated WhatsApp as the suite's stand-in for the kind `baileys`.
import {
  type CompanyPhone,
  type CustomerPhone,
  type PhoneContent,
  type PhoneMessage,
  setTrustRoot,
  startWhatsApp,
  type WhatsAppNetwork,
} from '@balcao/simulator/whatsapp/index'
import { type BaileysTimes, createBaileysDriver } from '../../src/messaging/channels/baileys/driver.ts'
import type { Driver } from '../../src/platform/channel/driver.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { ChannelDesk } from './desk.ts'
import type { CustomerMessage, SeenMessage, StandIn } from './stand-in.ts'

export const QUICK: Partial<BaileysTimes> = {
  backoffMs: [20, 40, 80],
  replacedMs: 100,
  tooOldMs: 200,
  confirmMs: 1500,
  steadyMs: 60_000,
}

export const GRAPH_UNUSED = { url: '', version: 'v26.0', appSecret: null, verifyToken: '' }

export interface BaileysStandIn extends StandIn {
  readonly world: WhatsAppNetwork
  readonly company: CompanyPhone
  readonly customer: CustomerPhone
  /** The process dies, with whatever it was doing, and another one starts. */
  die(): Promise<void>
}

export async function startBaileysStandIn(db: Db, times: Partial<BaileysTimes> = {}): Promise<BaileysStandIn> {
  const world = await startWhatsApp({ ackDelayMs: 5 })
  setTrustRoot(world.root)
  const company = world.company({ number: '553132224010', name: 'Loja Centro' })
  const customer = world.customer({ number: '5531998762210', name: 'Dona Lúcia', onWhatsAppAs: '553198762210' })
  const desk = await ChannelDesk.open(db, 'baileys', { whatsappWebUrl: world.url, graph: GRAPH_UNUSED })
  let driver: Driver = createBaileysDriver(desk.host, { ...QUICK, ...times })

  const connected = () => desk.next('status', event => event.status === 'CONNECTED')

  async function restart(): Promise<void> {
    await driver.settle?.()
    await driver.stop()
    desk.forget()
    driver = createBaileysDriver(desk.host, { ...QUICK, ...times })
    await driver.start()
    await connected()
  }

  const end = (
    code: number,
    reason: StandIn['ends'][number]['reason'],
    next: StandIn['ends'][number]['next'],
    comesBack: boolean,
  ) => ({
    code: String(code),
    reason,
    next,
    comesBack,
    cause: async () => world.disconnect(company, code),
  })

  return {
    world,
    company,
    customer,
    desk,
    get driver() {
      return driver
    },
    get address() {
      return customer.address
    },
    phone: '553198762210',
    async connect() {
      desk.forget()
      await driver.pair({ qr: true })
      await desk.until('the renewed code', () => desk.all('status').filter(event => event.qr).length > 1)
      await company.scan(() => desk.all('status').findLast(event => event.qr)?.qr ?? '')
      await connected()
    },
    restart,
    async die() {
      desk.die()
      const dead = driver.stop()
      desk.forget()
      driver = createBaileysDriver(desk.host, { ...QUICK, ...times })
      await driver.start()
      await connected()
      await dead
    },
    says: message => customer.send(company, toPhoneMessage(message)),
    reads: () => customer.read(company),
    async seen(id) {
      const message = customer.message(company.user, id)
      return message && toSeenMessage(customer, message)
    },
    async whileAway(work) {
      await driver.stop()
      await desk.until('the device is off', () => !company.devices[0]?.online)
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
      customer.offline()
      await work()
      world.knobs.reorder = 1
      const shown = world.timeline.next(event => event.type === 'message' && event.phone === customer.user)
      customer.online = true
      await shown
      world.knobs.reorder = 0
      setTimeout(() => customer.read(company), 0)
    },
    ends: [
      end(515, null, 'retry', true),
      end(428, 'network', 'retry', true),
      end(408, 'network', 'retry', true),
      end(500, 'server', 'retry', true),
      end(503, 'server', 'retry', true),
      end(405, 'client_too_old', 'retry', true),
      end(440, 'replaced', 'retry', true),
      end(403, 'banned', 'ask_support', false),
      end(411, 'multi_device_off', 'ask_support', false),
    ],
    async unlink() {
      const [device] = company.devices
      if (device) company.logOut(device)
    },
    refuseNext() {
      customer.knobs.refuse = 463
      const stop = world.on(event => {
        if (event.type !== 'refused') return
        customer.knobs.refuse = undefined
        stop()
      })
      return '463'
    },
    async close() {
      await driver.stop()
      await world.stop()
      await desk.close()
    },
  }
}

/** A message as the customer's phone shows it. */
export async function toSeenMessage(customer: CustomerPhone, message: PhoneMessage): Promise<SeenMessage> {
  const { content } = message
  const bytes = 'media' in content ? await customer.download(message) : undefined
  return {
    id: message.id,
    type: content.type,
    text: readContentText(content),
    ...(bytes && { bytes }),
    ...(message.quote && { quote: message.quote }),
    ...(message.reactions && { reaction: Object.values(message.reactions)[0] ?? '' }),
    edited: message.edited ?? false,
    revoked: message.revoked ?? false,
    ...(message.timer && { timer: message.timer }),
  }
}

/** What a customer of the suite sends, as his phone does. */
export function toPhoneMessage(message: CustomerMessage): Parameters<CustomerPhone['send']>[1] {
  switch (message.type) {
    case 'text': {
      const { text, quote, timer } = message
      return { type: 'text', text, ...(quote && { quote }), ...(timer && { timer }) }
    }
    case 'location':
      return { type: 'location', latitude: message.lat, longitude: message.lng, name: message.name }
    case 'contacts': {
      const [first, ...rest] = message.contacts
      if (first && rest.length === 0) return { type: 'contact', ...first }
      return { type: 'contacts', contacts: [...message.contacts] }
    }
    case 'reaction':
      return { type: 'reaction', of: message.of, emoji: message.emoji }
    case 'novelty':
      return { type: 'raw', message: { bcallMessage: {} } }
    default: {
      const { type, bytes, caption, name } = message
      return { type, data: bytes, ...(caption && { caption }), ...(name && { fileName: name }) }
    }
  }
}

export function readContentText(content: PhoneContent): string {
  if (content.type === 'text') return content.text
  if (content.type === 'location') return content.name ?? ''
  if (content.type === 'contacts') return content.contacts.map(contact => contact.vcard).join('\n')
  return 'caption' in content ? (content.caption ?? '') : ''
}
