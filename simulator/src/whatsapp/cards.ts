/** What customers and companies send besides words and files, as it looks on the wire. */
import { type BinaryNode, proto } from '@whiskeysockets/baileys'
import { createNode, findChild } from './nodes'

/** Something to press: opens a link, copies, calls, or only answers. */
export type Button = { text: string; link?: string } | { text: string; copy: string } | { text: string; call: string }

/** Of an order or a charge; `price` of one piece. */
export interface CardLine {
  name: string
  quantity: number
  price: number
}

/** Sums are in reais. */
export type CardToSend =
  | { type: 'order'; count: number; total?: number; title?: string; text?: string; lines?: CardLine[] }
  | { type: 'product'; title: string; text?: string; price?: number; code?: string; link?: string; data?: Uint8Array }
  | { type: 'pix'; holder: string; keyType: 'CPF' | 'CNPJ' | 'EMAIL' | 'PHONE' | 'EVP'; key: string }
  | { type: 'charge'; total: number; lines: CardLine[]; code?: string }
  | {
      type: 'interactive'
      header?: string
      text: string
      footer?: string
      buttons: Button[]
      cards?: { header?: string; text: string; buttons: Button[] }[]
      data?: Uint8Array
    }
  | { type: 'event'; name: string; startsAt: Date; endsAt?: Date; text?: string; place?: string; canceled?: boolean }

/** A file that lies at the media host already, as a message names it. */
export type UploadedPicture = Pick<
  proto.Message.IImageMessage,
  'url' | 'directPath' | 'mediaKey' | 'fileSha256' | 'fileEncSha256' | 'fileLength'
>

export function createCardMessage(card: CardToSend, picture: UploadedPicture | undefined): proto.IMessage {
  const imageMessage = picture && { ...picture, mimetype: 'image/jpeg' }
  switch (card.type) {
    case 'order':
      return {
        orderMessage: {
          orderId: '781204415',
          token: Buffer.from(JSON.stringify(card.lines ?? [])).toString('base64'),
          itemCount: card.count,
          status: proto.Message.OrderMessage.OrderStatus.INQUIRY,
          surface: proto.Message.OrderMessage.OrderSurface.CATALOG,
          orderTitle: card.title ?? null,
          message: card.text ?? null,
          ...(card.total !== undefined && { totalAmount1000: card.total * 1000, totalCurrencyCode: 'BRL' }),
        },
      }
    case 'product': {
      const product = {
        productId: '5530117',
        title: card.title,
        description: card.text ?? null,
        retailerId: card.code ?? null,
        url: card.link ?? null,
        ...(card.price !== undefined && { priceAmount1000: card.price * 1000, currencyCode: 'BRL' }),
        productImage: imageMessage ?? null,
      }
      return { productMessage: { product } }
    }
    case 'pix': {
      const { holder, keyType, key } = card
      return createPayment('payment_info', {
        currency: 'BRL',
        total_amount: { value: 0, offset: 100 },
        payment_settings: [
          { type: 'pix_static_code', pix_static_code: { merchant_name: holder, key, key_type: keyType } },
        ],
      })
    }
    case 'charge': {
      const sum = (amount: number) => ({ value: Math.round(amount * 100), offset: 100 })
      const items = card.lines.map(({ name, quantity, price }) => ({ name, quantity, amount: sum(price) }))
      const code = card.code && [{ type: 'pix_dynamic_code', pix_dynamic_code: { code: card.code } }]
      return createPayment('review_and_pay', {
        currency: 'BRL',
        reference_id: 'PED-1',
        total_amount: sum(card.total),
        order: { status: 'pending', items },
        payment_settings: code || [],
      })
    }
    case 'interactive': {
      const { header, text, footer, buttons, cards } = card
      const carousel = cards && { carouselMessage: { cards: cards.map(one => createInteractive(one)) } }
      const message = createInteractive({ text, buttons, ...(header && { header }) }, imageMessage)
      return { interactiveMessage: { ...message, ...(footer && { footer: { text: footer } }), ...carousel } }
    }
    case 'event': {
      const seconds = (at: Date | undefined) => (at ? Math.floor(at.getTime() / 1000) : null)
      return {
        eventMessage: {
          name: card.name,
          description: card.text ?? null,
          startTime: seconds(card.startsAt),
          endTime: seconds(card.endsAt),
          location: card.place ? { name: card.place } : null,
          isCanceled: card.canceled ?? false,
        },
      }
    }
  }
}

