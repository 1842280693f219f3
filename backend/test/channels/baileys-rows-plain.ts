// What people send one another, and the goods of a shop, as Baileys brings it.
import { answer, boleto, chat, key32, notice, picture, type Row, text, vcard, wrapped } from './baileys-pieces.ts'

export const WORDS: Row[] = [
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

export const FILES: Row[] = [
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

export const CONTACTS: Row[] = [
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

export const SHOP: Row[] = [
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
  [
    'an answer to our status',
    {
      extendedTextMessage: {
        text: 'Tem de chocolate?',
        contextInfo: { stanzaId: 'S', remoteJid: 'status@broadcast', quotedMessage: { conversation: 'Chegou bolo' } },
      },
    },
    { kind: 'chat', body: 'Tem de chocolate?', origin: { kind: 'story', title: '' } },
  ],
]
