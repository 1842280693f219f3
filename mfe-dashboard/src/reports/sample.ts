// What the first page of each report looks like: places as on the page, in points of A4, and data that nobody has.
import type { ReportName } from '@balcao/contract/reports/rules'

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
export type PreviewBubble = readonly [isOurs: boolean, lines: readonly string[], time: string]

const CONTACTS = [
  ...['Padaria Estrela', 'Dona Lúcia Ferreira', 'João Almeida', 'Mercadinho Ribeiro', 'Beatriz Camargo'],
  ...['Hotel Mirante', 'Pizzaria Nonna', 'Confeitaria Rosa', 'Lanchonete do Neco', 'Tânia Vasconcelos'],
  ...['Armazém do Zeca', 'Buffet Vila Rica', 'Cantina da Nena', 'Empório Dois Irmãos', 'Seu Sebastião'],
  ...['Adega Serra Azul', 'Quitanda Boa Hora', 'Bar da Praça', 'Casa de Massas Lia'],
]
/** Pending, open and closed tickets, seconds of waiting and service, rating. */
type Sums = readonly [pending: number, open: number, closed: number, tme: number, tma: number, rating: string]
const QUEUES = [
  ['Comercial', '#2e9e6b', [1, 9, 78, 204, 796, '4,5']],
  ['Financeiro', '#d0702f', [1, 6, 54, 226, 858, '4,3']],
  ['Entregas', '#1f8fb3', [2, 5, 40, 242, 902, '4,4']],
  ['Suporte', '#7c5cc9', [0, 3, 26, 236, 898, '4,3']],
] as const
const PEOPLE = [
  ['Marina', [1, 6, 55, 202, 800, '4,5']],
  ['Rafael', [1, 5, 45, 216, 836, '4,4']],
  ['Bruna', [0, 4, 39, 232, 874, '4,3']],
  ['Tiago', [1, 4, 28, 236, 880, '4,4']],
  ['Caio', [1, 2, 20, 236, 880, '4,4']],
  ['Helena', [0, 2, 11, 247, 884, '4,3']],
] as const
const CONNECTIONS = ['Atacado', 'Entregas', 'Loja Centro']
/** From Sunday, the first of November, to the day it was made. */
const DAYS = [0, 9, 12, 11, 10, 8, 4, 0, 11, 13, 14, 12, 9, 5, 0, 10, 15, 13, 12, 3, 4, 0, 16, 34]
const HOURS = [6, 19, 28, 25, 14, 11, 23, 31, 27, 21, 13, 7]

const padTwoDigits = (n: number) => String(n).padStart(2, '0')
const formatSpan = (seconds: number) => `00:${padTwoDigits(Math.floor(seconds / 60))}:${padTwoDigits(seconds % 60)}`
const makePhone = (n: number) =>
  `+55 31 9${8000 + ((n * 317) % 999)}-${padTwoDigits((n * 37) % 90)}${padTwoDigits((n * 53) % 90)}`
const formatClock = (minutes: number) => `${padTwoDigits(Math.floor(minutes / 60))}:${padTwoDigits(minutes % 60)}`
const makeRightColumn = (word: string, x: number): SampleColumn => ({ word, x, isRight: true })

function pickNth<T>(list: readonly T[], n: number): T {
  const found = list[n % list.length]
  if (found === undefined) throw new Error('An empty list')
  return found
}

function makeTicketRows(words: (key: string) => string): SampleCell[][] {
  return CONTACTS.map((contact, n) => {
    const [queue, color] = pickNth(QUEUES, n + Math.floor(n / 3))
    const isClosed = n > 5
    const opened = 14 * 60 + 21 - n * 17
    const [wait, service] = [40 + ((n * 97) % 260), 300 + ((n * 211) % 1400)]
    const accepted = opened + Math.round(wait / 60)
    return [
      [String(10_452 - n), n % 3 === 0 ? `20261124${String(4419 - n).padStart(6, '0')}` : '—'],
      [contact, makePhone(n + 1)],
      [queue, pickNth(PEOPLE, n + 1)[0], color],
      [words(isClosed ? 'closed' : 'open'), pickNth(CONNECTIONS, n)],
      [`24/11 ${formatClock(opened)}`],
      [formatClock(accepted)],
      [isClosed ? formatClock(accepted + Math.round(service / 60)) : '—'],
      [formatSpan(wait)],
      [isClosed ? formatSpan(service) : '—'],
      [isClosed && n % 2 === 0 ? String(3 + (n % 3)) : '—'],
    ]
  })
}

