// What a flow of Typebot says and asks, in the words of WhatsApp, and what customers answer, in Typebot's (decisions-2 §10): without a
// server, row by row.

import { describe, expect, test } from 'bun:test'
import { parseDate, parseTime } from '../src/messaging/typebot/dates.ts'
import { planQuestion } from '../src/messaging/typebot/questions.ts'
import { interpretReply } from '../src/messaging/typebot/replies.ts'
import { joinLines, parseRichText } from '../src/messaging/typebot/rich-text.ts'
import type { FlowQuestion } from '../src/messaging/typebot/table.ts'
import { b, p } from './typebot-text.ts'

describe('decisions-2 §10: text with formatting', () => {
  test.each<[string, unknown[], string]>([
    ['paragraphs are lines, an empty one a blank line', [p(b('Olá')), p(b('')), p(b('Tudo bem?'))], 'Olá\n\nTudo bem?'],
    ['bold', [p(b('Oi '), b('Ana', 'bold'), b('!'))], 'Oi *Ana*!'],
    [
      'italic, struck out, code',
      [p(b('a', 'italic'), b(' '), b('b', 'strikethrough'), b(' '), b('c', 'code'))],
      '_a_ ~b~ `c`',
    ],
    ['bold and italic at once', [p(b('x', 'bold', 'italic'))], '*_x_*'],
    ['underline has no mark', [p(b('x', 'underline'))], 'x'],
    ['a mark hugs the words: blanks go outside', [p(b('Oi'), b(' Ana ', 'bold'), b('tudo bem'))], 'Oi *Ana* tudo bem'],
    ['blanks alone are not marked', [p(b('a'), b(' ', 'bold'), b('b'))], 'a b'],
    ['a break in what is marked', [p(b('a\nb', 'bold'))], '*a*\n*b*'],
    ['a heading is bold, once', [{ type: 'h1', children: [b('Preços', 'bold')] }], '*Preços*'],
    [
      'a link stands behind its words',
      [p({ type: 'a', url: 'https://a.example/x', children: [b('site')] })],
      'site (https://a.example/x)',
    ],
    [
      'a link that is its own words stands once',
      [p({ type: 'a', url: 'https://a.example', children: [b('https://a.example')] })],
      'https://a.example',
    ],
    ['an e-mail', [p({ type: 'a', url: 'mailto:oi@a.example', children: [b('escreva')] })], 'escreva (oi@a.example)'],
    [
      'a link that runs something is words',
      [p({ type: 'a', url: 'javascript:alert(1)', children: [b('clique')] })],
      'clique',
    ],
    [
      'a list',
      [
        {
          type: 'ul',
          children: [
            { type: 'li', children: [{ type: 'lic', children: [b('um')] }] },
            { type: 'li', children: [{ type: 'lic', children: [b('dois')] }] },
          ],
        },
      ],
      '• um\n• dois',
    ],
    [
      'a numbered list in a list',
      [
        {
          type: 'ul',
          children: [
            {
              type: 'li',
              children: [
                { type: 'lic', children: [b('um')] },
                { type: 'ol', children: [{ type: 'li', children: [{ type: 'lic', children: [b('a')] }] }] },
              ],
            },
          ],
        },
      ],
      '• um\n  1. a',
    ],
    ['a quotation', [{ type: 'blockquote', children: [p(b('um')), p(b('dois'))] }], '> um\n> dois'],
    ['a variable in a line', [p(b('Oi '), { type: 'inline-variable', children: [b('Ana')] }, b('!'))], 'Oi Ana!'],
    ['what nobody knows has its words', [{ type: 'novo', children: [b('x')] }], 'x'],
    ['nothing', [p(b(' '))], ''],
  ])('%s', (_, richText, shown) => expect(joinLines(parseRichText(richText))).toBe(shown))

  test('what is nested without end, or is no text at all, ends', () => {
    let node: unknown = b('x')
    for (let depth = 0; depth < 5000; depth++) node = { type: 'p', children: [node] }
    expect(joinLines(parseRichText([node]))).toBe('')
    for (const odd of [null, 5, 'x', [1, null, 'y'], [{ type: 5, children: 'x' }]])
      expect(joinLines(parseRichText(odd))).toBe('')
  })

  test('a long blank text costs no more than its length', () => {
    const begun = performance.now()
    parseRichText([p(b(`${' '.repeat(400_000)}x${' '.repeat(400_000)}y`, 'bold'))])
    expect(performance.now() - begun).toBeLessThan(1000)
  })
})

const NOW = new Date('2026-11-23T12:00:00Z')
const ZONE = 'America/Sao_Paulo'

