// Payments, and what companies send, as Baileys brings it.
import { boleto, chat, flow, json, notice, picture, pix, type Row, text } from './baileys-pieces.ts'

export const PAYMENTS: Row[] = [
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

export const COMPANIES: Row[] = [
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
    'an ad that names no source says so beside our status, too',
    {
      extendedTextMessage: {
        text: '',
        contextInfo: { remoteJid: 'status@broadcast', externalAdReply: { title: 'Matrículas' } },
      },
    },
    { ...chat('Matrículas'), origin: { kind: 'story', title: '' } },
  ],
  [
    'an answer without words to our status',
    { extendedTextMessage: { text: '', contextInfo: { remoteJid: 'status@broadcast' } } },
    { ...chat(''), origin: { kind: 'story', title: '' } },
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