/** Of the contacts with the most tickets: the other 77 share the rest. */
const MOST = [12, 11, 10, 9, 8, 7, 7, 6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 3]

const contactRows: readonly SampleCell[][] = CONTACTS.map((contact, n) => [
  [contact, makePhone(n + 1)],
  [String(pickNth(MOST, n))],
  [String(pickNth(MOST, n) * 9 - ((n * 5) % 7))],
  [String(pickNth(MOST, n) * 10 - ((n * 3) % 8))],
  [`${padTwoDigits(1 + (n % 9))}/11/26 09:${padTwoDigits(10 + n)}`],
  [`${padTwoDigits(24 - (n % 6))}/11/26 15:${padTwoDigits(10 + n)}`],
  [n % 4 === 3 ? '—' : (4.8 - n / 20).toFixed(1).replace('.', ',')],
])

function toSumRow(name: SampleCell, [pending, open, closed, tme, tma, rating]: Sums): SampleCell[] {
  const counts = [pending + open + closed, pending, open, closed].map((value): SampleCell => [String(value)])
  return [name, ...counts, [formatSpan(tme)], [formatSpan(tma)], [rating]]
}

const TIMES = [
  ['00:03:42', 'tme'],
  ['00:14:08', 'tma'],
] as const

function sumSample(word: string, rows: readonly (readonly SampleCell[])[]): Sample {
  const figures = [['225', 'tickets'], ['219', 'accepted'], ['198', 'resolved'], ...TIMES, ['4,4', 'rating']] as const
  const columns = [
    { word, x: 36 },
    ...[
      makeRightColumn('tickets', 190),
      makeRightColumn('pending', 250),
      makeRightColumn('open', 325),
      makeRightColumn('closed', 385),
    ],
    ...[makeRightColumn('tmeShort', 445), makeRightColumn('tmaShort', 505), makeRightColumn('rating', 559)],
  ]
  return { figures, chart: 'byHour', bars: HOURS, columns, rows }
}

/** Null for conversations, which are no table. */
export function makeSample(report: ReportName, words: (key: string) => string): Sample | null {
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
          ...[
            makeRightColumn('opened', 372),
            makeRightColumn('accepted', 412),
            makeRightColumn('ended', 456),
            makeRightColumn('wait', 497),
          ],
          ...[makeRightColumn('service', 538), makeRightColumn('rating', 559)],
        ],
        rows: makeTicketRows(words),
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
          ...[
            makeRightColumn('tickets', 240),
            makeRightColumn('received', 300),
            makeRightColumn('sent', 355),
            makeRightColumn('first', 440),
          ],
          ...[makeRightColumn('last', 525), makeRightColumn('rating', 559)],
        ],
        rows: contactRows,
      }
    case 'queue':
      return sumSample(
        'queue',
        QUEUES.map(([name, color, sums]) => toSumRow([name, undefined, color], sums)),
      )
    case 'user':
      return sumSample(
        'person',
        PEOPLE.map(([name, sums]) => toSumRow([name], sums)),
      )
    case 'message':
      return null
  }
}

export const SAMPLE_MESSAGES: readonly PreviewBubble[] = [
  [false, ['Bom dia! Vocês entregam hoje', 'no centro?'], '09:02'],
  [true, ['Bom dia, dona Lúcia! Entregamos', 'sim, até as 17h.'], '09:04'],
  [false, ['Então quero 3 caixas de pão de', 'queijo e 2 de biscoito.'], '09:05'],
  [true, ['Anotado. Fica R$ 186,40.', 'Segue a chave Pix.'], '09:07'],
  [false, ['Paguei agora 👍'], '09:11'],
  [true, ['Recebido, obrigada!', 'O Caio sai às 14h.'], '09:12'],
  [false, ['Ótimo, até mais tarde.'], '09:13'],
]
