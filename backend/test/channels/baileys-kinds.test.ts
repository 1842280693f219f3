// What people and companies really send over WhatsApp → what the desk makes of it. One row a message: its kind, its words, its file,
// what stands on its card, or that it is no message. Pure: no connection.
import { describe, expect, test } from 'bun:test'
import { MESSAGE_KINDS, type MessageCard, type MessageOrigin } from '@balcao/contract'
import { proto } from '@whiskeysockets/baileys'
import { rereadMessage, toChannelEvents } from '../../src/messaging/channels/baileys/message.ts'
import { toPlainMessage } from '../../src/messaging/channels/baileys/plain-message.ts'
import type { ChannelEvent } from '../../src/platform/channel/driver.ts'

const self = { id: '553132224010:7@s.whatsapp.net', lid: '99@lid' }
const key = { remoteJid: '123@lid', remoteJidAlt: '5531998762210@s.whatsapp.net', fromMe: false, id: 'A1' }
const text = (words: string): proto.IMessage => ({ conversation: words })
const json = (name: string, params: unknown) => ({ name, buttonParamsJson: JSON.stringify(params) })
const flow = (...buttons: proto.Message.InteractiveMessage.NativeFlowMessage.INativeFlowButton[]) => ({
  nativeFlowMessage: { buttons },
})
const answer = (params: unknown, words?: string): proto.IMessage => ({
  interactiveResponseMessage: {
    ...(words && { body: { text: words } }),
    nativeFlowResponseMessage: {
      name: 'flow',
      paramsJson: typeof params === 'string' ? params : JSON.stringify(params),
    },
  },
})
const key32 = new Uint8Array(32).fill(7)
const picture = { mimetype: 'image/jpeg', mediaKey: key32, directPath: '/v/p', fileLength: 2048 }
const boleto = { mimetype: 'application/pdf', fileName: 'boleto.pdf', mediaKey: key32, directPath: '/v/b' }
const vcard = (name: string, more = '') => `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\n${more}END:VCARD`
const pix = { merchant_name: 'Padaria do Zé', key: 'ze@pao.br', key_type: 'EMAIL' }
const wrapped = (depth: number, message: proto.IMessage): proto.IMessage =>
  depth === 0
    ? message
    : { [depth % 2 ? 'ephemeralMessage' : 'viewOnceMessageV2']: { message: wrapped(depth - 1, message) } }

interface Shown {
  readonly kind: keyof typeof MESSAGE_KINDS
  readonly body?: string
  readonly file?: string
  readonly card?: object
  readonly origin?: Partial<MessageOrigin>
}
type Row = [name: string, message: proto.IMessage, shown: Shown | 'none', around?: object]

const notice = (code: string, name?: string): Shown => ({
  kind: 'unknown',
  body: '',
  card: { kind: 'notice', code, ...(name && { name }) },
})
const chat = (body: string): Shown => ({ kind: 'chat', body })

const WORDS: Row[] = [
  ['a text', text('Bom dia'), chat('Bom dia')],
  ['a text with a link', { extendedTextMessage: { text: 'https://x.br' } }, chat('https://x.br')],
  [
    'a text with a preview of its link',
    { extendedTextMessage: { text: 'https://x.br', matchedText: 'https://x.br', title: 'Loja', description: 'Pães' } },
    chat('https://x.br'),
  ],
  ['only blanks', text(' '), chat(' ')],
  ['a text without words', { extendedTextMessage: { text: '' } }, notice('only_on_phone', 'extendedTextMessage')],
  [
    'an answer to buttons',
    { buttonsResponseMessage: { selectedDisplayText: 'Sim', selectedButtonId: 's' } },
    chat('Sim'),
  ],
  ['an answer to a button without a label', { buttonsResponseMessage: { selectedButtonId: 'sim' } }, chat('sim')],
  ['an answer to a template', { templateButtonReplyMessage: { selectedDisplayText: 'Já paguei' } }, chat('Já paguei')],
  ['an answer to a list', { listResponseMessage: { title: 'Entrega' } }, chat('Entrega')],
  [
    'an answer to a list, with what the row says',
    { listResponseMessage: { title: 'Entrega', description: 'até 2 dias' } },
    chat('Entrega\naté 2 dias'),
  ],
  ['an answer to native buttons, by its label', answer({ id: 'r1' }, 'Quero'), chat('Quero')],
  ['the same without a label', answer({ id: 'r1', title: 'Quero', description: 'R$ 5' }), chat('Quero\nR$ 5')],
  [
    'an invitation to a group',
    { groupInviteMessage: { caption: 'Vem', groupName: 'Obra', inviteCode: 'abc' } },
    chat('Vem\nObra\nhttps://chat.whatsapp.com/abc'),
  ],
  [
    'an invitation to run a channel',
    { newsletterAdminInviteMessage: { caption: 'Ajuda?', newsletterName: 'Ofertas' } },
    chat('Ajuda?\nOfertas'),
  ],
  [
    'an invitation to follow a channel',
    { newsletterFollowerInviteMessageV2: { newsletterName: 'Ofertas' } },
    chat('Ofertas'),
  ],
  ['a pack of stickers', { stickerPackMessage: { name: 'Gatos', publisher: 'Ana' } }, chat('Gatos\nAna')],
  [
    'an answer of an assistant, passed on',
    {
      botForwardedMessage: {
        message: { richResponseMessage: { submessages: [{ messageText: 'Olá.' }, { messageText: 'Tudo bem?' }] } },
      },
    },
    chat('Olá.\nTudo bem?'),
  ],
  ['an answer to a question', { questionReplyMessage: { message: text('Sim, às 9') } }, chat('Sim, às 9')],
  [
    'a question',
    { questionMessage: { message: { extendedTextMessage: { text: 'Abrem hoje?' } } } },
    chat('Abrem hoje?'),
  ],
  ['a mention of a whole group', { groupMentionedMessage: { message: text('Oi a todos') } }, chat('Oi a todos')],
  ['words about a status', { statusQuotedMessage: { text: 'Lindo!' } }, chat('Lindo!')],
  ['a comment', { commentMessage: { message: text('Concordo') } }, chat('Concordo')],
  ['twenty envelopes', wrapped(20, text('no fundo')), chat('no fundo')],
  [
    'a list of blessings by an old company',
    { highlyStructuredMessage: { elementName: 'x', params: ['Ana', '10h'] } },
    chat('Ana\n10h'),
  ],
]