describe('decisions-2 §10: days and hours are told in the form the flow reads', () => {
  const plain = { dayFirst: true, hasTime: false, isRange: false }
  test.each([
    ['12/03/2027', '12/03/2027'],
    ['2/3/27', '02/03/2027'],
    ['5/8', '05/08/2026'],
    ['2027-03-12', '12/03/2027'],
    ['12.03.1985', '12/03/1985'],
    ['12/03/85', '12/03/1985'],
    ['amanhã', '24/11/2026'],
    ['Hoje!', '23/11/2026'],
    ['depois de amanhã', '25/11/2026'],
    ['ontem', '22/11/2026'],
    ['dia 3 de março de 2027', '03/03/2027'],
    ['3 de dezembro', '03/12/2026'],
    ['31/02/2027', null],
    ['qualquer dia', null],
  ])('%s → %p', (answer, date) => expect(parseDate(answer, plain, NOW, ZONE)).toBe(date))

  test('month first where the flow writes it so; with its hour; as a range', () => {
    expect(parseDate('12/03/2027', { ...plain, dayFirst: false }, NOW, ZONE)).toBe('03/12/2027')
    expect(parseDate('amanhã às 15h', { ...plain, hasTime: true }, NOW, ZONE)).toBe('24/11/2026 15:00')
    expect(parseDate('24/12/2026 9:30', { ...plain, hasTime: true }, NOW, ZONE)).toBe('24/12/2026 09:30')
    expect(parseDate('24/12/2026', { ...plain, hasTime: true }, NOW, ZONE)).toBeNull()
    expect(parseDate('de 24/12 a 02/01/2027', { ...plain, isRange: true }, NOW, ZONE)).toBe('24/12/2026 to 02/01/2027')
    expect(parseDate('24/12', { ...plain, isRange: true }, NOW, ZONE)).toBeNull()
  })

  test('today is the company’s', () => {
    expect(parseDate('hoje', plain, new Date('2026-11-24T01:00:00Z'), ZONE)).toBe('23/11/2026')
  })

  test.each([
    ['15h', '15:00'],
    ['15h30', '15:30'],
    ['9:05', '09:05'],
    ['às 8 horas', '08:00'],
    ['3 e meia da tarde', '15:30'],
    ['3 da tarde', '15:00'],
    ['meio-dia', '12:00'],
    ['12h30 da tarde', '12:30'],
    ['12 da noite', '00:00'],
    ['12:30 am', '00:30'],
    ['12 pm', '12:00'],
    ['7 pm', '19:00'],
    ['25h', null],
    ['15h75', null],
    ['logo', null],
  ])('%s → %p', (answer, time) => expect(parseTime(answer)).toBe(time))
})

const items = [
  { id: 'a1', text: 'Sim', shown: 'Sim' },
  { id: 'a2', text: 'Não', shown: 'Não' },
  { id: 'a3', text: 'Talvez, quem sabe', shown: 'Talvez, quem sabe' },
]
const makeQuestion = (type: string, more: Partial<FlowQuestion> = {}): FlowQuestion => ({
  id: 'p1',
  type,
  items: [],
  several: false,
  options: {},
  ...more,
})
const read = (one: FlowQuestion | null, words: string, more: { isVoice?: boolean; fileUrls?: string[] } = {}) =>
  interpretReply(one, { words, isVoice: false, fileUrls: [], ...more }, NOW, ZONE)
const tells = (text: string) => ({ tell: { type: 'text' as const, text } })

