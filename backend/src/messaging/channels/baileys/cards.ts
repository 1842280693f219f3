// Carts, products, buttons, events and polls as WhatsApp's protocol has them → the desk's cards.
import { type CardButton, getCardText, type MessageCard, type MessageCardByKind, parseMoney } from '@balcao/contract'
import type { proto } from '@whiskeysockets/baileys'
import {
  buildChargeCard,
  buildFormCard,
  MOST_BUTTONS,
  parseQuantity,
  toCardLink,
  toCardPhone,
  toCardText,
} from '../shared/cards.ts'
import { isRecord, toRecords, tryParseJson } from '../shared/json.ts'

type Text = string | null | undefined

const THOUSANDTHS = 1000

/** WhatsApp tells of a cart how many pieces and what they cost; the lines stay with the shop. */
export function toOrderCard(order: proto.Message.IOrderMessage): MessageCardByKind<'order'> {
  const title = toCardText(order.orderTitle, 500)
  const text = toCardText(order.message)
  const id = toCardText(order.orderId, 200)
  return {
    kind: 'order',
    count: parseQuantity(order.itemCount),
    total: parseMoney(plain(order.totalAmount1000), order.totalCurrencyCode, THOUSANDTHS),
    lines: title ? [{ name: title, quantity: parseQuantity(order.itemCount), price: null }] : [],
    ...(text && { text }),
    ...(id && { id }),
  }
}

/** One product, or the whole catalogue that is shown; null if there is neither. */
export function toProductCard({
  product,
  catalog,
  body,
}: proto.Message.IProductMessage): MessageCardByKind<'product'> | null {
  const shown = product ?? catalog
  const title = toCardText(shown?.title, 500) ?? toCardText(product?.retailerId, 500)
  const text = joined(body, shown?.description)
  if (!shown || !(title || text)) return null
  const amount = Number(product?.salePriceAmount1000 ?? 0) || product?.priceAmount1000
  const code = toCardText(product?.retailerId, 200)
  const link = toCardLink(product?.url)
  return {
    kind: 'product',
    title: title ?? '',
    price: parseMoney(plain(amount), product?.currencyCode, THOUSANDTHS),
    ...(text && { text }),
    ...(code && { code }),
    ...(link && { link }),
  }
}

export function toRequestCard({
  amount,
  amount1000,
  currencyCodeIso4217,
  noteMessage,
}: proto.Message.IRequestPaymentMessage): MessageCardByKind<'payment'> {
  const text = toCardText(noteMessage?.extendedTextMessage?.text ?? noteMessage?.conversation)
  const total = amount?.value
    ? parseMoney(plain(amount.value), amount.currencyCode ?? currencyCodeIso4217, Number(amount.offset ?? 1) || 1)
    : parseMoney(plain(amount1000), currencyCodeIso4217, THOUSANDTHS)
  return { kind: 'payment', state: 'asked', total, lines: [], ...(text && { text }) }
}

/** With buttons, to be leafed through, a charge or a Pix key. Null: nothing of it can be read. */
export function toInteractiveCard(message: proto.Message.IInteractiveMessage): MessageCard | null {
  const { header, body, footer } = message
  const pressed = (message.nativeFlowMessage?.buttons ?? []).map(({ name, buttonParamsJson }) => ({
    name,
    params: tryParseJson(buttonParamsJson),
  }))
  const text = joined(header?.title, body?.text, footer?.text)
  for (const { params } of pressed) {
    const charge = buildChargeCard(params, text)
    if (charge) return charge
  }
  const product = header?.productMessage ? toProductCard(header.productMessage) : null
  return actions({
    header: joined(header?.title, header?.subtitle, product?.title),
    text: body?.text,
    footer: footer?.text,
    buttons: pressed.flatMap(({ params }) => (isRecord(params) ? toButtons(params) : [])),
    cards: (message.carouselMessage?.cards ?? []).slice(0, MOST_BUTTONS).map(toLeafCard),
  })
}

/** One of the cards to be leafed through. */
function toLeafCard(
  message: proto.Message.IInteractiveMessage,
): NonNullable<MessageCardByKind<'actions'>['cards']>[number] {
  const card = toInteractiveCard({ ...message, carouselMessage: null })
  if (card?.kind !== 'actions') return { text: card ? getCardText(card) : '', buttons: [] }
  const { header, text, buttons } = card
  return { text, buttons, ...(header && { header }) }
}

/** Whatever a button does, it is called so or opens this. A list's rows are told after its button. */
function toButtons(params: Readonly<Record<string, unknown>>): CardButton[] {
  const label = toCardText(params.display_text ?? params.title ?? params.flow_cta, 200)
  const copy = toCardText(params.copy_code ?? params.code, 500)
  const link = toCardLink(params.url) ?? toCardPhone(params.phone_number)
  const text = label ?? copy ?? link
  const own = text ? [{ text, ...(copy && { copy }), ...(link && { link }) }] : []
  const rows = toRecords(params.sections).flatMap(section => toRecords(section.rows).flatMap(row => toRowButton(row)))
  return [...own, ...rows]
}

function toRowButton(row: Readonly<Record<string, unknown>>): CardButton[] {
  const text = [toCardText(row.title, 200), toCardText(row.description, 200)].filter(Boolean).join(' · ')
  return text ? [{ text }] : []
}

