// What a message sets in motion, as a table: a world, a message, and what follows (decisions-2 §8).
import { describe, expect, test } from 'bun:test'
import {
  appendMenu,
  parseRating,
  renderMenuLines,
  renderMenuTexts,
  resolveMenuChoice,
} from '../src/follow-up/answers.ts'
import { applyFollowUps, type FollowUp, type FollowUpFacts } from '../src/follow-up/follow-up.ts'
import { FOLLOW_UP_RULES } from '../src/follow-up/rules.ts'
import { BOT_TABLE } from './bot-table.ts'
import {
  evaluateFollowUp,
  type FollowUpRow,
  MINUTE,
  makeFollowUpCase,
  makeSayStep,
  NIGHT,
  NOW,
} from './follow-up-world.ts'

const SALES = { id: 7, name: 'Vendas', greeting: 'Olá das Vendas' }
const SUPPORT = { id: 8, name: 'Suporte técnico', greeting: '' }
const TWO = { connection: { queues: [SALES, SUPPORT] } }
const LIVE = { isNew: false }
const IN_SURVEY = { isNew: false, status: 'nps', queueId: 7 } as const
const CHOOSING = { isNew: false, menusShown: 1 }
const MENU = { greetingWithQueue: true }
/** A person for Sales, with a substitute. */
const bruna = (mayTake: boolean, substitute?: boolean): FollowUpFacts['redirects'] => [
  {
    queueId: 7,
    people: [{ userId: 31, mayTake }, ...(substitute === undefined ? [] : [{ userId: 32, mayTake: substitute }])],
  },
]

const GREETING: FollowUp = { do: 'say', text: 'Bem-vinda!', greets: true }
const ROUTING: FollowUp = { do: 'set queue', queueId: 7 }
const options = ['Vendas', 'Suporte técnico']
const menu = (text: string, greets?: true): FollowUp => ({ do: 'say', text, options, ...(greets && { greets }) })
const CLOSED: readonly FollowUp[] = [{ do: 'note closed' }, makeSayStep('Fechado.')]
const AGAIN = 'Não encontrei essa opção. Responda com o número de uma destas:'
const OUT = makeSayStep('Pronto, você não receberá mais nossos envios. Se mudar de ideia, responda VOLTAR.')

