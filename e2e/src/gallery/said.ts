// What is said in the gallery's conversations: every kind of message, every card, every state.
import { getCardMediaType, getCardText, type MessageDetails } from '@balcao/contract'
import { makePicture } from '../every-message.ts'
import type { Files } from './files.ts'
import type { Json } from './json.ts'

export interface GalleryMessage {
  readonly from?: 'customer' | 'us' | 'phone'
  readonly type?: string
  readonly body?: string
  readonly state?: string
  readonly file?: keyof Files
  readonly fileName?: string
  readonly media?: Json
  readonly more?: Json
}

const WAVE = Array.from({ length: 64 }, (_, at) => Math.round(50 + 45 * Math.sin(at / 2.4) * Math.cos(at / 7)))
const MAP = 'https://maps.google.com/maps?q=-19.9245,-43.9352'
const VCARD = (name: string, number: string) =>
  `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL;waid=${number}:+${number}\nEND:VCARD`

export const FILES: readonly GalleryMessage[] = [
  { body: 'Olha como chegou a carga de hoje' },
  { type: 'image', file: 'bread', fileName: 'carga.png' },
  { type: 'image', file: 'truck', fileName: 'caminhao.png' },
  { type: 'image', file: 'shop', fileName: 'loja.png' },
  { type: 'image', file: 'bread', fileName: 'fornada.png' },
  {
    from: 'us',
    type: 'image',
    body: 'Ficou linda! Posso publicar?',
    file: 'shop',
    fileName: 'vitrine.png',
    state: 'read',
  },
  { type: 'audio', file: 'voice', fileName: 'voz.wav', media: { voice: true, seconds: 14, waveform: WAVE } },
  {
    from: 'us',
    type: 'audio',
    file: 'voice',
    fileName: 'resposta.wav',
    media: { voice: true, seconds: 6, waveform: WAVE },
    more: { transcription: 'Pode publicar sim, e marca a gente na foto, por favor.' },
    state: 'delivered',
  },
  { type: 'audio', file: 'voice', fileName: 'jingle da padaria.mp3', media: { seconds: 31 } },
  { type: 'video', file: 'video', fileName: 'fornada.webm', body: 'O forno novo', media: { seconds: 9 } },
  { from: 'us', type: 'application', file: 'pdf', fileName: 'Tabela de preços novembro.pdf', state: 'read' },
  { type: 'application', file: 'sheet', fileName: 'pedidos-da-semana.csv', body: 'Nossos pedidos' },
  { type: 'sticker', file: 'sticker', fileName: 'obrigado.png' },
]

export const CARDS: readonly GalleryMessage[] = [
  { type: 'location', body: `|${MAP}|Papelaria Aurora, Rua dos Caetés, 412` },
  { type: 'vcard', body: VCARD('Seu Nonato Entregas', '5531991234567') },
  { type: 'vcard', body: 'BEGIN:VCARD\nVERSION:3.0\nEND:VCARD' },
  {
    type: 'contact_array',
    body: `${VCARD('Ana Depósito', '5531997776655')}\n${VCARD('Beto Caixa', '5531996665544')}`,
  },
  {
    from: 'us',
    type: 'template',
    body: 'Olá, Papelaria Aurora! Seu pedido 3391 saiu para entrega.',
    state: 'delivered',
    more: {
      templateData: {
        id: 'pedido_saiu',
        components: [
          { type: 'HEADER', text: 'Pedido a caminho' },
          { type: 'BODY', text: 'Olá, Papelaria Aurora! Seu pedido 3391 saiu para entrega.' },
          { type: 'FOOTER', text: 'Distribuidora São José' },
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'url', text: 'Acompanhar', url: 'https://saojose.example/3391' },
              { type: 'phone_number', text: 'Ligar', phone_number: '+553132224010' },
              { type: 'text', text: 'Falar com alguém' },
            ],
          },
        ],
      },
    },
  },
  { type: 'call_log', body: '' },
  { from: 'us', type: 'comment', body: '-- Cliente antigo, pode liberar a entrega sem caução.', state: 'sent' },
  // A program of the company, by its token.
  {
    from: 'phone',
    type: 'comment',
    body: '-- Nota 1042 paga no caixa.',
    state: 'sent',
    more: { authorName: 'ERP da matriz' },
  },
  { type: 'unknown', body: '' },
]

