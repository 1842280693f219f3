// What the first page of each report looks like: places as on the page, in points of A4, and data that nobody has.
import type { ReportName } from '@balcao/contract/report-rules'

/** Words are keys of `sample.word`. */
export interface SampleColumn {
  readonly word: string
  readonly under?: string
  readonly x: number
  readonly isRight?: boolean
}

/** A text, what stands below it, and a dot before it. */
export type SampleCell = readonly [text: string, under?: string | undefined, color?: string | undefined]

export interface Sample {
  readonly figures: readonly (readonly [value: string, word: string])[]
  readonly chart: string
  readonly bars: readonly number[]
  readonly columns: readonly SampleColumn[]
  readonly rows: readonly (readonly SampleCell[])[]
}

/** A conversation: whose it is, what was said, when. */
export type SampleMessage = readonly [isOurs: boolean, lines: readonly string[], time: string]

const CONTACTS = [
  ...['Padaria Estrela', 'Dona Lúcia Ferreira', 'João Almeida', 'Mercadinho Ribeiro', 'Beatriz Camargo'],
  ...['Hotel Mirante', 'Pizzaria Nonna', 'Confeitaria Rosa', 'Lanchonete do Neco', 'Tânia Vasconcelos'],
  ...['Armazém do Zeca', 'Buffet Vila Rica', 'Cantina da Nena', 'Empório Dois Irmãos', 'Seu Sebastião'],
  ...['Adega Serra Azul', 'Quitanda Boa Hora', 'Bar da Praça', 'Casa de Massas Lia'],
]
const QUEUES = [
  ['Comercial', '#2e9e6b'],
  ['Financeiro', '#d0702f'],
  ['Entregas', '#1f8fb3'],
  ['Suporte', '#7c5cc9'],
] as const
const PEOPLE = ['Marina', 'Rafael', 'Bruna', 'Tiago', 'Caio', 'Helena']
const CONNECTIONS = ['Atacado', 'Entregas', 'Loja Centro']
const DAYS = [9, 12, 11, 10, 8, 4, 0, 11, 13, 14, 12, 9, 5, 0, 10, 15, 13, 12, 3, 4, 0, 16, 34]
const HOURS = [6, 19, 28, 25, 14, 11, 23, 31, 27, 21, 13, 7]