/** One row a rule, then its limits. */
const TABLE: readonly FollowUpRow[] = [
  // 1: opt-out
  ['the word that ends mass sends, and the way back', { message: { text: ' Sair. ' } }, [{ do: 'opt out' }, OUT]],
  [
    'the word in a live ticket, in any status',
    { conversation: IN_SURVEY, message: { text: 'SAIR' } },
    [{ do: 'opt out' }, OUT],
  ],
  ['a sentence that only asks to stop', { message: { text: 'quero sair' } }, [{ do: 'opt out' }, OUT]],
  ['the word among others is none', { message: { text: 'vou sair agora' } }, [GREETING]],
  ['optOutWord: another word', { settings: { optOutWord: 'Não' }, message: { text: 'nao' } }, [{ do: 'opt out' }, OUT]],
  ['optOutWord: none', { settings: { optOutWord: ' ' }, message: { text: '' } }, [GREETING]],
  [
    'whoever is out comes back',
    { message: { text: 'voltar' }, contact: { isOptedOut: true } },
    [{ do: 'opt in' }, makeSayStep('Que bom ter você de volta! Para deixar de receber nossos envios, responda SAIR.')],
  ],
  [
    'optOutWord: none, whoever is out comes back all the same',
    { settings: { optOutWord: ' ' }, message: { text: 'VOLTAR' }, contact: { isOptedOut: true } },
    [{ do: 'opt in' }, makeSayStep('Que bom ter você de volta!')],
  ],
  [
    'optOutWord: none, whoever is not out has said a word',
    { settings: { optOutWord: '' }, message: { text: 'VOLTAR' } },
    [GREETING],
  ],
  ['whoever is not out does not come back', { message: { text: 'Voltar' } }, [GREETING]],
  ['the word of whom nothing is said to', { message: { text: 'SAIR' }, contact: { isAnswered: false } }, []],
  ['the word in a group', { message: { text: 'SAIR' }, conversation: { isGroup: true } }, []],
  // 2: survey
  [
    'a rating ends the survey',
    { conversation: IN_SURVEY, message: { text: 'Nota 5' } },
    [{ do: 'rate', rate: 5 }, { do: 'set status', status: 'closed' }, makeSayStep('Obrigada!')],
  ],
  [
    'a rating without words of thanks',
    { conversation: IN_SURVEY, message: { text: '1️⃣' }, connection: { thanks: '' } },
    [
      { do: 'rate', rate: 1 },
      { do: 'set status', status: 'closed' },
    ],
  ],
  [
    'whoever answers a survey with something else has something to say',
    { conversation: IN_SURVEY, message: { text: '5 caixas, por favor' } },
    [{ do: 'set status', status: 'pending' }],
  ],
  [
    'of whom nothing is said to, a rating counts without thanks',
    { conversation: IN_SURVEY, message: { text: '5' }, contact: { isAnswered: false } },
    [
      { do: 'rate', rate: 5 },
      { do: 'set status', status: 'closed' },
    ],
  ],
  ['six is no rating', { conversation: IN_SURVEY, message: { text: '6' } }, [{ do: 'set status', status: 'pending' }]],
  [
    'what came late is looked at by people',
    { conversation: IN_SURVEY, message: { text: '5', at: NOW - 11 * MINUTE } },
    [{ do: 'set status', status: 'pending' }],
  ],
  ['we do not rate ourselves', { conversation: IN_SURVEY, message: { text: '5', fromMe: true } }, []],
  ['a notice is no answer', { conversation: IN_SURVEY, message: { text: '', wants: false } }, []],
  ['a number outside a survey is a word', { conversation: LIVE, message: { text: '5' } }, []],
  // 3 and 6c: the bot
  ...BOT_TABLE,
  // 4: choice of a queue
  ...['1', 'nada'].map(
    text =>
      [
        `of whom nothing is said to, ${text} chooses nothing`,
        { ...TWO, conversation: CHOOSING, message: { text }, contact: { isAnswered: false } },
        [],
      ] as const,
  ),
  [
    'whoever names a queue stands in it',
    { ...TWO, conversation: CHOOSING, message: { text: '1' } },
    [ROUTING, makeSayStep('Olá das Vendas')],
  ],
  [
    'by its name, which has no greeting',
    { ...TWO, conversation: CHOOSING, message: { text: 'suporte tecnico' } },
    [{ do: 'set queue', queueId: 8 }],
  ],
  [
    'and goes to a person of its own there',
    { ...TWO, conversation: CHOOSING, message: { text: '1 - Vendas' }, redirects: bruna(true) },
    [ROUTING, { do: 'assign', userId: 31 }, makeSayStep('Olá das Vendas'), makeSayStep('Com a Bruna.')],
  ],
  [
    'a queue without that person is a queue',
    { ...TWO, conversation: CHOOSING, message: { text: '2' }, redirects: bruna(true) },
    [{ do: 'set queue', queueId: 8 }],
  ],
  [
    'whoever names none is shown the menu again, twice',
    { ...TWO, conversation: CHOOSING, message: { text: 'não sei' } },
    [{ do: 'await queue', menus: 2 }, menu(AGAIN)],
  ],
  [
    'the second time',
    { ...TWO, conversation: { ...CHOOSING, menusShown: 2 }, message: { text: '3' } },
    [{ do: 'await queue', menus: 3 }, menu(AGAIN)],
  ],
  ['then no more', { ...TWO, conversation: { ...CHOOSING, menusShown: 3 }, message: { text: '3' } }, []],
  [
    'but a number still routes',
    { ...TWO, conversation: { ...CHOOSING, menusShown: 3 }, message: { text: '2' } },
    [{ do: 'set queue', queueId: 8 }],
  ],
  [
    'a connection that has no queues any more asks for none',
    { conversation: CHOOSING, message: { text: 'não sei' } },
    [],
  ],
  [
    'what was on its way is no answer',
    { ...TWO, conversation: CHOOSING, message: { text: 'tudo bem?', isAnswer: false } },
    [],
  ],
  [
    'who was given a queue meanwhile chooses none',
    { ...TWO, conversation: { ...CHOOSING, queueId: 8 }, message: { text: '1' } },
    [],
  ],
  ['nor whom somebody serves', { ...TWO, conversation: { ...CHOOSING, status: 'open' }, message: { text: '1' } }, []],
  ['nor whom no menu was shown', { ...TWO, conversation: LIVE, message: { text: '1' } }, []],
  [
    'an answer of long ago is none',
    { ...TWO, conversation: CHOOSING, message: { text: '1', at: NOW - 11 * MINUTE } },
    [],
  ],
  // 5: other live tickets
  ['a live ticket is told once that the company is closed', { conversation: LIVE, now: NIGHT }, CLOSED],
  ['served by a person too', { conversation: { ...LIVE, status: 'open', queueId: 7 }, now: NIGHT }, CLOSED],
  ['once', { conversation: { ...LIVE, isToldClosed: true }, now: NIGHT }, []],
  ['not while it is open', { conversation: LIVE }, []],
  ['not what is over', { conversation: { ...LIVE, status: 'closed' }, now: NIGHT }, []],
  [
    'a paused one too',
    { conversation: { isNew: false, status: 'paused' }, now: NIGHT },
    [{ do: 'note closed' }, makeSayStep('Fechado.')],
  ],
  ['not of whom nothing is said to', { conversation: LIVE, now: NIGHT, contact: { isAnswered: false } }, []],
  [
    'msgOutOfTime: without words nothing is said',
    { conversation: LIVE, now: NIGHT, settings: { msgOutOfTime: '' } },
    [{ do: 'note closed' }],
  ],
  ['working days', { conversation: LIVE, settings: { monday: false } }, CLOSED],
  ['lunch', { conversation: LIVE, settings: { horarioAlmoco: 600, horarioFimAlmoco: 660 } }, CLOSED],
  [
    'holidays',
    { conversation: LIVE, settings: { holidayDates: [{ date: '01-05', name: 'Feriado', open: false }] } },
    CLOSED,
  ],
  // 6: new tickets
  ['a new ticket stands in its connection’s only queue', { connection: { queues: [SALES], greeting: '' } }, [ROUTING]],
  [
    'a new ticket of a group too',
    { conversation: { isGroup: true }, connection: { queues: [SALES] }, redirects: bruna(true) },
    [ROUTING],
  ],
  [
    'a new ticket begun on the phone too',
    { message: { fromMe: true }, connection: { queues: [SALES] }, redirects: bruna(true) },
    [ROUTING],
  ],
  ['of two queues none is chosen', { connection: { queues: [SALES, SUPPORT], greeting: '' } }, []],
  ['a new ticket is told that the company is closed', { now: NIGHT }, CLOSED],
  ['and stands in its queue in the morning', { now: NIGHT, connection: { queues: [SALES] } }, [ROUTING, ...CLOSED]],
  [
    'the only queue a contact has a person in is the one of its new ticket',
    { ...TWO, redirects: bruna(false), settings: MENU },
    [ROUTING, GREETING],
  ],
  [
    'a contact with a person of its own goes to that person, or to the substitute',
    { ...TWO, redirects: bruna(true, true), settings: MENU },
    [ROUTING, { do: 'assign', userId: 31 }, makeSayStep('Com a Bruna.')],
  ],
  [
    'to the substitute',
    { ...TWO, redirects: bruna(false, true) },
    [ROUTING, { do: 'assign', userId: 32 }, makeSayStep('Com a Bruna.')],
  ],
  ['with neither there it waits in its queue', { ...TWO, redirects: bruna(false, false) }, [ROUTING, GREETING]],
  [
    'the person of the only queue',
    { connection: { queues: [SALES] }, redirects: bruna(true) },
    [ROUTING, { do: 'assign', userId: 31 }, makeSayStep('Com a Bruna.')],
  ],
  [
    'a person in a queue of another connection',
    { connection: { queues: [SUPPORT] }, redirects: bruna(true) },
    [{ do: 'set queue', queueId: 8 }, GREETING],
  ],
  [
    'people in two of its queues: one has to be chosen',
    { ...TWO, settings: MENU, redirects: [...bruna(true), { queueId: 8, people: [{ userId: 33, mayTake: true }] }] },
    [{ do: 'await queue', menus: 1 }, menu('Bem-vinda!', true)],
  ],
  [
    'who is out of hours redirects in silence',
    { ...TWO, now: NIGHT, redirects: bruna(true) },
    [...CLOSED, ROUTING, { do: 'assign', userId: 31 }],
  ],
  [
    'respostaAutomatica off: only redirected',
    { ...TWO, settings: MENU, redirects: bruna(true), contact: { isAnswered: false } },
    [ROUTING, { do: 'assign', userId: 31 }],
  ],
  ['respostaAutomatica off: nothing is said', { ...TWO, settings: MENU, contact: { isAnswered: false } }, []],
  ['a redirect is for who writes now', { ...TWO, redirects: bruna(true), message: { at: NOW - 11 * MINUTE } }, []],
  [
    'a new ticket is asked for its queue',
    { ...TWO, settings: MENU },
    [{ do: 'await queue', menus: 1 }, menu('Bem-vinda!', true)],
  ],
  [
    'greetingWithQueue: without a greeting it asks in its own words',
    { connection: { queues: [SALES, SUPPORT], greeting: '' }, settings: { ...MENU, sendGreetingMessage: false } },
    [{ do: 'await queue', menus: 1 }, menu('Escolha uma opção e responda com o número dela:', true)],
  ],
  [
    'greetingWithQueue: closed, it is told so, and asked',
    { ...TWO, settings: MENU, now: NIGHT },
    [...CLOSED, { do: 'await queue', menus: 1 }, menu('Escolha uma opção e responda com o número dela:', true)],
  ],
  [
    'greetingWithQueue: one queue is no choice',
    { connection: { queues: [SALES] }, settings: MENU },
    [ROUTING, GREETING],
  ],
  ['greetingWithQueue off', TWO, [GREETING]],
  ['whoever begins a conversation is greeted', {}, [GREETING]],
  ['the queue comes first', { connection: { queues: [SALES] } }, [ROUTING, GREETING]],
  ['a ticket that was there is left alone', { conversation: LIVE, connection: { queues: [SALES] } }, []],
  ['a group is not greeted', { conversation: { isGroup: true } }, []],
  ['we do not greet ourselves', { message: { fromMe: true } }, []],
  ['ten minutes later is still now', { message: { at: NOW - 10 * MINUTE } }, [GREETING]],
  ['a replay of longer ago is not answered', { message: { at: NOW - 10 * MINUTE - 1 } }, []],
  ['sendGreetingMessage switches the greeting off', { settings: { sendGreetingMessage: false } }, []],
  ['a connection without words says nothing', { connection: { greeting: ' \n' } }, []],
  ['greeted again each time', { contact: { greetedAt: NOW - MINUTE } }, [GREETING]],
  [
    'sendOnlyOnce: once in the interval',
    { settings: { sendOnlyOnce: true }, contact: { greetedAt: NOW - 59 * MINUTE } },
    [],
  ],
  [
    'sendOnlyOnce: and then once more after it',
    { settings: { sendOnlyOnce: true }, contact: { greetedAt: NOW - 60 * MINUTE } },
    [GREETING],
  ],
  [
    'sendOnlyOnce: the menu is not repeated, and its numbers still count',
    { ...TWO, settings: { ...MENU, sendOnlyOnce: true }, contact: { greetedAt: NOW - MINUTE } },
    [{ do: 'await queue', menus: 3 }],
  ],
  [
    'sendOnlyOnce: that it is closed is told each time',
    { now: NIGHT, settings: { sendOnlyOnce: true }, contact: { greetedAt: NIGHT - MINUTE } },
    CLOSED,
  ],
]