const BRL = (amount: number) => ({ amount, currency: 'BRL' })
export const CUSTOMERS: readonly GalleryMessage[] = makeDetailLines([
  [
    { origin: { kind: 'ad', title: 'Volta às aulas com 20% de desconto', link: 'https://www.instagram.com/p/aulas' } },
    'Oi! Vi o anúncio, ainda vale?',
  ],
  [
    {
      card: {
        kind: 'order',
        count: 24,
        total: BRL(1159.9),
        text: 'Entregam amanhã cedo?',
        lines: Array.from({ length: 12 }, (_, at) => ({
          name: at === 0 ? 'Papel A4 90 g, resma de 500 folhas, alta alvura' : `Caderno ${at}, capa dura`,
          quantity: 2,
          price: BRL(19.9 + at),
        })),
      },
    },
  ],
  [
    {
      card: {
        kind: 'product',
        title: 'Papel A4 90 g',
        text: 'Resma de 500 folhas, alta alvura.',
        price: BRL(38.5),
        code: 'A4-90',
        link: 'https://saojose.example/a4-90',
      },
    },
    'shop',
  ],
  [
    {
      card: {
        kind: 'payment',
        total: null,
        state: 'asked',
        pix: { holder: 'Papelaria Aurora Ltda.', type: 'CNPJ', key: '12.345.678/0001-90' },
        lines: [],
      },
    },
  ],
  [
    {
      card: {
        kind: 'payment',
        total: BRL(384.9),
        state: 'asked',
        text: 'Pedido 3391',
        code: '00020126580014br.gov.bcb.pix0136a1f4c2de-0000-4b1d-9c2e-5f3a7d2b8c405204000053039865406384.905802BR',
        link: 'https://pagar.example/3391',
        reference: '3391',
        lines: [{ name: 'Papel A4 90 g', quantity: 10, price: BRL(38.49) }],
      },
    },
  ],
  [{ card: { kind: 'payment', total: BRL(384.9), state: 'paid', reference: '3391', lines: [] } }],
  [
    {
      card: {
        kind: 'event',
        name: 'Mostra de papelaria',
        startsAt: '2026-11-24T17:00:00Z',
        endsAt: '2026-11-24T19:00:00Z',
        place: 'Rua dos Caetés, 412',
        link: 'https://mostra.example',
        isCanceled: false,
      },
    },
  ],
  [
    {
      card: {
        kind: 'poll',
        question: 'Qual dia fica melhor?',
        options: ['Sexta', 'Sábado', 'Tanto faz'],
        isMultiple: false,
      },
    },
  ],
  [
    {
      card: {
        kind: 'form',
        title: 'Endereço de entrega',
        fields: [
          { name: 'Rua e número', value: 'Rua dos Caetés, 412' },
          { name: 'Complemento', value: '' },
          { name: 'CEP', value: '30120-080' },
        ],
      },
    },
  ],
  [
    {
      card: {
        kind: 'actions',
        header: 'Sua fatura chegou',
        text: 'Vence *amanhã*. Pague pelo código ou no site.',
        footer: 'Distribuidora Central',
        buttons: [
          { text: 'Ver fatura', link: 'https://fatura.example/1' },
          { text: 'Copiar código', copy: 'FAT-2291' },
          { text: 'Falar com alguém' },
        ],
        cards: [
          {
            header: 'Caderno 10 matérias',
            text: 'De R$ 42,00 por R$ 34,90',
            buttons: [{ text: 'Comprar', link: 'https://saojose.example/caderno' }],
          },
        ],
      },
    },
  ],
  [{ card: { kind: 'notice', code: 'only_on_phone' } }],
  [{ card: { kind: 'notice', code: 'code_on_phone' } }],
  [{ hiddenEdit: true }, 'São 12 caixas'],
  [
    {
      link: {
        address: 'https://www.saojose.example/volta-as-aulas',
        title: 'Volta às aulas: tudo em até 6 vezes, com entrega em BH e região metropolitana',
        text: 'Cadernos, mochilas e estojos das melhores marcas.',
        thumb: makeThumb(),
      },
    },
    'Olha só: https://www.saojose.example/volta-as-aulas',
  ],
  [
    { link: { address: 'https://papel.example/a4', title: 'Papel A4 em promoção' } },
    'E tem este https://papel.example/a4',
  ],
  [
    {
      link: {
        address: 'https://estranho.example/',
        title: '<b>Banco do Brasil</b> · clique e ganhe '.repeat(5).trim(),
      },
    },
    'https://estranho.example/',
  ],
])

