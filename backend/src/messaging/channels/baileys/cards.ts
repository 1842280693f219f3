// Carts, products, buttons, events and polls as WhatsApp's protocol has them → the desk's cards.
import { type CardButton, type CardOf, type MessageCard, moneyOf, wordsOfCard } from '@balcao/contract'
import type { proto } from '@whiskeysockets/baileys'
import { cardLink, cardPhone, cardText, chargeCard, formCard, MOST_BUTTONS, quantityOf } from '../shared/cards.ts'
import { isRecord, parsed, records } from '../shared/json.ts'

type Text = string | null | undefined

const THOUSANDTHS = 1000

/** WhatsApp tells of a cart how many pieces and what they cost; the lines stay with the shop. */
export function orderCard(order: proto.Message.IOrderMessage): CardOf<'order'> {
  const title = cardText(order.orderTitle, 500)
  const text = cardText(order.message)
  const id = cardText(order.orderId, 200)
  return {
    kind: 'order',
    count: quantityOf(order.itemCount),
    total: moneyOf(plain(order.totalAmount1000), order.totalCurrencyCode, THOUSANDTHS),
    lines: title ? [{ name: title, quantity: quantityOf(order.itemCount), price: null }] : [],
    ...(text && { text }),
    ...(id && { id }),
  }
}

/** One product, or the whole catalogue that is shown; null if there is neither. */
export function productCard({ product, catalog, body }: proto.Message.IProductMessage): CardOf<'product'> | null {
  const shown = product ?? catalog
  const title = cardText(shown?.title, 500) ?? cardText(product?.retailerId, 500)
  const text = joined(body, shown?.description)
  if (!shown || !(title || text)) return null
  const amount = Number(product?.salePriceAmount1000 ?? 0) || product?.priceAmount1000
  const code = cardText(product?.retailerId, 200)
  const link = cardLink(product?.url)
  return {
    kind: 'product',
    title: title ?? '',
    price: moneyOf(plain(amount), product?.currencyCode, THOUSANDTHS),
    ...(text && { text }),
    ...(code && { code }),
    ...(link && { link }),
  }
}

export function requestCard({
  amount,
  amount1000,
  currencyCodeIso4217,
  noteMessage,
}: proto.Message.IRequestPaymentMessage): CardOf<'payment'> {
  const text = cardText(noteMessage?.extendedTextMessage?.text ?? noteMessage?.conversation)
  const total = amount?.value
    ? moneyOf(plain(amount.value), amount.currencyCode ?? currencyCodeIso4217, Number(amount.offset ?? 1) || 1)
    : moneyOf(plain(amount1000), currencyCodeIso4217, THOUSANDTHS)
  return { kind: 'payment', state: 'asked', total, lines: [], ...(text && { text }) }
}

/** With buttons, to be leafed through, a charge or a Pix key. Null: nothing of it can be read. */
export function interactiveCard(given: proto.Message.IInteractiveMessage): MessageCard | null {
  const { header, body, footer } = given
  const pressed = (given.nativeFlowMessage?.buttons ?? []).map(({ name, buttonParamsJson }) => ({
    name,
    params: parsed(buttonParamsJson),
  }))
  const text = joined(header?.title, body?.text, footer?.text)
  for (const { params } of pressed) {
    const charge = chargeCard(params, text)
    if (charge) return charge
  }
  const product = header?.productMessage ? productCard(header.productMessage) : null
  return actions({
    header: joined(header?.title, header?.subtitle, product?.title),
    text: body?.text,
    footer: footer?.text,
    buttons: pressed.flatMap(({ params }) => (isRecord(params) ? buttonsOf(params) : [])),
    cards: (given.carouselMessage?.cards ?? []).slice(0, MOST_BUTTONS).map(leafOf),
  })
}

/** One of the cards to be leafed through. */
function leafOf(given: proto.Message.IInteractiveMessage): NonNullable<CardOf<'actions'>['cards']>[number] {
  const card = interactiveCard({ ...given, carouselMessage: null })
  if (card?.kind !== 'actions') return { text: card ? wordsOfCard(card) : '', buttons: [] }
  const { header, text, buttons } = card
  return { text, buttons, ...(header && { header }) }
}

/** Whatever a button does, it is called so or opens this. A list's rows are told after its button. */
function buttonsOf(params: Readonly<Record<string, unknown>>): CardButton[] {
  const label = cardText(params.display_text ?? params.title ?? params.flow_cta, 200)
  const copy = cardText(params.copy_code ?? params.code, 500)
  const link = cardLink(params.url) ?? cardPhone(params.phone_number)
  const text = label ?? copy ?? link
  const own = text ? [{ text, ...(copy && { copy }), ...(link && { link }) }] : []
  const rows = records(params.sections).flatMap(section => records(section.rows).flatMap(row => rowOf(row)))
  return [...own, ...rows]
}

