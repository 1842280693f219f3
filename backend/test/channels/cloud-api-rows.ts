// Messages of the official API as customers and companies really send them.
import {
  ad,
  adOrigin,
  type Fields,
  FORM_PHOTO,
  form,
  interactive,
  item,
  media,
  notice,
  offer,
  order,
  type Shown,
  text,
  unsupported,
} from './cloud-api-pieces.ts'

/** What comes, and what an agent sees of it; null: nothing at all. */
export const MESSAGES: readonly (readonly [name: string, message: Fields, shown: Shown | null])[] = [
  ['a text', text('Bom dia'), { is: 'chat', says: 'Bom dia' }],
  ['a text without a letter', text(''), notice('missing', 'empty')],
  [
    'a photo',
    media('image', 'image/jpeg', { caption: 'A fachada' }),
    { is: 'image', says: 'A fachada', file: 'image/jpeg' },
  ],
  ['a film', media('video', 'video/mp4'), { is: 'video', says: '', file: 'video/mp4' }],
  ['a voice note', media('audio', 'audio/ogg', { voice: true }), { is: 'audio', says: '', file: 'audio/ogg' }],
  [
    'a document',
    media('document', 'application/pdf', { filename: 'nota.pdf' }),
    { is: 'application', file: 'application/pdf' },
  ],
  ['a sticker', media('sticker', 'image/webp', { animated: true }), { is: 'sticker', file: 'image/webp' }],
  [
    'a file without a type',
    { type: 'document', document: { id: 'f1' } },
    { is: 'application', file: 'application/octet-stream' },
  ],
  [
    'a place',
    { type: 'location', location: { latitude: -19.9, longitude: -43.9, name: 'Loja' } },
    { is: 'location', says: '|https://maps.google.com/maps?q=-19.9%2C-43.9&z=17|Loja' },
  ],
  [
    'a contact with a phone',
    {
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'Rui' }, phones: [{ phone: '+55 31 98888-0000', wa_id: '5531988880000' }] }],
    },
    {
      is: 'vcard',
      says: 'BEGIN:VCARD\nVERSION:3.0\nN:;Rui;;;\nFN:Rui\nTEL;type=CELL;waid=5531988880000:+55 31 98888-0000\nEND:VCARD',
    },
  ],
  [
    'a contact without a phone keeps e-mail and company',
    {
      type: 'contacts',
      contacts: [{ name: { first_name: 'Bia' }, emails: [{ email: 'bia@x.br' }], org: { company: 'Padaria Sol' } }],
    },
    { is: 'vcard', says: 'BEGIN:VCARD\nVERSION:3.0\nN:;Bia;;;\nFN:Bia\nEMAIL:bia@x.br\nORG:Padaria Sol\nEND:VCARD' },
  ],
  ['several contacts', { type: 'contacts', contacts: [{ name: {} }, { name: {} }] }, { is: 'contact_array' }],
  [
    'a quick reply of a template',
    { type: 'button', button: { text: 'Já paguei', payload: 'p' } },
    { is: 'chat', says: 'Já paguei' },
  ],
  ['a quick reply without words', { type: 'button', button: { payload: 'sim' } }, { is: 'chat', says: 'sim' }],
  ['a button pressed', interactive('button_reply', { id: 'b', title: 'Sim' }), { is: 'chat', says: 'Sim' }],
  [
    'a row of a list with its description',
    interactive('list_reply', { id: 'l', title: 'Segunda via', description: 'Boleto de julho' }),
    { is: 'chat', says: 'Segunda via\nBoleto de julho' },
  ],
  ['an answer without words', interactive('list_reply', {}), notice('missing', 'empty')],
  [
    'a cart',
    order([item('cafe-500', 2, 39.9), item('filtro', 1, '80.10')], { text: 'Moído, por favor' }),
    {
      is: 'order',
      says: 'Moído, por favor\n2 × cafe-500\n1 × filtro',
      card: { kind: 'order', count: 3, total: { amount: 159.9, currency: 'BRL' }, text: 'Moído, por favor' },
    },
  ],
  [
    'a cart with a price that is none',
    order([item('a', 1, 'grátis')]),
    { is: 'order', says: '1 × a', card: { total: null, count: 1 } },
  ],
  ['a cart with a price without a currency', order([item('a', 1, 10, null)]), { is: 'order', card: { total: null } }],
  ['a cart with nothing in it', order([]), { is: 'order', says: '', card: { count: 0, total: null, lines: [] } }],
  ['a cart that is none', { type: 'order', order: 'tudo' }, { is: 'order', says: '' }],
  [
    'a cart with a script for a name',
    order([item('<script>alert(1)</script>', 1, 1)]),
    { is: 'order', says: '1 × <script>alert(1)</script>' },
  ],
  [
    'who comes by an ad',
    { ...text('Quero saber mais'), referral: ad },
    { is: 'chat', says: 'Quero saber mais', origin: adOrigin },
  ],
  [
    'a photo that comes by an ad',
    { ...media('image', 'image/jpeg'), referral: ad },
    { is: 'image', file: 'image/jpeg', origin: adOrigin },
  ],
  [
    'who comes by a post without a title',
    { ...text('Oi'), referral: { source_type: 'post', source_id: '9', body: 'Promoção' } },
    { is: 'chat', origin: { kind: 'post', title: '', text: 'Promoção', code: '9' } },
  ],
  ['an ad that tells nothing', { ...text('Oi'), referral: {} }, { is: 'chat', origin: { kind: 'ad', title: '' } }],
  [
    'who asks about a product',
    {
      ...text('Tem em azul?'),
      context: { from: '55', id: 'wamid.c', referred_product: { catalog_id: '77', product_retailer_id: 'vestido-3' } },
    },
    { is: 'chat', says: 'Tem em azul?', origin: { kind: 'product', title: 'vestido-3', code: 'vestido-3' } },
  ],
  ['a product without a number', { ...text('Oi'), context: { referred_product: {} } }, { is: 'chat', says: 'Oi' }],
  [
    'a form',
    form({ flow_token: 't', nome: 'Ana', turno: 'manhã' }, 'Enviado'),
    { is: 'form', says: 'Enviado\nnome: Ana\nturno: manhã' },
  ],
  [
    'a form with lists and objects',
    form({ dias: ['seg', 'qua'], filhos: [{ nome: 'Rex' }], aceite: true }, ''),
    { is: 'form', says: 'dias: seg, qua\nfilhos · 1 · nome: Rex\naceite: ✓' },
  ],
  [
    'an address',
    form({ saved_address_id: '1', values: { address: 'Rua A, 7', city: 'BH' } }, 'Rua A', 'address_message'),
    { is: 'form', says: 'Rua A\naddress: Rua A, 7\ncity: BH' },
  ],
  ['a form that was left empty', form({}, ''), { is: 'form', says: '', card: { kind: 'form', fields: [] } }],
  ['a form that is no JSON', form('às dez horas', 'Horário'), { is: 'form', says: 'Horário\nàs dez horas' }],
  ['a form without an answer', interactive('nfm_reply', { body: 'Sent' }), { is: 'form', says: 'Sent' }],
  [
    'a form with photos and a document, by their names',
    form({ fotos: [FORM_PHOTO, { ...FORM_PHOTO, id: 'f2', file_name: 'verso.jpg' }], cor: 'azul' }, ''),
    { is: 'form', says: 'fotos: frente.jpg\nfotos: verso.jpg\ncor: azul' },
  ],
  [
    'leave to call',
    interactive('call_permission_reply', { response: 'accept' }),
    notice('calls_allowed', 'call_permission_reply'),
  ],
  [
    'no leave to call',
    interactive('call_permission_reply', { response: 'reject' }),
    notice('calls_refused', 'call_permission_reply'),
  ],
  [
    'leave to call that came with a call',
    interactive('call_permission_reply', { response: 'accept', response_source: 'automatic' }),
    null,
  ],
  ['an answer of tomorrow', interactive('gesture_reply', { id: 'x' }), notice('new_kind', 'interactive gesture_reply')],
  [
    'a message with buttons of another company',
    offer({
      type: 'button',
      header: { type: 'text', text: 'Pedido 12' },
      body: { text: 'Confirma?' },
      footer: { text: 'Loja' },
      action: { buttons: [{ type: 'reply', reply: { id: '1', title: 'Sim' } }] },
    }),
    {
      is: 'actions',
      says: 'Pedido 12\nConfirma?\nLoja',
      card: { kind: 'actions', buttons: [{ text: 'Sim' }] },
    },
  ],
  [
    'a message with a link and a document over it',
    offer({
      type: 'cta_url',
      header: { type: 'document', document: { id: 'f2', mime_type: 'application/pdf', filename: 'boleto.pdf' } },
      body: { text: 'Seu boleto' },
      action: { name: 'cta_url', parameters: { display_text: 'Pagar', url: 'https://x.br/p' } },
    }),
    {
      is: 'actions',
      says: 'Seu boleto',
      file: 'application/pdf',
      card: { buttons: [{ text: 'Pagar', link: 'https://x.br/p' }] },
    },
  ],
  [
    'a list to choose from',
    offer({
      type: 'list',
      body: { text: 'Escolha' },
      action: { button: 'Ver', sections: [{ rows: [{ id: '1', title: 'Um' }] }] },
    }),
    { is: 'actions', says: 'Escolha', card: { buttons: [{ text: 'Um' }, { text: 'Ver' }] } },
  ],
  [
    'a charge with a Pix key',
    offer({
      type: 'order_details',
      body: { text: 'Sua compra' },
      action: {
        name: 'review_and_pay',
        parameters: {
          reference_id: 'r9',
          currency: 'BRL',
          total_amount: { value: 4990, offset: 100 },
          payment_settings: [
            { type: 'pix_static_code', pix_static_code: { merchant_name: 'Loja', key: 'a@b.br', key_type: 'EMAIL' } },
          ],
        },
      },
    }),
    {
      is: 'payment',
      says: 'Sua compra\nLoja\na@b.br',
      card: { total: { amount: 49.9, currency: 'BRL' }, reference: 'r9' },
    },
  ],
  [
    'a template of another company',
    {
      type: 'template',
      template: { name: 'aviso', components: [{ type: 'body', parameters: [{ type: 'text', text: 'Olá, Ana' }] }] },
    },
    { is: 'actions', says: 'Olá, Ana' },
  ],
  [
    'a template with its file, its words, its footer and its buttons, filled as it was sent',
    {
      type: 'template',
      template: {
        name: 'boleto',
        components: [
          {
            type: 'HEADER',
            format: 'DOCUMENT',
            parameters: [{ type: 'document', document: { id: 'm9', filename: 'boleto.pdf' } }],
          },
          {
            type: 'BODY',
            text: 'Olá {{1}}, seu boleto de {{2}} vence amanhã.',
            parameters: [
              { type: 'text', text: 'Ana' },
              { type: 'currency', currency: { fallback_value: 'R$ 49,90', code: 'BRL', amount_1000: 49_900 } },
            ],
          },
          { type: 'FOOTER', text: 'Loja Savassi' },
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'URL', text: 'Ver boleto', url: 'https://loja.example/b/{{1}}' },
              { type: 'PHONE_NUMBER', text: 'Ligar', phone_number: '+55 31 3333-0000' },
              { type: 'COPY_CODE', text: 'Copiar código' },
              { type: 'QUICK_REPLY', text: 'Já paguei' },
            ],
          },
          { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'a b/7' }] },
          {
            type: 'button',
            sub_type: 'copy_code',
            index: 2,
            parameters: [{ type: 'coupon_code', coupon_code: '34191' }],
          },
        ],
      },
    },
    {
      is: 'actions',
      says: 'Olá Ana, seu boleto de R$ 49,90 vence amanhã.\nLoja Savassi',
      file: 'application/pdf',
      card: {
        text: 'Olá Ana, seu boleto de R$ 49,90 vence amanhã.',
        footer: 'Loja Savassi',
        buttons: [
          { text: 'Ver boleto', link: 'https://loja.example/b/a%20b/7' },
          { text: 'Ligar', link: 'tel:+553133330000' },
          { text: 'Copiar código', copy: '34191' },
          { text: 'Já paguei' },
        ],
      },
    },
  ],
  [
    'a template of which only what filled it is told',
    {
      type: 'template',
      template: {
        name: 'promo',
        components: [
          { type: 'header', parameters: [{ type: 'image', image: { link: 'https://loja.example/p.jpg' } }] },
          { type: 'body', parameters: [{ type: 'text', parameter_name: 'nome', text: 'Ana' }] },
          { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'Quero' }] },
        ],
      },
    },
    {
      is: 'actions',
      says: 'Ana',
      card: {
        buttons: [{ text: 'https://loja.example/p.jpg', link: 'https://loja.example/p.jpg' }, { text: 'Quero' }],
      },
    },
  ],
  [
    'a template to leaf through, with names for what fills it',
    {
      type: 'template',
      template: {
        name: 'vitrine',
        components: [
          {
            type: 'body',
            text: 'Oi {{nome}}, {{outro}}',
            parameters: [{ type: 'text', parameter_name: 'nome', text: 'Ana' }],
          },
          {
            type: 'carousel',
            cards: [
              {
                card_index: 0,
                components: [
                  { type: 'header', parameters: [{ type: 'image', image: { id: 'm1' } }] },
                  { type: 'body', text: 'Bolo {{1}}', parameters: [{ type: 'text', text: 'de milho' }] },
                ],
              },
            ],
          },
        ],
      },
    },
    {
      is: 'actions',
      says: 'Oi Ana, {{outro}}\nBolo de milho',
      card: { cards: [{ text: 'Bolo de milho', buttons: [] }] },
    },
  ],
  [
    'a template of which only the name is told',
    { type: 'template', template: { name: 'aviso' } },
    { is: 'actions', says: 'aviso' },
  ],
  ['what companies are not given', unsupported('poll_creation'), notice('not_for_companies', 'poll_creation')],
  ['the same without a name', unsupported(null), notice('not_for_companies', 'unsupported')],
  ['a template in the words of machines', unsupported('hsm'), notice('not_for_companies', 'hsm')],
  ['what only the phone has', unsupported('media', 131060), notice('only_on_phone', 'media')],
  [
    'the first words of a coexistence number',
    { type: 'text', text: {}, errors: [{ code: 131060 }] },
    notice('only_on_phone', 'text'),
  ],
  [
    'a photo of which a part is missing keeps its words',
    { ...media('image', 'image/jpeg', { caption: 'A vitrine' }), errors: [{ code: 131052 }] },
    { is: 'image', says: 'A vitrine', file: 'image/jpeg' },
  ],
  [
    'a photo of which only the words came',
    { type: 'image', image: { caption: 'A vitrine' }, errors: [{ code: 131052 }] },
    { is: 'image', says: 'A vitrine', file: 'application/octet-stream' },
  ],
  ['an edit that is not told', unsupported('edit'), notice('edited_unseen', 'edit')],
  ['buttons without anything', { type: 'interactive', interactive: {} }, null],
  ['a photo for one look', unsupported('view_once'), notice('view_once', 'view_once')],
  ['a payment in the chat', unsupported('payment'), notice('payment_on_phone', 'payment')],
  ['what WhatsApp could not work out', unsupported('errors', 131000), notice('missing', 'errors')],
  ['a photo that did not come', unsupported('image'), notice('missing', 'image')],
  ['errors by themselves', { type: 'errors', errors: [{ code: 131000 }] }, notice('missing', 'errors')],
  ['a kind without a name', { type: 'unknown', errors: [{ code: 131051 }] }, notice('not_for_companies', 'unknown')],
  ['a kind of tomorrow', { type: 'hologram', hologram: { id: '1' } }, notice('new_kind', 'hologram')],
  ['a kind named as what every object has', { type: 'constructor' }, notice('new_kind', 'constructor')],
  ['the same, of what is not given', unsupported('__proto__'), notice('not_for_companies', '__proto__')],
  ['a message without a kind', {}, notice('missing', 'unknown')],
  ['a pinned message', unsupported('pin'), null],
  ['a message kept', unsupported('keep_in_chat'), null],
  ['a reaction that is not told', unsupported('reaction'), null],
  ['somebody opens the chat for the first time', { type: 'request_welcome' }, null],
  ['a new key', { type: 'system', system: { type: 'customer_identity_changed', body: 'x' } }, null],
  ['a reaction to nothing', { type: 'reaction', reaction: {} }, null],
  ['an edit of nothing', { type: 'edit', edit: { message: text('x') } }, null],
]