export function toTemplateCard(template: proto.Message.ITemplateMessage): MessageCard | null {
  if (template.interactiveMessageTemplate) return toInteractiveCard(template.interactiveMessageTemplate)
  const filled = template.hydratedTemplate ?? template.hydratedFourRowTemplate
  if (filled) {
    const card = actions({
      header: filled.hydratedTitleText,
      text: filled.hydratedContentText,
      footer: filled.hydratedFooterText,
      buttons: (filled.hydratedButtons ?? []).flatMap(({ quickReplyButton, urlButton, callButton }) =>
        toButtons({
          display_text: quickReplyButton?.displayText ?? urlButton?.displayText ?? callButton?.displayText,
          url: urlButton?.url,
          phone_number: callButton?.phoneNumber,
        }),
      ),
    })
    return (
      card ?? (filled.maskLinkedDevices ? { kind: 'notice', code: 'code_on_phone', name: 'templateMessage' } : null)
    )
  }
  const { content, footer } = template.fourRowTemplate ?? {}
  return actions({ text: joined(...(content?.params ?? [])), footer: joined(...(footer?.params ?? [])), buttons: [] })
}

export function toButtonsCard({
  text,
  contentText,
  footerText,
  buttons,
}: proto.Message.IButtonsMessage): MessageCard | null {
  const pressed = (buttons ?? []).flatMap(({ buttonText, nativeFlowInfo }) => {
    const params = tryParseJson(nativeFlowInfo?.paramsJson)
    return toButtons({
      ...(isRecord(params) && params),
      ...(buttonText?.displayText && { display_text: buttonText.displayText }),
    })
  })
  return actions({ header: text, text: contentText, footer: footerText, buttons: pressed })
}

export function toListCard({
  title,
  description,
  footerText,
  buttonText,
  sections,
}: proto.Message.IListMessage): MessageCard | null {
  const buttons = toButtons({ display_text: buttonText, sections })
  return actions({ header: title, text: description, footer: footerText, buttons })
}

/** What somebody chose or filled in: words, or all fields of a form. */
export function toResponseCard({
  body,
  nativeFlowResponseMessage: flow,
}: proto.Message.IInteractiveResponseMessage): MessageCard {
  const text = toCardText(body?.text)
  const parameters = tryParseJson(flow?.paramsJson)
  const params = isRecord(parameters) ? parameters : {}
  // A button or a row of a list: its id is for programs.
  const names = Object.keys(params)
  const isChoice = names.length > 0 && names.every(name => CHOICE.has(name))
  if (isChoice || (text && !flow?.paramsJson)) {
    const words =
      text ?? joined(readText(params.display_text ?? params.title), readText(params.description)) ?? readText(params.id)
    return { kind: 'actions', text: words ?? '', buttons: [] }
  }
  return buildFormCard(parameters ?? {}, text)
}

const CHOICE = new Set(['id', 'title', 'display_text', 'description', 'disabled'])

function readText(value: unknown): Text {
  return typeof value === 'string' ? value : null
}

export function toEventCard(event: proto.Message.IEventMessage): MessageCardByKind<'event'> {
  const text = toCardText(event.description)
  const place = toCardText([event.location?.name, event.location?.address].filter(Boolean).join(', '), 500)
  const link = toCardLink(event.joinLink)
  return {
    kind: 'event',
    name: toCardText(event.name, 500) ?? '',
    startsAt: toInstant(event.startTime),
    endsAt: toInstant(event.endTime),
    isCanceled: event.isCanceled ?? false,
    ...(text && { text }),
    ...(place && { place }),
    ...(link && { link }),
  }
}

/** Of seconds, if they are a time a calendar has. */
function toInstant(seconds: unknown): string | null {
  const at = new Date(Number(seconds ?? 0) * 1000)
  return at.getTime() > 0 && at.getUTCFullYear() < 10_000 ? at.toISOString() : null
}

/** No number of choices means as many as one likes. */
export function toPollCard({
  name,
  options,
  selectableOptionsCount,
}: proto.Message.IPollCreationMessage): MessageCardByKind<'poll'> {
  return {
    kind: 'poll',
    question: toCardText(name) ?? '',
    options: (options ?? []).slice(0, MOST_BUTTONS).map(option => toCardText(option.optionName, 500) ?? ''),
    isMultiple: selectableOptionsCount !== 1,
  }
}

interface Actions {
  readonly header?: Text
  readonly text: Text
  readonly footer?: Text
  readonly buttons: readonly CardButton[]
  readonly cards?: MessageCardByKind<'actions'>['cards']
}

function actions({ header, text, footer, buttons, cards = [] }: Actions): MessageCardByKind<'actions'> | null {
  const [title, words, foot] = [toCardText(header), toCardText(text), toCardText(footer)]
  if (!(title || words || foot || buttons.length > 0 || cards.length > 0)) return null
  return {
    kind: 'actions',
    text: words ?? '',
    buttons: buttons.slice(0, MOST_BUTTONS),
    ...(title && { header: title }),
    ...(foot && { footer: foot }),
    ...(cards.length > 0 && { cards }),
  }
}

/** Long numbers come off the wire as objects. */
function plain(amount: unknown): number | null {
  return amount === null || amount === undefined ? null : Number(amount)
}

function joined(...parts: readonly Text[]): string | undefined {
  return toCardText(parts.filter(part => part?.trim()).join('\n'))
}