const FILES: Row[] = [
  ['a photo', { imageMessage: { ...picture, caption: 'Veja' } }, { kind: 'image', body: 'Veja', file: 'image/jpeg' }],
  ['a film', { videoMessage: { mimetype: 'video/mp4', mediaKey: key32 } }, { kind: 'video', file: 'video/mp4' }],
  ['a round film', { ptvMessage: { mediaKey: key32 } }, { kind: 'video', file: 'video/mp4' }],
  ['a voice note', { audioMessage: { ptt: true, mimetype: 'audio/ogg' } }, { kind: 'audio', file: 'audio/ogg' }],
  ['a document', { documentMessage: boleto }, { kind: 'application', body: '', file: 'application/pdf' }],
  [
    'a document with words',
    { documentWithCaptionMessage: { message: { documentMessage: { ...boleto, caption: 'Pague' } } } },
    { kind: 'application', body: 'Pague', file: 'application/pdf' },
  ],
  [
    'a sticker',
    { stickerMessage: { mimetype: 'image/webp', mediaKey: key32 } },
    { kind: 'sticker', file: 'image/webp' },
  ],
  [
    'a sticker drawn by a program, as its picture',
    {
      lottieStickerMessage: {
        message: { stickerMessage: { mimetype: 'application/was', isLottie: true, pngThumbnail: key32 } },
      },
    },
    { kind: 'sticker', body: '', file: 'image/png' },
  ],
  [
    'the same without a picture',
    { lottieStickerMessage: { message: { stickerMessage: { isLottie: true } } } },
    notice('only_on_phone'),
  ],
  [
    'a photo in an album',
    { imageMessage: picture, messageContextInfo: { messageAssociation: { associationType: 1 } } },
    { kind: 'image', file: 'image/jpeg' },
  ],
  [
    'a better photo without the small one’s name',
    {
      associatedChildMessage: { message: { imageMessage: picture } },
      messageContextInfo: { messageAssociation: { associationType: 10 } },
    },
    { kind: 'image', file: 'image/jpeg' },
  ],
  [
    'the film of a photo',
    {
      associatedChildMessage: { message: { videoMessage: { mediaKey: key32 } } },
      messageContextInfo: { messageAssociation: { associationType: 12 } },
    },
    'none',
  ],
  [
    'another form of a film',
    {
      associatedChildMessage: { message: { videoMessage: {} } },
      messageContextInfo: { messageAssociation: { associationType: 19 } },
    },
    'none',
  ],
  ['the head of an album', { albumMessage: { expectedImageCount: 3 } }, 'none'],
  ['a photo in twenty envelopes', wrapped(20, { imageMessage: picture }), { kind: 'image', file: 'image/jpeg' }],
  [
    'a place',
    { locationMessage: { degreesLatitude: -19.9, degreesLongitude: -43.9, name: 'Bar' } },
    { kind: 'location' },
  ],
  [
    'a place on the move',
    { liveLocationMessage: { degreesLatitude: -19.9, degreesLongitude: -43.9, caption: 'Chegando' } },
    { kind: 'location' },
  ],
]

