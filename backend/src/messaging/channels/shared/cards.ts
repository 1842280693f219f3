// What every way to WhatsApp tells in the same form: carts, charges and the answers of forms, as cards. Bounded: what a customer sends
// may be as long as he likes, a card is not.
import {
  type MessageCardByKind,
  type MessageOrigin,
  type Money,
  type OrderLine,
  parseMoney,
  truncateText,
} from '@balcao/contract'
import { isRecord, lookUp, toRecords, tryParseJson } from './json.ts'

const MOST_FIELDS = 200
export const MOST_LINES = 100
const DEEPEST = 10

export const MOST_BUTTONS = 30

/** A text of a card, if there is one. */
export function toCardText(value: unknown, most = 4000): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return value.length > most ? `${value.slice(0, most).toWellFormed()}…` : value
}

/** An address that a browser may open; whatever else it names is none. */
export function toCardLink(value: unknown): string | undefined {
  const url = URL.parse(typeof value === 'string' ? value : '')
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : undefined
}

/** A number that a phone may call. */
export function toCardPhone(value: unknown): string | undefined {
  const digits = typeof value === 'string' ? value.slice(0, 100).replace(/[^\d+]/g, '') : ''
  return digits ? `tel:${digits}` : undefined
}

/** A cart: the sum is told only if every price is one, all of one currency. */
export function buildOrderCard(
  lines: readonly OrderLine[],
  more: Pick<MessageCardByKind<'order'>, 'text' | 'id'>,
): MessageCardByKind<'order'> {
  const count = lines.reduce((sum, line) => sum + line.quantity, 0)
  return { kind: 'order', count, total: sumOrderLines(lines), lines: lines.slice(0, MOST_LINES), ...more }
}

/** Pieces as they are counted: what is no number is one. */
export function parseQuantity(value: unknown): number {
  const count = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(count) && count >= 0 && count < 1e9 ? count : 1
}

function sumOrderLines(lines: readonly OrderLine[]): Money | null {
  const [first] = lines
  if (!first?.price) return null
  const { currency } = first.price
  const sums = lines.map(({ quantity, price }) => (price?.currency === currency ? price.amount * quantity : Number.NaN))
  return parseMoney(Math.round(sums.reduce((all, sum) => all + sum, 0) * 100), currency, 100)
}

/** A charge as companies send it (`order_details`, `review_and_pay`), Pix key and all; null if it is none. */
export function buildChargeCard(value: unknown, text?: string): MessageCardByKind<'payment'> | null {
  if (!isRecord(value)) return null
  const order = isRecord(value.order) ? value.order : {}
  const settings = toRecords(value.payment_settings)
  const paid = settings.map(one =>
    [one.pix_static_code, one.pix_dynamic_code, one.payment_link, one.boleto].find(isRecord),
  )
  const way = (name: string) => paid.map(one => toCardText(one?.[name])).find(Boolean)
  const key = way('key')
  const code = way('code') ?? way('digitable_line')
  const link = paid.map(one => toCardLink(one?.uri)).find(Boolean)
  const reference = toCardText(value.reference_id)
  const sum = toMoney(value.total_amount, value.currency)
  // A key by itself comes with a sum of nothing, and a line without a name.
  const total = sum?.amount === 0 ? null : sum
  if (!total && !key && !code && !link) return null
  const pix = key ? { holder: way('merchant_name') ?? '', type: way('key_type') ?? '', key } : undefined
  const lines = toRecords(order.items)
    .filter(item => toCardText(item.name) ?? toCardText(item.retailer_id))
    .slice(0, MOST_LINES)
    .map(item => ({
      name: toCardText(item.name, 200) ?? toCardText(item.retailer_id, 200) ?? '',
      quantity: parseQuantity(item.quantity),
      price: toMoney(item.sale_amount ?? item.amount, value.currency),
    }))
  return {
    kind: 'payment',
    state: lookUp(STATES, value.payment_status ?? order.status) ?? 'asked',
    total,
    lines,
    ...(text && { text }),
    ...(pix && { pix }),
    ...(code && { code }),
    ...(link && { link }),
    ...(reference && { reference }),
  }
}

const STATES: Readonly<Record<string, MessageCardByKind<'payment'>['state']>> = {
  captured: 'paid',
  paid: 'paid',
  failed: 'declined',
  declined: 'declined',
  canceled: 'canceled',
}