describe('what a message sets in motion', () => {
  for (const [rule, world, steps] of TABLE) test(rule, () => expect(evaluateFollowUp(world).steps).toEqual(steps))

  test('every rule has a row of its name', () => {
    const rows = TABLE.map(([rule]) => rule)
    for (const { name } of FOLLOW_UP_RULES) expect(rows).toContain(name)
  })

  test('nothing is read for a message in a live ticket', () => {
    expect(evaluateFollowUp({ conversation: LIVE }).read).toEqual([])
    expect(evaluateFollowUp({ conversation: { ...LIVE, isToldClosed: true }, now: NIGHT }).read).toEqual([])
  })

  test('a fact is read where a rule wants it, and once', () => {
    expect(evaluateFollowUp({ message: { at: NOW - 11 * MINUTE } }).read).toEqual(['connection'])
    expect(evaluateFollowUp({}).read).toEqual(['connection', 'redirects', 'contact'])
  })
})

describe('a conversation goes on from what followed', () => {
  test('from the first words to the queue, with two wrong answers', () => {
    let conversation = makeFollowUpCase({}).conversation
    const talk = ['Oi', 'quê?', 'hein?', 'sei lá', '2'].map(text => {
      const { steps } = evaluateFollowUp({ ...TWO, settings: MENU, conversation, message: { text } })
      conversation = applyFollowUps(conversation, steps)
      return steps.map(step => step.do)
    })
    expect(talk).toEqual([['await queue', 'say'], ['await queue', 'say'], ['await queue', 'say'], [], ['set queue']])
    expect(conversation).toEqual({ ...makeFollowUpCase({}).conversation, isNew: false, queueId: 8, menusShown: null })
  })

  test('a night is told of once, until there is another ticket', () => {
    let conversation = makeFollowUpCase({}).conversation
    const talk = ['Oi', 'alguém?'].map(text => {
      const { steps } = evaluateFollowUp({ now: NIGHT, conversation, message: { text } })
      conversation = applyFollowUps(conversation, steps)
      return steps.length
    })
    expect(talk).toEqual([2, 0])
  })
})