const CONTACTS: Row[] = [
  ['a contact', { contactMessage: { displayName: 'Zé', vcard: vcard('Zé') } }, { kind: 'vcard', body: vcard('Zé') }],
  [
    'a contact without a phone keeps its address and its company',
    { contactMessage: { vcard: vcard('Ana', 'EMAIL:ana@x.br\nORG:Loja\n') } },
    { kind: 'vcard', body: vcard('Ana', 'EMAIL:ana@x.br\nORG:Loja\n') },
  ],
  [
    'seven contacts',
    { contactsArrayMessage: { contacts: Array.from({ length: 7 }, (_, n) => ({ vcard: vcard(`P${n}`) })) } },
    { kind: 'contact_array', body: Array.from({ length: 7 }, (_, n) => vcard(`P${n}`)).join('\n') },
  ],
  ['a contact of which only the name came', { contactMessage: { displayName: 'Bia' } }, { kind: 'vcard' }],
]

const SHOP: Row[] = [
  [
    'a cart',
    {
      orderMessage: {
        orderId: '9',
        itemCount: 3,
        totalAmount1000: 159_900,
        totalCurrencyCode: 'BRL',
        message: 'Sem cebola',
      },
    },
    {
      kind: 'order',
      body: 'Sem cebola',
      card: { count: 3, total: { amount: 159.9, currency: 'BRL' }, text: 'Sem cebola', id: '9' },
    },
  ],
  [
    'a cart whose sum is no number',
    { orderMessage: { itemCount: 2 } },
    { kind: 'order', card: { count: 2, total: null } },
  ],
  [
    'a cart with more pieces than there are',
    { orderMessage: { itemCount: -5, orderTitle: 'Pão' } },
    { kind: 'order', body: '1 × Pão', card: { count: 1 } },
  ],
  [
    'a product with its picture',
    {
      productMessage: {
        product: {
          title: 'Caneca',
          description: 'Azul',
          priceAmount1000: 35_000,
          currencyCode: 'BRL',
          retailerId: 'C1',
          url: 'https://loja.br/c1',
          productImage: picture,
        },
        body: 'Tem?',
      },
    },
    {
      kind: 'product',
      body: 'Caneca\nTem?\nAzul',
      file: 'image/jpeg',
      card: { price: { amount: 35, currency: 'BRL' }, code: 'C1', link: 'https://loja.br/c1' },
    },
  ],
  [
    'a product on sale',
    {
      productMessage: {
        product: { title: 'X', priceAmount1000: 9000, salePriceAmount1000: 7000, currencyCode: 'BRL' },
      },
    },
    { kind: 'product', card: { price: { amount: 7 } } },
  ],
  [
    'a product with a script in its title, whose link is none',
    { productMessage: { product: { title: '<script>alert(1)</script>', url: 'javascript:alert(1)' } } },
    {
      kind: 'product',
      body: '<script>alert(1)</script>',
      card: { kind: 'product', title: '<script>alert(1)</script>', price: null },
    },
  ],
  [
    'a catalogue',
    { productMessage: { catalog: { title: 'Cardápio', catalogImage: picture } } },
    { kind: 'product', body: 'Cardápio', file: 'image/jpeg' },
  ],
  [
    'a product without anything',
    { productMessage: { businessOwnerJid: 'x' } },
    notice('only_on_phone', 'productMessage'),
  ],
  [
    'words about a product',
    {
      extendedTextMessage: {
        text: 'Ainda tem?',
        contextInfo: {
          stanzaId: 'P',
          quotedMessage: { productMessage: { product: { title: 'Caneca', retailerId: 'C1' } } },
        },
      },
    },
    { kind: 'chat', body: 'Ainda tem?', origin: { kind: 'product', title: 'Caneca', code: 'C1' } },
  ],
]