describe('decisions-2 §10: answers as the flow takes them', () => {
  const choice = makeQuestion('choice input', { items })
  test.each([
    ['2', 'Não', 'a2'],
    ['2️⃣', 'Não', 'a2'],
    ['2 - Não', 'Não', 'a2'],
    ['nao', 'Não', 'a2'],
    [' SIM! ', 'Sim', 'a1'],
    ['3', 'Talvez, quem sabe', 'a3'],
  ])('of a choice %p is %p', (answer, text, replyId) =>
    expect(read(choice, answer)).toEqual({ tell: { type: 'text', text, metadata: { replyId } } }),
  )
  test('what is none of the choices is told as typed: the flow refuses it in its own words', () => {
    expect(read(choice, 'sei lá')).toEqual(tells('sei lá'))
    expect(read(choice, '4')).toEqual(tells('4'))
  })
  const several = makeQuestion('choice input', { items, several: true })
  test.each([
    ['1, 2', 'Sim, Não'],
    ['1 2', 'Sim, Não'],
    ['1 e 2', 'Sim, Não'],
    ['sim, não', 'Sim, Não'],
    ['2', 'Não'],
    ['1, 1', 'Sim'],
    ['1, 9', '1, 9'],
  ])('of several choices %p is %p', (answer, text) => expect(read(several, answer)).toEqual(tells(text)))

  test.each([
    ['number input', '1.234,50', '1234.50'],
    ['number input', '10,5', '10.5'],
    ['number input', 'R$ 20', '20'],
    ['number input', '7.5', '7.5'],
    ['number input', '1.234', '1234'],
    ['number input', '-10,5', '-10.5'],
    ['number input', '20 reais', '20'],
    ['number input', '15%', '15'],
    ['number input', 'dez', 'dez'],
    ['phone number input', '(31) 99876-2210', '+5531998762210'],
    ['phone number input', '031 3222-4010', '+553132224010'],
    ['phone number input', '+55 (0)31 99876-2210', '+5531998762210'],
    ['phone number input', '+1 415 555 0100', '+14155550100'],
    ['phone number input', '5531998762210', '+5531998762210'],
    ['phone number input', '123', '123'],
    ['email input', ' lucia@loja.example ', 'lucia@loja.example'],
    ['url input', 'loja.example', 'loja.example'],
    ['date input', 'amanhã', '24/11/2026'],
    ['date input', 'um dia desses', 'um dia desses'],
    ['time input', '15h30', '15:30'],
    ['text input', 'Quero 2 caixas', 'Quero 2 caixas'],
  ])('of a %s %p is %p', (type, answer, text) => expect(read(makeQuestion(type), answer)).toEqual(tells(text)))

  test('a phone of another country is left to the flow', () => {
    expect(
      read(makeQuestion('phone number input', { options: { defaultCountryCode: 'FR' } }), '06 12 34 56 78'),
    ).toEqual(tells('06 12 34 56 78'))
  })

  const rating = makeQuestion('rating input', { options: { length: 5, startsAt: 1 } })
  test.each([
    ['1', '1'],
    ['5', '5'],
    ['nota 3', '3'],
    ['5️⃣', '5'],
    ['4.', '4'],
    [' 4 ', '4'],
    ['*2*', '2'],
    ['quatro', '4'],
  ])('a rating takes %p', (answer, rate) => expect(read(rating, answer)).toEqual(tells(rate)))
  test('a rating is taken with what its end is called', () => {
    const named = makeQuestion('rating input', { options: { length: 5, labels: { left: 'Ruim', right: 'Ótimo' } } })
    expect(read(named, '5 - ótimo')).toEqual(tells('5'))
    expect(read(named, '1 = Ruim')).toEqual(tells('1'))
    expect(read(named, '3 - ótimo')).toHaveProperty('again')
  })
  test.each(['0', '6', '-1', '', 'ótimo', '3,5', 'quatro e meio', '5 caixas'])(
    'a rating does not take %p, though the engine would',
    answer => expect(read(rating, answer)).toHaveProperty('again'),
  )
  test('a rating that begins with 0 takes it', () => {
    expect(read(makeQuestion('rating input', { options: { startsAt: 0 } }), '0')).toEqual(tells('0'))
    expect(read(makeQuestion('rating input', { options: { startsAt: 0 } }), '10')).toEqual(tells('10'))
  })

  test('a file is told by its address, several together; a question that may be passed over is', () => {
    const file = makeQuestion('file input')
    expect(read(file, '', { fileUrls: ['https://a/1.png', 'https://a/2.png'] })).toEqual(
      tells('https://a/1.png, https://a/2.png'),
    )
    expect(read(file, 'não tenho')).toHaveProperty('again')
    expect(read(makeQuestion('file input', { options: { isRequired: false } }), 'Pular')).toEqual({ tell: null })
    expect(read(file, 'pular')).toHaveProperty('again')
  })

  test('files and recordings go along where the flow takes them, and are asked for in words where not', () => {
    const files = { fileUrls: ['https://a/1.png'] }
    const on = { isEnabled: true }
    expect(read(makeQuestion('text input', { options: { attachments: on } }), 'veja', files)).toEqual({
      tell: { type: 'text', text: 'veja', attachedFileUrls: files.fileUrls },
    })
    expect(read(makeQuestion('text input', { options: { audioClip: on } }), '', { ...files, isVoice: true })).toEqual({
      tell: { type: 'audio', url: 'https://a/1.png' },
    })
    expect(read(makeQuestion('text input'), '', files)).toHaveProperty('again')
    expect(
      read(makeQuestion('text input', { options: { attachments: on } }), '', { ...files, isVoice: true }),
    ).toHaveProperty('again')
    expect(read(makeQuestion('text input'), 'legenda', files)).toEqual(tells('legenda'))
  })
})