describe('answers', () => {
  test('a line is chosen by number, line or name, however it is written', () => {
    const answers = ['2', ' 2) ', '2️⃣', '2 - suporte', '2. Suporte téc…', 'SUPORTE  TECNICO!', 'Vendas', '"1"']
    expect(answers.map(text => resolveMenuChoice(text, options))).toEqual([1, 1, 1, 1, 1, 1, 0, 0])
    expect(
      ['', '0', '3', '12', '2 vendas', 'suporte', 'nem vendas', '1.5'].map(text => resolveMenuChoice(text, options)),
    ).toEqual(Array(8).fill(null))
  })

  test('a menu goes into as many texts as it needs, none of its lines is cut, and each chooses', () => {
    const many = Array.from({ length: 200 }, (_, at) => `Fila 😀 ${at} ${'x'.repeat(240)}`)
    for (const [words, names] of [
      ['Oi '.repeat(2000), many],
      ['Oi', many],
      ['Oi '.repeat(2000), options],
      ['😀'.repeat(4000), []],
    ] as const) {
      const texts = renderMenuTexts(words, names, 4096)
      for (const text of texts) expect([text.length <= 4096, text.isWellFormed()]).toEqual([true, true])
      const lines = texts.flatMap(text => text.split('\n')).slice(-names.length)
      if (names.length === 0) continue
      expect(lines).toEqual(renderMenuLines(names))
      expect(lines.map(line => resolveMenuChoice(line, names))).toEqual(names.map((_, at) => at))
    }
    expect(renderMenuTexts('Oi', options, 4096)).toEqual([appendMenu('Oi', options)])
    const one = renderMenuTexts('', ['x'.repeat(9000)], 4096)
    expect([one.every(text => text.length <= 4096), one.join('')]).toEqual([true, `1 - ${'x'.repeat(9000)}`])
  })

  test('a rating is 1 to 5 alone', () => {
    const rates = ['1', 'nota 5', 'NOTA: 3', '4️⃣', '5 - Ótimo', '2!', '4.', ' 4 ', '05']
    expect(rates.map(answer => parseRating(answer))).toEqual([1, 5, 3, 4, 5, 2, 4, 4, 5])
    const others = ['0', '6', '10', '-1', '4,5', '5.5', '5 caixas', 'ótimo', '', 'cinco e meio', 'quatro caixas']
    expect(others.map(answer => parseRating(answer))).toEqual(others.map(() => null))
  })
})