/** `{ value, offset }`: so many parts of a unit. */
function toMoney(amount: unknown, currency: unknown): Money | null {
  return isRecord(amount)
    ? parseMoney(amount.value, currency, typeof amount.offset === 'number' ? amount.offset || 1 : 1)
    : null
}

/** What somebody filled in, however it is nested; `given` as JSON or as its text. What is no JSON is an answer by itself. */
export function buildFormCard(value: unknown, title?: string): MessageCardByKind<'form'> {
  const answers = tryParseJson(value)
  if (typeof answers === 'string') return buildFormCard({}, [title, toCardText(answers)].filter(Boolean).join('\n'))
  const fields: { name: string; value: string }[] = []
  gather(answers, [], fields)
  return { kind: 'form', ...(title && { title }), fields }
}

/** Of the form's maker or of WhatsApp, for programs. */
const INNER = new Set(['flow_token', 'wa_flow_response_params', 'flow_id', 'saved_address_id'])

function gather(value: unknown, path: readonly string[], into: { name: string; value: string }[], depth = 0): void {
  if (into.length >= MOST_FIELDS || value === null || value === undefined || depth > DEEPEST) return
  const file = fileAnswer(value)
  if (file) {
    const name = truncateText(
      path
        .filter(part => !/^\d+$/.test(part))
        .map(cleanFieldName)
        .join(' · '),
      200,
    )
    into.push({ name, value: file.name })
    return
  }
  if (Array.isArray(value) && value.some(one => typeof one === 'object' && one !== null)) {
    for (const [at, one] of value.entries()) gather(one, [...path, String(at + 1)], into, depth + 1)
  } else if (isRecord(value)) {
    // An address stands in `values`, beside what WhatsApp knows of it. Names are cut before every answer under them is called so.
    for (const [name, inner] of Object.entries(value))
      if (!INNER.has(name))
        gather(inner, name === 'values' ? path : [...path, truncateText(name, 200)], into, depth + 1)
  } else {
    const isDrawn = path.some(name => DRAWN.test(name))
    const text = (Array.isArray(value) ? value : [value]).map(one => formatAnswer(one, isDrawn)).join(', ')
    const answer = toCardText(text, 2000)
    if (answer) into.push({ name: truncateText(path.map(cleanFieldName).join(' · '), 200), value: answer })
  }
}

/** A file that somebody put into a form. */
export interface FormFile {
  readonly id: string
  readonly mime: string
  readonly name: string
  readonly sha256?: string
}

/** The files of what somebody filled in. */
export function collectFormFiles(value: unknown): FormFile[] {
  const found: FormFile[] = []
  gatherFiles(tryParseJson(value), found)
  return found
}

function gatherFiles(value: unknown, into: FormFile[], depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST || into.length >= MOST_FILES) return
  const file = fileAnswer(value)
  if (file) into.push(file)
  else for (const inner of Object.values(value)) gatherFiles(inner, into, depth + 1)
}

const MOST_FILES = 30

function fileAnswer(value: unknown): FormFile | null {
  if (!isRecord(value)) return null
  const { id, mime_type, mime, sha256, file_name } = value
  const [key, type] = [
    toCardText(id, 200) ?? (typeof id === 'number' ? String(id) : undefined),
    toCardText(mime_type ?? mime, 200),
  ]
  if (!key || !type?.includes('/')) return null
  const hash = toCardText(sha256, 200)
  return { id: key, mime: type, name: toCardText(file_name, 200) ?? 'arquivo', ...(hash && { sha256: hash }) }
}

/** Names and choices as Meta's form builder makes them: `screen_0_Nome_completo_1`, `0_Sim`. */
const DRAWN = /^screen_\d+_(.+)_\d+$/

function cleanFieldName(name: string): string {
  return (DRAWN.exec(name)?.[1] ?? name).replaceAll('_', ' ')
}

function formatAnswer(value: unknown, isDrawn: boolean): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗'
  return isDrawn ? String(value).replace(/^\d+_/, '').replaceAll('_', ' ') : String(value)
}

/** An answer quotes a message of the chat that it names, or our status. */
export function toStoryOrigin(quotedChat: string | null | undefined): MessageOrigin | undefined {
  return quotedChat === 'status@broadcast' ? { kind: 'story', title: '' } : undefined
}