function rowOf(row: Readonly<Record<string, unknown>>): CardButton[] {
  const text = [cardText(row.title, 200), cardText(row.description, 200)].filter(Boolean).join(' · ')
  return text ? [{ text }] : []
}

export function templateCard(template: proto.Message.ITemplateMessage): MessageCard | null {
  if (template.interactiveMessageTemplate) return interactiveCard(template.interactiveMessageTemplate)
  const filled = template.hydratedTemplate ?? template.hydratedFourRowTemplate
  if (filled) {
    const card = actions({
      header: filled.hydratedTitleText,
      text: filled.hydratedContentText,
      footer: filled.hydratedFooterText,
      buttons: (filled.hydratedButtons ?? []).flatMap(({ quickReplyButton, urlButton, callButton }) =>
        buttonsOf({
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

export function buttonsCard({
  text,
  contentText,
  footerText,
  buttons,
}: proto.Message.IButtonsMessage): MessageCard | null {
  const pressed = (buttons ?? []).flatMap(({ buttonText, nativeFlowInfo }) => {
    const params = parsed(nativeFlowInfo?.paramsJson)
    return buttonsOf({
      ...(isRecord(params) && params),
      ...(buttonText?.displayText && { display_text: buttonText.displayText }),
    })
  })
  return actions({ header: text, text: contentText, footer: footerText, buttons: pressed })
}

export function listCard({
  title,
  description,
  footerText,
  buttonText,
  sections,
}: proto.Message.IListMessage): MessageCard | null {
  const buttons = buttonsOf({ display_text: buttonText, sections })
  return actions({ header: title, text: description, footer: footerText, buttons })
}

/** What somebody chose or filled in: words, or all fields of a form. */
export function responseCard({
  body,
  nativeFlowResponseMessage: flow,
}: proto.Message.IInteractiveResponseMessage): MessageCard {
  const text = cardText(body?.text)
  const given = parsed(flow?.paramsJson)
  const params = isRecord(given) ? given : {}
  // A button or a row of a list: its id is for programs.
  const names = Object.keys(params)
  const isChoice = names.length > 0 && names.every(name => CHOICE.has(name))
  if (isChoice || (text && !flow?.paramsJson)) {
    const words =
      text ?? joined(textIn(params.display_text ?? params.title), textIn(params.description)) ?? textIn(params.id)
    return { kind: 'actions', text: words ?? '', buttons: [] }
  }
  return formCard(given ?? {}, text)
}

const CHOICE = new Set(['id', 'title', 'display_text', 'description', 'disabled'])

function textIn(value: unknown): Text {
  return typeof value === 'string' ? value : null
}

export function eventCard(event: proto.Message.IEventMessage): CardOf<'event'> {
  const text = cardText(event.description)
  const place = cardText([event.location?.name, event.location?.address].filter(Boolean).join(', '), 500)
  const link = cardLink(event.joinLink)
  return {
    kind: 'event',
    name: cardText(event.name, 500) ?? '',
    startsAt: instantOf(event.startTime),
    endsAt: instantOf(event.endTime),
    isCanceled: event.isCanceled ?? false,
    ...(text && { text }),
    ...(place && { place }),
    ...(link && { link }),
  }
}

/** Of seconds, if they are a time a calendar has. */
function instantOf(seconds: unknown): string | null {
  const at = new Date(Number(seconds ?? 0) * 1000)
  return at.getTime() > 0 && at.getUTCFullYear() < 10_000 ? at.toISOString() : null
}

/** No number of choices means as many as one likes. */
export function pollCard({
  name,
  options,
  selectableOptionsCount,
}: proto.Message.IPollCreationMessage): CardOf<'poll'> {
  return {
    kind: 'poll',
    question: cardText(name) ?? '',
    options: (options ?? []).slice(0, MOST_BUTTONS).map(option => cardText(option.optionName, 500) ?? ''),
    isMultiple: selectableOptionsCount !== 1,
  }
}

interface Actions {
  readonly header?: Text
  readonly text: Text
  readonly footer?: Text
  readonly buttons: readonly CardButton[]
  readonly cards?: CardOf<'actions'>['cards']
}

function actions({ header, text, footer, buttons, cards = [] }: Actions): CardOf<'actions'> | null {
  const [title, said, foot] = [cardText(header), cardText(text), cardText(footer)]
  if (!(title || said || foot || buttons.length > 0 || cards.length > 0)) return null
  return {
    kind: 'actions',
    text: said ?? '',
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
  return cardText(parts.filter(part => part?.trim()).join('\n'))
}
