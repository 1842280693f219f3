// What every way to WhatsApp tells in the same form: carts, charges and the answers of forms, as cards. Bounded: what a customer sends
// may be as long as he likes, a card is not.
import { beginningOf, type CardOf, type Money, moneyOf, type OrderLine } from '@balcao/contract'
import { isRecord, namedIn, parsed, records } from './json.ts'

const MOST_FIELDS = 200
export const MOST_LINES = 100
const DEEPEST = 10

export const MOST_BUTTONS = 30

/** A text of a card, if there is one. */
export function cardText(value: unknown, most = 4000): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return value.length > most ? `${value.slice(0, most).toWellFormed()}…` : value
}

/** An address that a browser may open; whatever else it names is none. */
export function cardLink(value: unknown): string | undefined {
  const url = URL.parse(typeof value === 'string' ? value : '')
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : undefined
}

/** A number that a phone may call. */
export function cardPhone(value: unknown): string | undefined {
  const digits = typeof value === 'string' ? value.slice(0, 100).replace(/[^\d+]/g, '') : ''
  return digits ? `tel:${digits}` : undefined
}

/** A cart: the sum is told only if every price is one, all of one currency. */
export function orderCard(given: readonly OrderLine[], more: Pick<CardOf<'order'>, 'text' | 'id'>): CardOf<'order'> {
  const count = given.reduce((sum, line) => sum + line.quantity, 0)
  return { kind: 'order', count, total: totalOf(given), lines: given.slice(0, MOST_LINES), ...more }
}

/** Pieces as they are counted: what is no number is one. */
export function quantityOf(value: unknown): number {
  const count = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isSafeInteger(count) && count >= 0 && count < 1e9 ? count : 1
}

function totalOf(lines: readonly OrderLine[]): Money | null {
  const [first] = lines
  if (!first?.price) return null
  const { currency } = first.price
  const sums = lines.map(({ quantity, price }) => (price?.currency === currency ? price.amount * quantity : Number.NaN))
  return moneyOf(Math.round(sums.reduce((all, sum) => all + sum, 0) * 100), currency, 100)
}

/** A charge as companies send it (`order_details`, `review_and_pay`), Pix key and all; null if it is none. */
export function chargeCard(given: unknown, text?: string): CardOf<'payment'> | null {
  if (!isRecord(given)) return null
  const order = isRecord(given.order) ? given.order : {}
  const settings = records(given.payment_settings)
  const paid = settings.map(one =>
    [one.pix_static_code, one.pix_dynamic_code, one.payment_link, one.boleto].find(isRecord),
  )
  const way = (name: string) => paid.map(one => cardText(one?.[name])).find(Boolean)
  const key = way('key')
  const code = way('code') ?? way('digitable_line')
  const link = paid.map(one => cardLink(one?.uri)).find(Boolean)
  const reference = cardText(given.reference_id)
  const sum = sumOf(given.total_amount, given.currency)
  // A key by itself comes with a sum of nothing, and a line without a name.
  const total = sum?.amount === 0 ? null : sum
  if (!total && !key && !code && !link) return null
  const pix = key ? { holder: way('merchant_name') ?? '', type: way('key_type') ?? '', key } : undefined
  const lines = records(order.items)
    .filter(item => cardText(item.name) ?? cardText(item.retailer_id))
    .slice(0, MOST_LINES)
    .map(item => ({
      name: cardText(item.name, 200) ?? cardText(item.retailer_id, 200) ?? '',
      quantity: quantityOf(item.quantity),
      price: sumOf(item.sale_amount ?? item.amount, given.currency),
    }))
  return {
    kind: 'payment',
    state: namedIn(STATES, given.payment_status ?? order.status) ?? 'asked',
    total,
    lines,
    ...(text && { text }),
    ...(pix && { pix }),
    ...(code && { code }),
    ...(link && { link }),
    ...(reference && { reference }),
  }
}

const STATES: Readonly<Record<string, CardOf<'payment'>['state']>> = {
  captured: 'paid',
  paid: 'paid',
  failed: 'declined',
  declined: 'declined',
  canceled: 'canceled',
}

/** `{ value, offset }`: so many parts of a unit. */
function sumOf(amount: unknown, currency: unknown): Money | null {
  return isRecord(amount)
    ? moneyOf(amount.value, currency, typeof amount.offset === 'number' ? amount.offset || 1 : 1)
    : null
}

/** What somebody filled in, however it is nested; `given` as JSON or as its text. What is no JSON is an answer by itself. */
export function formCard(given: unknown, title?: string): CardOf<'form'> {
  const answers = parsed(given)
  if (typeof answers === 'string') return formCard({}, [title, cardText(answers)].filter(Boolean).join('\n'))
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
    const name = beginningOf(
      path
        .filter(part => !/^\d+$/.test(part))
        .map(nameOf)
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
      if (!INNER.has(name)) gather(inner, name === 'values' ? path : [...path, beginningOf(name, 200)], into, depth + 1)
  } else {
    const isDrawn = path.some(name => DRAWN.test(name))
    const said = (Array.isArray(value) ? value : [value]).map(one => wordOf(one, isDrawn)).join(', ')
    const answer = cardText(said, 2000)
    if (answer) into.push({ name: beginningOf(path.map(nameOf).join(' · '), 200), value: answer })
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
export function formFiles(given: unknown): FormFile[] {
  const found: FormFile[] = []
  gatherFiles(parsed(given), found)
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
    cardText(id, 200) ?? (typeof id === 'number' ? String(id) : undefined),
    cardText(mime_type ?? mime, 200),
  ]
  if (!key || !type?.includes('/')) return null
  const hash = cardText(sha256, 200)
  return { id: key, mime: type, name: cardText(file_name, 200) ?? 'arquivo', ...(hash && { sha256: hash }) }
}

/** Names and choices as Meta's form builder makes them: `screen_0_Nome_completo_1`, `0_Sim`. */
const DRAWN = /^screen_\d+_(.+)_\d+$/

function nameOf(name: string): string {
  return (DRAWN.exec(name)?.[1] ?? name).replaceAll('_', ' ')
}

function wordOf(value: unknown, isDrawn: boolean): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗'
  return isDrawn ? String(value).replace(/^\d+_/, '').replaceAll('_', ' ') : String(value)
}