describe('decisions-2 §10: inputs as customers are asked', () => {
  const ask = (type: string, options = {}, items: Record<string, unknown>[] = []) =>
    planQuestion({ id: 'p', type, options, items }, true)

  test.each(['payment input', 'novo input', ''])('a %p cannot be asked on WhatsApp', type =>
    expect(ask(type)).toBeNull(),
  )
  test('a file is asked for only where there is an address for it', () => {
    expect(planQuestion({ id: 'p', type: 'file input', options: {}, items: [] }, false)).toBeNull()
    expect(ask('file input')?.says(null)).toEqual([{ say: 'text', text: 'Envie o arquivo por aqui.' }])
  })
  test('choices stand under the words before them, or under words of ours', () => {
    const items = [{ id: 'a', content: 'Sim' }, { id: 'b' }]
    expect(ask('choice input', {}, items)?.says('Pode ser?')).toEqual([
      { say: 'menu', words: 'Pode ser?', options: ['Sim', 'Opção 2'], several: false },
    ])
    expect(ask('choice input', {}, items)?.says(null)).toMatchObject([
      { words: 'Escolha uma opção e responda com o número dela:' },
    ])
    expect(ask('choice input', { isMultipleChoice: true }, items)?.says('Quais?')).toMatchObject([
      { words: expect.stringContaining('separados por vírgula'), several: true },
    ])
  })
  test('a choice or picture without words of its own is shown and told as its value', () => {
    for (const type of ['choice input', 'picture choice input'])
      expect(ask(type, {}, [{ id: 'a', value: 'Sim' }])?.question.items).toEqual([
        { id: 'a', text: 'Sim', shown: 'Sim' },
      ])
  })
  test('no choices, and more than anybody reads, cannot be asked', () => {
    expect(ask('choice input', {}, [])).toBeNull()
    expect(
      ask(
        'choice input',
        {},
        Array.from({ length: 101 }, (_, n) => ({ id: `${n}`, content: `${n}` })),
      ),
    ).toBeNull()
  })
  test('pictures are shown one by one, then numbered', () => {
    const items = [
      { id: 'a', title: 'Leite', description: 'Caixa com 12', pictureSrc: 'https://a.example/leite.png' },
      { id: 'b', title: 'Café' },
    ]
    expect(ask('picture choice input', {}, items)?.says('O que deseja?')).toEqual([
      { say: 'text', text: 'O que deseja?' },
      { say: 'file', as: 'image', url: 'https://a.example/leite.png', caption: '*Leite*\nCaixa com 12' },
      { say: 'text', text: '*Café*' },
      {
        say: 'menu',
        words: 'Escolha uma opção e responda com o número dela:',
        options: ['Leite', 'Café'],
        several: false,
      },
    ])
  })
  test('a picture without an address is its words', () => {
    const items = [{ id: 'a', title: 'Leite', pictureSrc: 'data:image/png;base64,iVBORw0KGgo=' }]
    expect(ask('picture choice input', {}, items)?.says(null)).toMatchObject([
      { say: 'text', text: '*Leite*' },
      { say: 'menu' },
    ])
  })
  test('the ways of cards are numbered; Typebot is told the way', () => {
    const cards = ask('cards', {}, [
      {
        id: 'c',
        title: 'Plano A',
        paths: [
          { id: 'w1', text: 'Contratar' },
          { id: 'w2', text: 'Saber mais' },
        ],
      },
    ])
    expect(cards?.question.items.map(item => [item.id, item.shown])).toEqual([
      ['w1', 'Plano A: Contratar'],
      ['w2', 'Plano A: Saber mais'],
    ])
    expect(read(cards?.question ?? null, '2')).toMatchObject({ tell: { text: 'w2' } })
  })
  test('a rating says from where to where', () => {
    const options = { length: 5, labels: { left: 'ruim', right: 'ótimo' } }
    expect(ask('rating input', options)?.says('Que nota?')).toEqual([
      { say: 'text', text: 'Responda com um número de 1 a 5 (1 = ruim, 5 = ótimo).' },
    ])
  })
  test('of other inputs the flow’s own words are the question, else what stands in the empty field', () => {
    const options = { labels: { placeholder: 'Digite seu e-mail' } }
    expect(ask('email input', options)?.says('E-mail?')).toEqual([])
    expect(ask('email input', options)?.says(null)).toEqual([{ say: 'text', text: 'Digite seu e-mail' }])
  })
})