function makeThumb(): string {
  const { mime, bytes } = makePicture('thumb.png', 0x2c53a4, 0xf0b23a, 74, 74)
  return `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`
}

/** Messages with details; beside them what was written, or the picture that comes with it. */
function makeDetailLines(all: readonly (readonly [MessageDetails, string?])[]): GalleryMessage[] {
  return all.map(([details, beside = '']) => ({
    type: details.card ? getCardMediaType(details.card) : 'chat',
    body: details.card ? getCardText(details.card) : beside,
    ...(details.card && beside === 'shop' ? { file: 'shop' as const, fileName: 'loja.png' } : {}),
    more: { details: JSON.parse(JSON.stringify(details)) },
  }))
}

export const STATES: readonly GalleryMessage[] = [
  {
    body: 'Vocês têm papel A4 de 90 g? Preciso de *12 caixas*, ~ontem~ hoje mesmo, _se der_. Veja https://papel.example',
  },
  { from: 'us', body: '*Marina:*\nTemos, sim! Separo agora.', state: 'read', more: { quoted: 0 } },
  {
    body: 'A de 90 g, como no orçamento. Confirma no (31) 98821-4407 ou em compras@papel.example',
    more: {
      quote: { id: 'NUNCA', fromMe: true, content: { mediaType: 'chat', body: 'Orçamento de março: 12 caixas' } },
    },
  },
  { body: '👏🎉' },
  { body: 'Perfeito', more: { reactions: [{ by: 'Marina', fromMe: true, emoji: '🙏' }] } },
  { from: 'us', body: 'Sai às 14h', state: 'delivered', more: { isEdited: true, editedMsg: 'Sai às 13h' } },
  { body: '', more: { isDeleted: true } },
  { body: 'Repasso para o pessoal do depósito', more: { forward: 'true' } },
  { body: 'Promoção de volta às aulas!', more: { forward: 'frequently' } },
  { from: 'phone', body: 'Escrito no celular da empresa', state: 'sent' },
  {
    from: 'us',
    body: 'Ainda está aí?',
    state: 'failed',
    more: {
      errorLog: {
        code: 131047,
        message: 'Re-engagement message',
        error_data: { details: 'More than 24 hours have passed since the customer last replied to this number.' },
      },
    },
  },
  { from: 'us', body: 'Mandei o endereço por aqui', state: 'unknown' },
  {
    type: 'image',
    body: 'Esta foto ainda está chegando',
    media: { state: 'pending', name: 'foto.jpg', mime: 'image/jpeg', width: 800, height: 600 },
  },
  {
    type: 'application',
    body: '',
    media: { state: 'failed', name: 'nota-fiscal.pdf', mime: 'application/pdf', error: 'ERR_WAPP_DOWNLOAD_MEDIA' },
  },
  { from: 'us', body: 'Na fila para sair', state: 'queued' },
]

export const LONG: readonly GalleryMessage[] = Array.from({ length: 30 }, (_, at) => ({
  from: at % 3 === 0 ? ('us' as const) : ('customer' as const),
  body: at % 3 === 0 ? `Resposta ${at}: está tudo separado.` : `Mensagem ${at} do cliente, sobre o pedido da semana.`,
  ...(at % 3 === 0 ? { state: 'read' } : {}),
}))
