// What a message carries besides its words: cards that a customer or a company sends, and where somebody came from.
import { Nullable, type Static, StringEnum, Type } from '../kit/schema.ts'

/** `amount` in units of the currency, not in cents; `currency` an ISO 4217 code. */
export const Money = Type.Object({ amount: Type.Number(), currency: Type.String({ maxLength: 3 }) })
export type Money = Static<typeof Money>

/** Something to press on a company's card. One does it on the phone: here it opens the link, copies, or is only read. */
export const CardButton = Type.Object({
  text: Type.String(),
  link: Type.Optional(Type.String({ description: 'an address, or tel: and a number' })),
  copy: Type.Optional(Type.String()),
})
export type CardButton = Static<typeof CardButton>

/** A company's message with header, words, footer and buttons; `cards` are those one leafs through. */
const ActionsCard = Type.Object({
  kind: Type.Literal('actions'),
  header: Type.Optional(Type.String()),
  text: Type.String(),
  footer: Type.Optional(Type.String()),
  buttons: Type.Array(CardButton),
  cards: Type.Optional(
    Type.Array(
      Type.Object({ header: Type.Optional(Type.String()), text: Type.String(), buttons: Type.Array(CardButton) }),
    ),
  ),
})

const OrderLine = Type.Object({
  name: Type.String({ description: 'the product’s name, or the shop’s number of it' }),
  quantity: Type.Integer(),
  price: Nullable(Money),
})
export type OrderLine = Static<typeof OrderLine>

/** A cart: `count` pieces, however many lines are told; `text` is the customer's note. */
const OrderCard = Type.Object({
  kind: Type.Literal('order'),
  count: Type.Integer(),
  total: Nullable(Money),
  lines: Type.Array(OrderLine),
  text: Type.Optional(Type.String()),
  id: Type.Optional(Type.String()),
})

const ProductCard = Type.Object({
  kind: Type.Literal('product'),
  title: Type.String(),
  text: Type.Optional(Type.String()),
  price: Nullable(Money),
  code: Type.Optional(Type.String({ description: 'the shop’s number of it' })),
  link: Type.Optional(Type.String()),
})

/** `type`: the kind of a Pix key as it is told (`CPF`, `CNPJ`, `EMAIL`, `PHONE`, `EVP`), otherwise empty. */
export const PixKey = Type.Object({
  holder: Type.String(),
  type: Type.String(),
  key: Type.String(),
})

/** A charge, a Pix key, or what became of a payment. */
const PaymentCard = Type.Object({
  kind: Type.Literal('payment'),
  text: Type.Optional(Type.String()),
  total: Nullable(Money),
  state: StringEnum(['asked', 'paid', 'declined', 'canceled']),
  pix: Type.Optional(PixKey),
  /** Pix "copia e cola", a boleto's line of digits, or a link to pay. */
  code: Type.Optional(Type.String()),
  link: Type.Optional(Type.String()),
  reference: Type.Optional(Type.String()),
  lines: Type.Array(OrderLine),
})

/** Instants in ISO 8601. */
const EventCard = Type.Object({
  kind: Type.Literal('event'),
  name: Type.String(),
  text: Type.Optional(Type.String()),
  startsAt: Nullable(Type.String()),
  endsAt: Nullable(Type.String()),
  place: Type.Optional(Type.String()),
  link: Type.Optional(Type.String()),
  isCanceled: Type.Boolean(),
})

const PollCard = Type.Object({
  kind: Type.Literal('poll'),
  question: Type.String(),
  options: Type.Array(Type.String()),
  isMultiple: Type.Boolean(),
})

/** What somebody filled in; `name` as the form's maker wrote it. */
const FormCard = Type.Object({
  kind: Type.Literal('form'),
  title: Type.Optional(Type.String()),
  fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
})

/** What stands for something the desk can't show; the words and what to do are the reader's language's. */
export const NOTICES = [
  'new_kind',
  'only_on_phone',
  'view_once',
  'code_on_phone',
  'payment_on_phone',
  'not_for_companies',
  'missing',
  'calls_allowed',
  'calls_refused',
  'edited_unseen',
] as const
export type NoticeCode = (typeof NOTICES)[number]
const NoticeCard = Type.Object({
  kind: Type.Literal('notice'),
  code: StringEnum(NOTICES),
  /** The provider's name of it, for who looks into a fault. */
  name: Type.Optional(Type.String()),
})

export const MessageCard = Type.Union([
  ActionsCard,
  OrderCard,
  ProductCard,
  PaymentCard,
  EventCard,
  PollCard,
  FormCard,
  NoticeCard,
])
export type MessageCard = Static<typeof MessageCard>
export type MessageCardByKind<K extends MessageCard['kind']> = Extract<MessageCard, { kind: K }>

/** What brought somebody here: an advertisement or a post that leads to WhatsApp, a product of the catalogue, or our status that they answer. */
export const MessageOrigin = Type.Object({
  kind: StringEnum(['ad', 'post', 'product', 'story']),
  title: Type.String(),
  text: Type.Optional(Type.String()),
  link: Type.Optional(Type.String()),
  code: Type.Optional(Type.String({ description: 'of the advertisement or the product' })),
})
export type MessageOrigin = Static<typeof MessageOrigin>

/** What a page says of itself, where a message has its address. */
export const LinkPreview = Type.Object({
  address: Type.String({ description: 'as it stands in the text' }),
  title: Type.String(),
  text: Type.Optional(Type.String()),
  thumb: Type.Optional(Type.String({ description: 'a small picture, as a data: address' })),
})
export type LinkPreview = Static<typeof LinkPreview>

export const MessageDetails = Type.Object({
  card: Type.Optional(MessageCard),
  origin: Type.Optional(MessageOrigin),
  link: Type.Optional(LinkPreview),
  /** It was changed, and only the phone can read how. */
  hiddenEdit: Type.Optional(Type.Literal(true)),
})
export type MessageDetails = Static<typeof MessageDetails>

/** What there is to read on a card, without sums of money: the body of its message, for searches, previews and who passes it on. */
export function getCardText(card: MessageCard): string {
  return listCardParts(card)
    .filter(part => part?.trim())
    .join('\n')
}

function listCardParts(card: MessageCard): (string | undefined)[] {
  const lines = (all: readonly OrderLine[]) => all.map(line => `${line.quantity} × ${line.name}`)
  switch (card.kind) {
    case 'actions':
      return [card.header, card.text, ...(card.cards ?? []).flatMap(one => [one.header, one.text]), card.footer]
    case 'order':
      return [card.text, ...lines(card.lines)]
    case 'product':
      return [card.title, card.text]
    case 'payment':
      return [card.text, ...lines(card.lines), card.pix?.holder, card.pix?.key, card.code, card.link]
    case 'event':
      return [card.name, card.text, card.place]
    case 'poll':
      return [card.question, ...card.options.map(option => `• ${option}`)]
    case 'form':
      return [card.title, ...card.fields.map(field => `${field.name}: ${field.value}`)]
    case 'notice':
      return []
  }
}
