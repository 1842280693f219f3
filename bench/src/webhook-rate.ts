// How many messages a second come in through signed webhooks of Meta: the whole real server, each message a notification of its own that
// is answered once it is committed.
import { createHmac } from 'node:crypto'
import { type Benchmark, readNumberOption } from './benchmark.ts'
import { type BenchDesk, withDesk } from './desk.ts'
import { startBare } from './processes.ts'

const NUMBERS = 4
const CUSTOMERS = 1000
/** Notifications under way at a time, for each number. */
const AT_ONCE = 64

export const webhookRate: Benchmark = {
  name: 'webhook-rate',
  about: `messages of ${CUSTOMERS} known people to ${NUMBERS} official numbers, each posted and signed as Meta does it, until all are committed`,
  run(options) {
    const messages = readNumberOption(options, 'messages', 20_000)
    return withDesk({ cloud: NUMBERS, baileys: 0 }, async desk => {
      // New contacts and tickets come first and do not count: a desk in its daily work has them.
      await measurePosts(desk, CUSTOMERS, 'first')
      await desk.sql`analyze`
      await measurePosts(desk, CUSTOMERS, 'warm')
      const before = await desk.processor()
      const rate = await measurePosts(desk, messages, 'a')
      const spent = ((await desk.processor()) - before) / messages
      const [row] = await desk.sql<{ n: number }[]>`select count(*)::int as n from message where not from_me`
      if (row?.n !== messages + 2 * CUSTOMERS)
        throw new Error(`Of ${messages + 2 * CUSTOMERS} messages ${row?.n} are stored`)
      const reference = {
        label: 'the same posts to a bare process that only answers',
        value: await measureBarePosts(desk, messages),
      }
      return [
        {
          label: 'signed webhooks, a message each, sustained',
          value: rate,
          unit: '/s',
          reference,
          aim: 1500,
          atLeast: true,
        },
        { label: 'of it the server’s own work, a message', value: spent * 1000, unit: 'ms' },
      ]
    })
  },
}

async function measureBarePosts(desk: BenchDesk, messages: number): Promise<number> {
  const bare = await startBare()
  try {
    return await measurePosts(desk, messages, 'bare', bare.url)
  } finally {
    await bare.stop()
  }
}

/** Posts so many messages as fast as they are answered; the rate a second. */
async function measurePosts(desk: BenchDesk, messages: number, round: string, url?: string): Promise<number> {
  let made = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: NUMBERS * AT_ONCE }, async () => {
      while (made < messages) {
        const n = made++
        const { whatsappId, business } = desk.cloud[n % NUMBERS] ?? {}
        if (!business) throw new Error('There is no official number.')
        const raw = makeNotification(business, round, n)
        const secret = desk.simulator.env.GRAPH_APP_SECRET ?? ''
        const answer = await fetch(`${url ?? desk.url}/webhooks/cloud/${whatsappId}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`,
          },
          body: raw,
        })
        await answer.arrayBuffer()
        if (answer.status !== 200) throw new Error(`A notification was answered with ${answer.status}`)
      }
    }),
  )
  return messages / ((performance.now() - start) / 1000)
}

function makeNotification(
  { phoneNumberId, wabaId }: { phoneNumberId: string; wabaId: string },
  round: string,
  n: number,
) {
  const customer = n % CUSTOMERS
  const from = String(5531_900_000_000 + customer)
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '553133330000', phone_number_id: phoneNumberId },
    contacts: [{ profile: { name: `Cliente ${customer}` }, wa_id: from, user_id: `BR.${customer}` }],
    messages: [
      {
        from,
        from_user_id: `BR.${customer}`,
        id: `wamid.${round}${n}`,
        timestamp: String(Math.floor(Date.now() / 1000)),
        type: 'text',
        text: { body: `Bom dia, queria saber do pedido ${n}` },
      },
    ],
  }
  const entry = [{ id: wabaId, changes: [{ field: 'messages', value }] }]
  return JSON.stringify({ object: 'whatsapp_business_account', entry })
}
