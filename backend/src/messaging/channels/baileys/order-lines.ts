// What is in a cart lies with WhatsApp, not in the message: it is asked for, a moment long. Without an answer the cart shows its sum alone.
import { getCardText, type MessageCardByKind, parseMoney } from '@balcao/contract'
import type { OrderDetails } from '@whiskeysockets/baileys'
import type { ChannelEvent, InboundMessage } from '../../../platform/channel/driver.ts'
import { MOST_LINES, parseQuantity, toCardText } from '../shared/cards.ts'
import type { Socket } from './link.ts'
import { unwrapMessage } from './unwrap.ts'

const PATIENCE_MS = 3000
/** Messages behind it wait meanwhile: who did not answer is left alone for so long. */
const REST_MS = 60_000
const resting = new WeakMap<Socket, number>()

/** The cart of a message with its lines; what is no cart stays as it is. */
export async function addOrderLines<E extends ChannelEvent>(
  event: E,
  message: Parameters<typeof unwrapMessage>[0],
  sock: Socket | null,
): Promise<E | InboundMessage> {
  if (event.type !== 'message' || event.details?.card?.kind !== 'order' || !sock) return event
  const order = unwrapMessage(message)?.message.orderMessage
  if (!order?.orderId || !order.token || Date.now() < (resting.get(sock) ?? 0)) return event
  const details = await inTime(sock, sock.getOrderDetails(order.orderId, order.token))
  if (!details || details.products.length === 0) return event
  const lines = toOrderLines(details, Number(order.totalAmount1000 ?? 0))
  const card = { ...event.details.card, lines }
  return { ...event, body: getCardText(card), details: { ...event.details, card } }
}

/** In which parts of a unit the prices are told shows by their sum, which the message tells too; otherwise none is told. */
function toOrderLines({ price, products }: OrderDetails, total1000: number): MessageCardByKind<'order'>['lines'] {
  const parts = [1000, 100, 1].find(one => total1000 > 0 && price.total * 1000 === total1000 * one)
  return products.slice(0, MOST_LINES).map(product => ({
    name: toCardText(product.name, 200) ?? toCardText(product.id, 200) ?? '',
    quantity: parseQuantity(product.quantity),
    price: parts === undefined ? null : parseMoney(product.price, product.currency, parts),
  }))
}

/** Null if it takes too long, or fails. */
async function inTime<T>(sock: Socket, request: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => {
    resting.set(sock, Date.now() + REST_MS)
    late.resolve(null)
  }, PATIENCE_MS)
  try {
    return await Promise.race([request, late.promise])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