const two = (n: number) => String(n).padStart(2, '0')
const span = (seconds: number) => `00:${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
const phone = (n: number) => `+55 31 9${8000 + ((n * 317) % 999)}-${two((n * 37) % 90)}${two((n * 53) % 90)}`
const right = (word: string, x: number): SampleColumn => ({ word, x, isRight: true })

function nth<T>(list: readonly T[], n: number): T {
  const found = list[n % list.length]
  if (found === undefined) throw new Error('An empty list')
  return found
}

function ticketRows(words: (key: string) => string): SampleCell[][] {
  return CONTACTS.map((contact, n) => {
    const [queue, color] = nth(QUEUES, n + Math.floor(n / 3))
    const isClosed = n > 5
    const [hour, minute] = [14 - Math.floor(n / 4), (n * 37) % 60]
    const at = (more: number) => `${two(hour)}:${two(Math.min(59, minute + more))}`
    return [
      [String(10_452 - n), n % 3 === 0 ? `20261124-${two(4)}${two(19 - n)}` : '—'],
      [contact, phone(n + 1)],
      [queue, nth(PEOPLE, n + 1), color],
      [words(isClosed ? 'closed' : 'open'), nth(CONNECTIONS, n)],
      [`24/11 ${two(hour)}:${two(minute)}`],
      [at(3)],
      [isClosed ? at(14) : '—'],
      [span(40 + ((n * 97) % 260))],
      [isClosed ? span(300 + ((n * 211) % 1400)) : '—'],
      [isClosed && n % 2 === 0 ? String(3 + (n % 3)) : '—'],
    ]
  })
}

const contactRows: readonly SampleCell[][] = CONTACTS.map((contact, n) => [
  [contact, phone(n + 1)],
  [String(22 - n)],
  [String(180 - n * 7)],
  [String(204 - n * 8)],
  [`${two(1 + (n % 9))}/11/26 09:${two(10 + n)}`],
  [`${two(24 - (n % 6))}/11/26 15:${two(10 + n)}`],
  [n % 4 === 3 ? '—' : (4.8 - n / 20).toFixed(1).replace('.', ',')],
])

function sums(names: readonly (readonly [string, string?])[]): SampleCell[][] {
  return names.map(([name, color], n) => [
    color === undefined ? [name] : [name, undefined, color],
    ...[82 - n * 17, 2 - (n % 2), 9 - n * 2, 71 - n * 14].map((value): SampleCell => [String(Math.max(0, value))]),
    [span(222 - n * 19)],
    [span(848 - n * 57)],
    [(4.6 - n / 10).toFixed(1).replace('.', ',')],
  ])
}

const TIMES = [
  ['00:03:42', 'tme'],
  ['00:14:08', 'tma'],
] as const

function sumSample(word: string, names: readonly (readonly [string, string?])[]): Sample {
  const figures = [['225', 'tickets'], ['219', 'accepted'], ['198', 'resolved'], ...TIMES, ['4,4', 'rating']] as const
  const columns = [
    { word, x: 36 },
    ...[right('tickets', 190), right('pending', 250), right('open', 325), right('closed', 385)],
    ...[right('tmeShort', 445), right('tmaShort', 505), right('rating', 559)],
  ]
  return { figures, chart: 'byHour', bars: HOURS, columns, rows: sums(names) }
}

/** Null for conversations, which are no table. */
export function sampleOf(report: ReportName, words: (key: string) => string): Sample | null {
  switch (report) {
    case 'ticket':
      return {
        figures: [['225', 'tickets'], ['198', 'closed'], ['23', 'open'], ['4', 'pending'], ...TIMES],
        ...{ chart: 'byDay', bars: DAYS },
        columns: [
          { word: 'number', under: 'protocol', x: 36 },
          { word: 'contact', under: 'phone', x: 98 },
          { word: 'queue', under: 'person', x: 192 },
          { word: 'status', under: 'connection', x: 258 },
          ...[right('opened', 372), right('accepted', 412), right('ended', 456), right('wait', 497)],
          ...[right('service', 538), right('rating', 559)],
        ],
        rows: ticketRows(words),
      }
    case 'contact':
      return {
        figures: [
          ['96', 'contacts'],
          ['225', 'tickets'],
          ['1.904', 'received'],
          ['2.113', 'sent'],
          ['4,4', 'rating'],
        ],
        ...{ chart: '', bars: [] },
        columns: [
          { word: 'contact', under: 'phone', x: 36 },
          ...[right('tickets', 240), right('received', 300), right('sent', 355), right('first', 440)],
          ...[right('last', 525), right('rating', 559)],
        ],
        rows: contactRows,
      }
    case 'queue':
      return sumSample('queue', QUEUES)
    case 'user':
      return sumSample(
        'person',
        PEOPLE.map(name => [name] as const),
      )
    case 'message':
      return null
  }
}

export const SAMPLE_MESSAGES: readonly SampleMessage[] = [
  [false, ['Bom dia! Vocês entregam hoje', 'no centro?'], '09:02'],
  [true, ['Bom dia, dona Lúcia! Entregamos', 'sim, até as 17h.'], '09:04'],
  [false, ['Então quero 3 caixas de pão de', 'queijo e 2 de biscoito.'], '09:05'],
  [true, ['Anotado. Fica R$ 186,40.', 'Segue a chave Pix.'], '09:07'],
  [false, ['Paguei agora 👍'], '09:11'],
  [true, ['Recebido, obrigada!', 'O Caio sai às 14h.'], '09:12'],
  [false, ['Ótimo, até mais tarde.'], '09:13'],
]
