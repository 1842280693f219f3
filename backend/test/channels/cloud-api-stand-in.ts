// The Graph double as the suite's stand-in for the kind `cloud_api`.
import type { CustomerContent, GraphEntry, Media } from '@balcao/simulator/graph/content'
import { type GraphEvent, startGraph } from '@balcao/simulator/graph/graph'
import type { Business, Customer } from '@balcao/simulator/graph/people'
import { createCloudApiDriver } from '../../src/messaging/channels/cloud-api/driver.ts'
import { answerChallenge } from '../../src/messaging/channels/cloud-api/webhook.ts'
import type { Driver } from '../../src/platform/channel/driver.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { ChannelDesk } from './desk.ts'
import type { CustomerMessage, SeenMessage, StandIn } from './stand-in.ts'

export const TOKEN = 'token-of-the-test'

export interface CloudApiStandIn extends StandIn {
  readonly graph: Awaited<ReturnType<typeof startGraph>>
  readonly business: Business
  readonly customer: Customer
  /** Where Meta posts to. */
  readonly webhookUrl: string
  /** The HTTP statuses the webhook answered with. */
  readonly answers: number[]
}

export async function startCloudApiStandIn(db: Db): Promise<CloudApiStandIn> {
  const graph = await startGraph({ port: 0, retryBaseMs: 10 })
  const answers: number[] = []
  const webhook = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.method === 'GET') {
        const challenge = answerChallenge(new URL(request.url).searchParams, graph.env.GRAPH_VERIFY_TOKEN)
        return new Response(challenge, { status: challenge === null ? 403 : 200 })
      }
      if (away) return new Response(null, { status: 502 })
      const raw = new Uint8Array(await request.arrayBuffer())
      const answer = await driver.handleWebhook?.({ headers: request.headers, raw })
      answers.push(answer?.status ?? 404)
      return new Response(null, { status: answer?.status ?? 404 })
    },
  })
  const webhookUrl = `http://127.0.0.1:${webhook.port}/webhooks/cloud/1`
  const business = graph.business({
    phoneNumberId: '5501',
    wabaId: '9901',
    token: TOKEN,
    number: '+55 31 3333-0000',
    name: 'Loja Centro',
    webhookUrl,
  })
  const customer = graph.customer({ number: '+55 31 99876-2210', name: 'Dona Lúcia', waId: '553198762210' })
  const {
    GRAPH_URL: url,
    GRAPH_VERSION: version,
    GRAPH_APP_SECRET: appSecret,
    GRAPH_VERIFY_TOKEN: verifyToken,
  } = graph.env
  const config = { whatsappWebUrl: null, graph: { url, version, appSecret, verifyToken } }
  const desk = await ChannelDesk.open(db, 'cloud_api', config, {
    phoneNumberId: '5501',
    wabaId: '9901',
    tokenMeta: TOKEN,
  })
  const create = () => createCloudApiDriver(desk.connection, desk.host, { backoffMs: [20, 40], callMs: 5000 })
  let driver: Driver = create()
  let away = false

  return {
    graph,
    business,
    customer,
    webhookUrl,
    answers,
    desk,
    get driver() {
      return driver
    },
    address: '553198762210',
    phone: '553198762210',
    lacks: ['timers'],
    connect: () => driver.start(),
    async restart() {
      await driver.stop()
      desk.forget()
      driver = create()
      await driver.start()
    },
    says: message =>
      customer.send(business, contentOf(message), 'quote' in message && message.quote ? { quote: message.quote } : {}),
    reads: () => customer.read(business),
    async seen(id) {
      const entry = customer.chat(business).find(one => one.id === id)
      return entry && seen(entry)
    },
    async whileAway(work) {
      away = true
      const failed = new Promise<void>(resolve => {
        const stop = graph.on((event: GraphEvent) => {
          if (event.type !== 'webhook' || event.result.outcome !== 'retrying') return
          stop()
          resolve()
        })
      })
      await work()
      await failed
      desk.forget()
      away = false
    },
    async twice(work) {
      business.lane.repeat = 1
      await work()
      await graph.idle()
    },
    async receiptsReversed(work) {
      business.lane.reorder(3)
      await work()
      await desk.until('delivery', () => customer.chat(business).at(-1)?.status === 'delivered')
      customer.read(business)
      await graph.idle()
      business.lane.release()
    },
    ends: [
      {
        code: '190',
        reason: 'token_refused',
        next: 'new_token',
        comesBack: false,
        cause: async () => {
          business.token = 'another'
          await driver.start()
        },
      },
    ],
    async unlink() {
      business.token = 'another'
      await driver.send(customer.number, null, { type: 'text', text: 'Alguém aí?' })
    },
    refuseNext() {
      business.refuse(131026)
      return '131026'
    },
    async close() {
      await driver.stop()
      await graph.stop()
      await webhook.stop(true)
      await desk.close()
    },
  }
}

function contentOf(message: CustomerMessage): CustomerContent {
  switch (message.type) {
    case 'text':
      return { type: 'text', text: message.text }
    case 'location':
      return { type: 'location', latitude: message.lat, longitude: message.lng, name: message.name }
    case 'contacts': {
      const contacts = message.contacts.map(({ name, number }) => ({ name, phone: `+${number}`, waId: number }))
      return { type: 'contacts', contacts }
    }
    case 'reaction':
      return { type: 'reaction', to: message.of, emoji: message.emoji }
    case 'novelty':
      return { type: 'raw', kind: 'hologram', value: { id: '1' } }
    default: {
      const { type, bytes, caption, name } = message
      return {
        type: type === 'voice' ? 'audio' : type,
        bytes,
        mime: MIMES[type],
        ...(caption && { caption }),
        ...(name && { filename: name }),
        ...(type === 'voice' && { voice: true }),
      }
    }
  }
}

const MIMES = {
  image: 'image/jpeg',
  audio: 'audio/mpeg',
  voice: 'audio/ogg; codecs=opus',
  video: 'video/mp4',
  document: 'application/pdf',
  sticker: 'image/webp',
}

function seen(entry: GraphEntry): SeenMessage {
  const { content } = entry
  return {
    id: entry.id,
    type: content.type === 'audio' && content.voice ? 'voice' : content.type,
    text: textOf(content),
    ...('bytes' in content && { bytes: content.bytes }),
    ...(entry.quote && { quote: entry.quote }),
    ...(entry.reaction && { reaction: entry.reaction }),
    edited: false,
    revoked: false,
  }
}

function textOf(content: GraphEntry['content']): string {
  if (content.type === 'text' || content.type === 'template' || content.type === 'interactive') return content.text
  if (content.type === 'location') return content.name ?? ''
  if (content.type === 'contacts') return content.contacts.map(one => `${one.name} ${one.waId ?? one.phone}`).join('\n')
  return isFile(content) ? (content.caption ?? '') : ''
}

function isFile(content: GraphEntry['content']): content is Media {
  return 'bytes' in content
}