const PAYMENTS: Row[] = [
  [
    'a Pix key',
    {
      interactiveMessage: flow(
        json('payment_info', {
          currency: 'BRL',
          total_amount: { value: 0, offset: 100 },
          order: { items: [{ name: '', quantity: 0 }] },
          payment_settings: [{ type: 'pix_static_code', pix_static_code: pix }],
        }),
      ),
    },
    {
      kind: 'payment',
      body: 'Padaria do Zé\nze@pao.br',
      card: {
        state: 'asked',
        total: null,
        lines: [],
        pix: { holder: 'Padaria do Zé', type: 'EMAIL', key: 'ze@pao.br' },
      },
    },
  ],
  [
    'a charge',
    {
      interactiveMessage: {
        body: { text: 'Seu pedido' },
        ...flow(
          json('review_and_pay', {
            currency: 'BRL',
            reference_id: 'R1',
            total_amount: { value: 4250, offset: 100 },
            order: { status: 'pending', items: [{ name: 'Bolo', quantity: 2, amount: { value: 2125, offset: 100 } }] },
            payment_settings: [
              { type: 'pix_dynamic_code', pix_dynamic_code: { code: '00020126…', merchant_name: 'Zé' } },
            ],
          }),
        ),
      },
    },
    {
      kind: 'payment',
      card: {
        text: 'Seu pedido',
        total: { amount: 42.5, currency: 'BRL' },
        code: '00020126…',
        reference: 'R1',
        lines: [{ name: 'Bolo', quantity: 2, price: { amount: 21.25 } }],
      },
    },
  ],
  [
    'a charge that was paid',
    {
      interactiveMessage: flow(
        json('review_order', {
          currency: 'BRL',
          payment_status: 'captured',
          total_amount: { value: 100, offset: 100 },
        }),
      ),
    },
    { kind: 'payment', card: { state: 'paid', total: { amount: 1 } } },
  ],
  [
    'a link to pay that is no address',
    {
      interactiveMessage: {
        body: { text: 'Pague' },
        ...flow(json('review_and_pay', { payment_settings: [{ payment_link: { uri: 'javascript:1' } }] })),
      },
    },
    chat('Pague'),
  ],
  [
    'a charge with a price that is no number',
    {
      interactiveMessage: {
        body: { text: 'Conta' },
        ...flow(json('review_and_pay', { currency: 'BRL', total_amount: { value: 'muito', offset: 100 } })),
      },
    },
    chat('Conta'),
  ],
  [
    'a request for money',
    { requestPaymentMessage: { amount1000: 12_500, currencyCodeIso4217: 'BRL', noteMessage: text('Almoço') } },
    { kind: 'payment', body: 'Almoço', card: { state: 'asked', total: { amount: 12.5, currency: 'BRL' } } },
  ],
  [
    'the same in parts of a unit',
    { requestPaymentMessage: { amount: { value: 990, offset: 100, currencyCode: 'BRL' } } },
    { kind: 'payment', card: { total: { amount: 9.9 } } },
  ],
  [
    'money that was sent',
    { sendPaymentMessage: { noteMessage: text('Aluguel') } },
    { kind: 'payment', body: 'Aluguel', card: { state: 'paid' } },
  ],
  [
    'a request that was refused',
    { declinePaymentRequestMessage: { key: { id: 'x' } } },
    { kind: 'payment', card: { state: 'declined' } },
  ],
  [
    'a request taken back',
    { cancelPaymentRequestMessage: { key: { id: 'x' } } },
    { kind: 'payment', card: { state: 'canceled' } },
  ],
  ['an invoice', { invoiceMessage: { note: 'Março' } }, { kind: 'payment', body: 'Março' }],
  ['an invitation to pay by WhatsApp', { paymentInviteMessage: { serviceType: 3 } }, notice('payment_on_phone')],
]