/** What the server tells of an order: its token says here what is in it. */
export function answerOrderQuery(iq: BinaryNode): BinaryNode[] {
  const { content } = findChild(findChild(iq, 'order'), 'token') ?? {}
  if (!(content instanceof Uint8Array)) return []
  const lines: CardLine[] = JSON.parse(Buffer.from(Buffer.from(content).toString(), 'base64').toString())
  const word = (tag: string, value: string | number) => createNode(tag, {}, Buffer.from(String(value)))
  const products = lines.map(({ name, quantity, price }, at) =>
    createNode('product', {}, [
      ...[word('id', at + 1), word('name', name), word('quantity', quantity), word('price', Math.round(price * 1000))],
      word('currency', 'BRL'),
    ]),
  )
  const total = lines.reduce((sum, { quantity, price }) => sum + quantity * Math.round(price * 1000), 0)
  const price = createNode('price', {}, [word('total', total), word('currency', 'BRL')])
  return [createNode('order', { id: '781204415' }, [...products, price])]
}

function createPayment(name: string, params: object): proto.IMessage {
  const buttons = [{ name, buttonParamsJson: JSON.stringify(params) }]
  return { interactiveMessage: { nativeFlowMessage: { buttons } } }
}

function createInteractive(
  { header, text, buttons }: { header?: string; text: string; buttons: Button[] },
  imageMessage?: proto.Message.IImageMessage,
): proto.Message.IInteractiveMessage {
  return {
    ...((header || imageMessage) && { header: { title: header ?? null, ...(imageMessage && { imageMessage }) } }),
    body: { text },
    ...(buttons.length > 0 && { nativeFlowMessage: { buttons: buttons.map(createNativeButton) } }),
  }
}

function createNativeButton(button: Button): proto.Message.InteractiveMessage.NativeFlowMessage.INativeFlowButton {
  const make = (name: string, params: object) => ({
    name,
    buttonParamsJson: JSON.stringify({ display_text: button.text, ...params }),
  })
  if ('copy' in button) return make('cta_copy', { copy_code: button.copy })
  if ('call' in button) return make('cta_call', { phone_number: button.call })
  return 'link' in button && button.link
    ? make('cta_url', { url: button.link })
    : make('quick_reply', { id: button.text })
}

export interface Advertisement {
  title: string
  about?: string
  link: string
  code?: string
}

/** The first words of somebody who pressed an advertisement. */
export function createAdvertisementMessage(text: string, { title, about, link, code }: Advertisement): proto.IMessage {
  return {
    extendedTextMessage: {
      text,
      contextInfo: {
        conversionSource: 'FB_Ads',
        entryPointConversionSource: 'ctwa_ad',
        externalAdReply: {
          title,
          body: about ?? null,
          sourceUrl: link,
          sourceType: 'ad',
          sourceId: code ?? '120210',
          showAdAttribution: true,
        },
      },
    },
  }
}

/** The better file of a photo or film that was sent small first. */
export function createHdFile(of: proto.IMessageKey, message: proto.IMessage): proto.IMessage {
  const { HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD } = proto.MessageAssociation.AssociationType
  const associationType = message.imageMessage ? HD_IMAGE_DUAL_UPLOAD : HD_VIDEO_DUAL_UPLOAD
  return {
    associatedChildMessage: { message },
    messageContextInfo: { messageAssociation: { associationType, parentMessageKey: of } },
  }
}

/** Tells somebody that he was named in a status. */
export function createStatusMention(): proto.IMessage {
  const { STATUS_MENTION_MESSAGE } = proto.Message.ProtocolMessage.Type
  return { statusMentionMessage: { message: { protocolMessage: { type: STATUS_MENTION_MESSAGE } } } }
}
