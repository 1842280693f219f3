// What is in a cart lies with WhatsApp, not in the message: it is asked for, a moment long. Without an answer the cart shows its sum alone.
import { type CardOf, moneyOf, wordsOfCard } from '@balcao/contract'
import type { OrderDetails } from '@whiskeysockets/baileys'
import type { ChannelEvent } from '../../../platform/channel/driver.ts'
import { cardText, MOST_LINES, quantityOf } from '../shared/cards.ts'
import type { Socket } from './link.ts'
import { unwrapped } from './unwrap.ts'

const PATIENCE_MS = 3000
/** Messages behind it wait meanwhile: who did not answer is left alone for so long. */
const REST_MS = 60_000
const resting = new WeakMap<Socket, number>()

type MessageEvent = Extract<ChannelEvent, { type: 'message' }>

/** The cart of a message with its lines; what is no cart stays as it is. */
export async function withOrderLines<E extends ChannelEvent>(
  event: E,
  message: Parameters<typeof unwrapped>[0],
  sock: Socket | null,
): Promise<E | MessageEvent> {
  if (event.type !== 'message' || event.details?.card?.kind !== 'order' || !sock) return event
  const order = unwrapped(message)?.message.orderMessage
  if (!order?.orderId || !order.token || Date.now() < (resting.get(sock) ?? 0)) return event
  const details = await inTime(sock, sock.getOrderDetails(order.orderId, order.token))
  if (!details || details.products.length === 0) return event
  const lines = linesOf(details, Number(order.totalAmount1000 ?? 0))
  const card = { ...event.details.card, lines }
  return { ...event, body: wordsOfCard(card), details: { ...event.details, card } }
}

/** In which parts of a unit the prices are told shows by their sum, which the message tells too; otherwise none is told. */
function linesOf({ price, products }: OrderDetails, total1000: number): CardOf<'order'>['lines'] {
  const parts = [1000, 100, 1].find(one => total1000 > 0 && price.total * 1000 === total1000 * one)
  return products.slice(0, MOST_LINES).map(product => ({
    name: cardText(product.name, 200) ?? cardText(product.id, 200) ?? '',
    quantity: quantityOf(product.quantity),
    price: parts === undefined ? null : moneyOf(product.price, product.currency, parts),
  }))
}

/** Null if it takes too long, or fails. */
async function inTime<T>(sock: Socket, asked: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => {
    resting.set(sock, Date.now() + REST_MS)
    late.resolve(null)
  }, PATIENCE_MS)
  try {
    return await Promise.race([asked, late.promise])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