const COMPANIES: Row[] = [
  [
    'buttons with links, calls and something to copy',
    {
      interactiveMessage: {
        header: { title: 'Loja' },
        body: { text: 'Escolha' },
        footer: { text: 'Responda' },
        ...flow(
          json('cta_url', { display_text: 'Site', url: 'https://x.br/' }),
          json('cta_call', { display_text: 'Ligar', phone_number: '+55 31 3222-4010' }),
          json('cta_copy', { display_text: 'Copiar', copy_code: 'ABC' }),
          json('quick_reply', { display_text: 'Depois', id: '1' }),
        ),
      },
    },
    {
      kind: 'actions',
      body: 'Loja\nEscolha\nResponda',
      card: {
        header: 'Loja',
        text: 'Escolha',
        footer: 'Responda',
        buttons: [
          { text: 'Site', link: 'https://x.br/' },
          { text: 'Ligar', link: 'tel:+553132224010' },
          { text: 'Copiar', copy: 'ABC' },
          { text: 'Depois' },
        ],
      },
    },
  ],
  [
    'a button whose link is a program',
    {
      interactiveMessage: {
        body: { text: 'x' },
        ...flow(json('cta_url', { display_text: 'Site', url: 'javascript:alert(1)' })),
      },
    },
    { kind: 'actions', card: { buttons: [{ text: 'Site' }] } },
  ],
  [
    'a one-time code',
    {
      interactiveMessage: {
        body: { text: '*123456* é seu código' },
        ...flow(json('cta_copy', { display_text: 'Copiar código', copy_code: '123456' })),
      },
    },
    { kind: 'actions', body: '*123456* é seu código', card: { buttons: [{ text: 'Copiar código', copy: '123456' }] } },
  ],
  [
    'a boleto at the head',
    {
      interactiveMessage: {
        header: { documentMessage: boleto },
        body: { text: 'Seu boleto' },
        footer: { text: 'Vence dia 5' },
      },
    },
    { kind: 'actions', body: 'Seu boleto\nVence dia 5', file: 'application/pdf' },
  ],
  [
    'a boleto with words alone',
    { templateMessage: { hydratedTemplate: { documentMessage: boleto, hydratedContentText: 'Seu boleto' } } },
    { kind: 'actions', body: 'Seu boleto', file: 'application/pdf' },
  ],
  [
    'a boleto without a word',
    { buttonsMessage: { documentMessage: boleto } },
    { kind: 'actions', body: '', file: 'application/pdf' },
  ],
  [
    'a list',
    {
      interactiveMessage: {
        body: { text: 'Menu' },
        ...flow(
          json('single_select', {
            title: 'Ver',
            sections: [{ rows: [{ title: 'A', description: 'a' }, { title: 'B' }] }],
          }),
        ),
      },
    },
    { kind: 'actions', card: { buttons: [{ text: 'Ver' }, { text: 'A · a' }, { text: 'B' }] } },
  ],
  [
    'cards to leaf through',
    {
      interactiveMessage: {
        body: { text: 'Ofertas' },
        carouselMessage: {
          cards: [
            {
              header: { title: 'Um', imageMessage: picture },
              body: { text: 'R$ 1' },
              ...flow(json('quick_reply', { display_text: 'Quero' })),
            },
            { body: { text: 'R$ 2' } },
          ],
        },
      },
    },
    {
      kind: 'actions',
      body: 'Ofertas\nUm\nR$ 1\nR$ 2',
      file: 'image/jpeg',
      card: {
        cards: [
          { header: 'Um', text: 'R$ 1', buttons: [{ text: 'Quero' }] },
          { text: 'R$ 2', buttons: [] },
        ],
      },
    },
  ],
  [
    'a button whose data are no data',
    { interactiveMessage: { body: { text: 'Oi' }, ...flow({ name: 'cta_url', buttonParamsJson: '{broken' }) } },
    chat('Oi'),
  ],
  [
    'nothing that can be read',
    { interactiveMessage: { nativeFlowMessage: { buttons: [{ name: 'of tomorrow' }] } } },
    notice('only_on_phone', 'interactiveMessage'),
  ],
  ['nothing at all', { interactiveMessage: { nativeFlowMessage: { buttons: [] } } }, 'none'],
  ['a request for the phone number', { requestPhoneNumberMessage: {} }, 'none'],
  [
    'an ad without words and without a source',
    { extendedTextMessage: { text: '', contextInfo: { externalAdReply: { thumbnailUrl: 'x' } } } },
    notice('only_on_phone', 'extendedTextMessage'),
  ],
  [
    'an ad that names no source says what stands on it',
    { extendedTextMessage: { text: '', contextInfo: { externalAdReply: { title: 'Matrículas', body: 'Venha' } } } },
    chat('Matrículas\nVenha'),
  ],
  [
    'a template with title, footer, buttons and invoice',
    {
      templateMessage: {
        hydratedTemplate: {
          hydratedContentText: 'Fatura',
          hydratedFooterText: 'Obrigado',
          documentMessage: boleto,
          hydratedButtons: [
            { urlButton: { displayText: 'Abrir', url: 'https://x.br/f' } },
            { callButton: { displayText: 'Ligar', phoneNumber: '0800 1' } },
            { quickReplyButton: { displayText: 'Já paguei' } },
          ],
        },
      },
    },
    {
      kind: 'actions',
      body: 'Fatura\nObrigado',
      file: 'application/pdf',
      card: {
        buttons: [
          { text: 'Abrir', link: 'https://x.br/f' },
          { text: 'Ligar', link: 'tel:08001' },
          { text: 'Já paguei' },
        ],
      },
    },
  ],
  [
    'a template of words alone',
    { templateMessage: { hydratedFourRowTemplate: { hydratedContentText: 'Confirmado' } } },
    chat('Confirmado'),
  ],
  [
    'a template masked for linked devices',
    { templateMessage: { hydratedTemplate: { maskLinkedDevices: true } } },
    notice('code_on_phone'),
  ],
  [
    'an interactive template',
    { templateMessage: { interactiveMessageTemplate: { header: { title: 'T' }, body: { text: 'b' } } } },
    { kind: 'actions', body: 'T\nb' },
  ],
  [
    'buttons of before, with a photo',
    {
      buttonsMessage: {
        contentText: 'Confirma?',
        footerText: 'Loja',
        imageMessage: picture,
        buttons: [{ buttonText: { displayText: 'Sim' } }, { buttonText: { displayText: 'Não' } }],
      },
    },
    {
      kind: 'actions',
      body: 'Confirma?\nLoja',
      file: 'image/jpeg',
      card: { buttons: [{ text: 'Sim' }, { text: 'Não' }] },
    },
  ],
  [
    'a list of before',
    {
      listMessage: {
        title: 'Setores',
        description: 'Qual?',
        buttonText: 'Ver',
        footerText: 'f',
        sections: [{ rows: [{ title: 'Vendas', description: 'novo' }] }],
      },
    },
    { kind: 'actions', body: 'Setores\nQual?\nf', card: { buttons: [{ text: 'Ver' }, { text: 'Vendas · novo' }] } },
  ],
  [
    'a code hidden from linked devices',
    { placeholderMessage: { type: 0 } },
    notice('code_on_phone', 'placeholderMessage'),
  ],
]

const FORMS: Row[] = [
  [
    'a form',
    answer({ flow_token: 't', nome: 'Ana', aceita: true, itens: ['pão', 'leite'] }, 'Enviado'),
    {
      kind: 'form',
      card: {
        title: 'Enviado',
        fields: [
          { name: 'nome', value: 'Ana' },
          { name: 'aceita', value: '✓' },
          { name: 'itens', value: 'pão, leite' },
        ],
      },
    },
  ],
  [
    'an address',
    answer({ values: { name: 'Ana', address: 'Rua A, 1', city: 'BH' } }),
    { kind: 'form', body: 'name: Ana\naddress: Rua A, 1\ncity: BH' },
  ],
  [
    'lists of objects',
    answer({ filhos: [{ nome: 'Bia' }, { nome: 'Caio' }] }),
    { kind: 'form', body: 'filhos · 1 · nome: Bia\nfilhos · 2 · nome: Caio' },
  ],
  ['an empty form', answer({ flow_token: 't' }), { kind: 'form', card: { fields: [] } }],
  ['a form with nothing at all', { interactiveResponseMessage: {} }, { kind: 'form' }],
  ['a form of 60 KB', answer({ texto: 'a'.repeat(60_000) }), { kind: 'form', card: { fields: [{ name: 'texto' }] } }],
  ['data that are no data', answer('{broken', 'Resposta'), { kind: 'form', card: { title: 'Resposta\n{broken' } }],
]

const OTHERS: Row[] = [
  [
    'an event',
    {
      eventMessage: {
        name: 'Visita',
        description: 'Obra',
        startTime: 1_800_000_000,
        endTime: 1_800_003_600,
        location: { name: 'Rua A' },
        joinLink: 'https://call.whatsapp.com/x',
      },
    },
    {
      kind: 'event',
      body: 'Visita\nObra\nRua A',
      card: {
        startsAt: '2027-01-15T08:00:00.000Z',
        endsAt: '2027-01-15T09:00:00.000Z',
        place: 'Rua A',
        link: 'https://call.whatsapp.com/x',
        isCanceled: false,
      },
    },
  ],
  [
    'an event that was called off, at no time',
    { eventMessage: { name: 'Festa', isCanceled: true, startTime: 9e15 } },
    { kind: 'event', card: { isCanceled: true, startsAt: null, endsAt: null } },
  ],
  [
    'a planned call',
    { scheduledCallCreationMessage: { title: 'Reunião', scheduledTimestampMs: 1_800_000_000_000 } },
    { kind: 'event', card: { name: 'Reunião', startsAt: '2027-01-15T08:00:00.000Z' } },
  ],
  ...(['', 'V2', 'V3', 'V5'] as const).map(
    (version): Row => [
      `a poll ${version}`,
      {
        [`pollCreationMessage${version}`]: {
          name: 'Dia?',
          selectableOptionsCount: 1,
          options: [{ optionName: 'Seg' }, { optionName: 'Ter' }],
        },
      },
      {
        kind: 'poll',
        body: 'Dia?\n• Seg\n• Ter',
        card: { question: 'Dia?', options: ['Seg', 'Ter'], isMultiple: false },
      },
    ],
  ),
  [
    'a poll V4, in an envelope',
    { pollCreationMessageV4: { message: { pollCreationMessage: { name: 'Dia?', options: [{ optionName: 'Seg' }] } } } },
    { kind: 'poll', body: 'Dia?\n• Seg', card: { isMultiple: true } },
  ],
  [
    'how a poll ended',
    { pollResultSnapshotMessage: { name: 'Dia?', pollVotes: [{ optionName: 'Seg', optionVoteCount: 3 }] } },
    { kind: 'poll', body: 'Dia?\n• Seg (3)' },
  ],
  [
    'somebody who comes by an advertisement',
    {
      extendedTextMessage: {
        text: 'Vi o anúncio',
        contextInfo: {
          externalAdReply: {
            title: 'Promoção',
            body: 'Hoje',
            sourceUrl: 'https://fb.me/1',
            sourceType: 'ad',
            sourceId: '120',
          },
        },
      },
    },
    {
      kind: 'chat',
      body: 'Vi o anúncio',
      origin: { kind: 'ad', title: 'Promoção', text: 'Hoje', link: 'https://fb.me/1', code: '120' },
    },
  ],
  [
    'somebody who comes by a post, with a photo',
    { imageMessage: { ...picture, contextInfo: { externalAdReply: { sourceType: 'post', sourceId: '7' } } } },
    { kind: 'image', file: 'image/jpeg', origin: { kind: 'post', title: '', code: '7' } },
  ],
  [
    'a preview that a program made is no advertisement',
    { extendedTextMessage: { text: 'x', contextInfo: { externalAdReply: { title: 'Robô' } } } },
    chat('x'),
  ],
  [
    'a photo to be seen once, of which only the notice came',
    {},
    notice('view_once'),
    { key: { ...key, isViewOnce: true }, message: undefined },
  ],
  ['an envelope without anything in it', { ephemeralMessage: {} }, notice('new_kind', 'ephemeralMessage')],
]

const NO_MESSAGE: Row[] = [
  ['nothing', {}, 'none'],
  ['keys', { senderKeyDistributionMessage: { groupId: 'g' } }, 'none'],
  ['a mention in a status', { statusMentionMessage: { message: { protocolMessage: { type: 25 } } } }, 'none'],
  ['a mention of a group in a status', { groupStatusMentionMessage: { message: { protocolMessage: {} } } }, 'none'],
  ['a change of privacy', { limitSharingMessage: { message: { protocolMessage: { type: 27 } } } }, 'none'],
  ['words to an assistant', { botInvokeMessage: { message: text('@Meta AI oi') } }, 'none'],
  ['a vote', { pollUpdateMessage: { pollCreationMessageKey: { id: 'x' } } }, 'none'],
  ['an answer to an event', { encEventResponseMessage: { eventCreationMessageKey: { id: 'x' } } }, 'none'],
  ['something pinned', { pinInChatMessage: { type: 1 } }, 'none'],
  ['something kept', { keepInChatMessage: { keepType: 1 } }, 'none'],
  ['a sealed reaction', { encReactionMessage: { encIv: key32 } }, 'none'],
  ['a past call', { callLogMesssage: { isVideo: true } }, 'none'],
  ['a status', text('meu status'), 'none', { key: { ...key, remoteJid: 'status@broadcast', participant: '123@lid' } }],
  ['a channel', text('novidade'), 'none', { key: { ...key, remoteJid: '77@newsletter' } }],
  ['WhatsApp’s assistant', text('posso ajudar?'), 'none', { key: { ...key, remoteJid: '867051314767696@bot' } }],
  [
    'what the phone writes to itself',
    text('comprar pão'),
    'none',
    { key: { ...key, remoteJid: '553132224010@s.whatsapp.net', fromMe: true } },
  ],
  ['the same by the hidden address', text('lembrete'), 'none', { key: { ...key, remoteJid: '99@lid', fromMe: true } }],
  [
    'what the phone writes to its own broadcast list',
    text('a todos'),
    'none',
    { key: { ...key, remoteJid: '17@broadcast', participant: '99@lid', fromMe: true } },
  ],
]

const ALL = [...WORDS, ...FILES, ...CONTACTS, ...SHOP, ...PAYMENTS, ...COMPANIES, ...FORMS, ...OTHERS, ...NO_MESSAGE]
const eventsFor = (message: proto.IMessage, around: object = {}, bytes?: Uint8Array): ChannelEvent[] =>
  toChannelEvents({ key, message, messageTimestamp: 1_700_000_000, ...around }, { self, replay: false, bytes })

test('a change of how long messages stay is no message, and told of the chat', () => {
  for (const ephemeralExpiration of [86_400, 0])
    expect(eventsFor({ protocolMessage: { type: 3, ephemeralExpiration } })).toMatchObject([
      { type: 'timer', seconds: ephemeralExpiration },
    ])
})

describe('one row a message', () => {
  for (const [name, message, shown, around] of ALL)
    test(name, () => {
      // Once as a test writes it, once as it comes off the wire, and once as it lies in the database.
      const wire = proto.Message.decode(proto.Message.encode(message).finish())
      for (const variant of around ? [message] : [message, wire]) {
        const events = eventsFor(variant, around)
        if (shown === 'none') {
          expect(events).toEqual([])
          continue
        }
        expect(events).toHaveLength(1)
        const [event] = events
        if (event?.type !== 'message') throw new Error('There is no message')
        const { kind, body, file, card, origin } = shown
        expect(event.mediaType).toBe(kind)
        expect(MESSAGE_KINDS[event.mediaType].opensTicket).toBe(true)
        if (body !== undefined) expect(event.body).toBe(body)
        expect(event.media?.mime).toBe(file)
        if (card) expect(event.details?.card).toMatchObject(card)
        else
          expect(event.details?.card?.kind).toBe(
            kind === 'actions' ||
              kind === 'order' ||
              kind === 'product' ||
              kind === 'payment' ||
              kind === 'event' ||
              kind === 'poll' ||
              kind === 'form'
              ? kind
              : undefined,
          )
        expect<object | undefined>(event.details?.origin).toEqual(origin)
        if (!around)
          expect(rereadMessage(JSON.parse(JSON.stringify(event.raw)))).toMatchObject({
            mediaType: kind,
            body: event.body,
          })
      }
    })

  test('there are at least 90, and each has its own name', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(90)
    expect(new Set(ALL.map(([name]) => name)).size).toBe(ALL.length)
  })
})

/** Fields as a newer WhatsApp may add them: length-delimited, with this number. */
function fieldOf(number: number, content: Uint8Array): Uint8Array {
  const tag = number * 8 + 2
  return Buffer.concat([Buffer.from([(tag & 127) | 128, tag >> 7, content.length]), content])
}
const secretOnly = proto.Message.encode({ messageContextInfo: { messageSecret: key32 } }).finish()

describe('kinds newer than the library', () => {
  const inner = fieldOf(131, Buffer.from('algo novo'))
  const envelope = (content: Uint8Array) =>
    // `ephemeralMessage` is field 40, its message field 1.
    fieldOf(40, Buffer.concat([Buffer.from([10, content.length]), content]))
  const rows: [string, Uint8Array][] = [
    ['by itself', inner],
    ['beside what is known of every message', Buffer.concat([secretOnly, inner])],
    ['in an envelope', envelope(inner)],
    ['in an envelope in an envelope', envelope(envelope(inner))],
  ]
  for (const [name, bytes] of rows)
    test(`${name}: a card that says so, which keeps all its bytes`, () => {
      const [event] = eventsFor(proto.Message.decode(bytes), {}, bytes)
      expect(event).toMatchObject({
        type: 'message',
        ...{ mediaType: 'unknown', body: '' },
        details: { card: { code: 'new_kind', name: 'field 131' } },
      })
      expect(event?.type === 'message' && event.raw).toMatchObject({ bytes: Buffer.from(bytes).toString('base64') })
    })

  test('what is empty, or broken off, is none', () => {
    for (const bytes of [new Uint8Array(), secretOnly])
      expect(eventsFor(proto.Message.decode(bytes), {}, bytes)).toEqual([])
  })

  test('one that a version knows is read from its bytes again', () => {
    const bytes = proto.Message.encode({ conversation: 'agora sei' }).finish()
    const raw = toPlainMessage({ key, message: {}, messageTimestamp: 1 }, bytes)
    expect(rereadMessage(JSON.parse(JSON.stringify(raw)))).toMatchObject({ mediaType: 'chat', body: 'agora sei' })
  })
})

describe('around a message', () => {
  test('through somebody’s broadcast list it stands in the chat with who sent it', () => {
    const list = { ...key, remoteJid: '1711@broadcast', participant: '123@lid' }
    const [event] = eventsFor(text('A todos'), { key: list, broadcast: true })
    expect(event).toMatchObject({
      type: 'message',
      chat: { jid: '123@lid', pn: '5531998762210', group: false },
      ref: { chat: '123@lid', fromMe: false },
    })
    expect(event).not.toHaveProperty('author')
  })

  test('a better file names the small one it takes the place of', () => {
    for (const [associationType, inside] of [
      [10, { imageMessage: picture }],
      [5, { videoMessage: { mediaKey: key32 } }],
    ] as const) {
      const messageContextInfo = { messageAssociation: { associationType, parentMessageKey: { id: 'SD' } } }
      expect(eventsFor({ associatedChildMessage: { message: inside }, messageContextInfo })).toMatchObject([
        { ref: { id: 'A1' }, betterOf: 'SD' },
      ])
    }
  })

  test('on our own messages an advertisement says nothing', () => {
    const contextInfo = { externalAdReply: { title: 'Promoção', sourceType: 'ad' } }
    const [event] = eventsFor({ extendedTextMessage: { text: 'Olá', contextInfo } }, { key: { ...key, fromMe: true } })
    expect(event).not.toHaveProperty('details')
  })

  test('its secret is kept with it, whatever it is packed in', () => {
    const messageContextInfo = { messageSecret: key32 }
    const secret = Buffer.from(key32).toString('base64')
    expect(eventsFor({ ...text('x'), messageContextInfo })).toMatchObject([{ secret }])
    expect(eventsFor({ ephemeralMessage: { message: text('x') }, messageContextInfo })).toMatchObject([{ secret }])
    expect(eventsFor({ ephemeralMessage: { message: { ...text('x'), messageContextInfo } } })).toMatchObject([
      { secret },
    ])
  })

  test('a sealed change that was not opened says of its message that it was changed', () => {
    const secretEncryptedMessage = {
      targetMessageKey: { id: 'Z9', fromMe: true },
      encPayload: key32,
      encIv: key32,
      secretEncType: 2,
    }
    expect(eventsFor({ secretEncryptedMessage })).toMatchObject([
      { type: 'edit', ref: { id: 'Z9', fromMe: false }, body: null },
    ])
  })

  test('a card that was changed brings how it is now', () => {
    const editedMessage = { eventMessage: { name: 'Visita', startTime: 1_800_000_000 } }
    const protocolMessage = { type: 14, key: { id: 'Z9' }, editedMessage }
    expect(eventsFor({ protocolMessage })).toMatchObject([
      { type: 'edit', body: 'Visita', details: { card: { kind: 'event' } } },
    ])
  })

  test('more buttons, fields and letters than a card takes are cut', () => {
    const many = Array.from({ length: 99 }, (_, n) => json('quick_reply', { display_text: `b${n}` }))
    const cardIn = (message: proto.IMessage): MessageCard | undefined => {
      const [event] = eventsFor(message)
      return event?.type === 'message' ? event.details?.card : undefined
    }
    const actions = cardIn({ interactiveMessage: { body: { text: 'x'.repeat(9000) }, ...flow(...many) } })
    expect(actions?.kind === 'actions' && [actions.buttons.length, actions.text.length]).toEqual([30, 4001])
    const form = cardIn(answer(Object.fromEntries(Array.from({ length: 999 }, (_, n) => [`f${n}`, 'v']))))
    expect(form?.kind === 'form' && form.fields.length).toBe(200)
  })
})
