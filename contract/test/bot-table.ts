// What follows a message to the bot (decisions-2 §9, rules 3 and 6c of §8): one row a rule, then its limits.
import type { FollowUp, FollowUpCase, FollowUpFacts } from '../src/follow-up/follow-up.ts'
import { type FollowUpFixture, type FollowUpRow, MINUTE, makeSayStep, NIGHT, NOW } from './follow-up-world.ts'

const HOURS = { text: 'Horário e endereço', answer: 'Rua das Acácias, 81.', queueId: null, opensTicket: false }
const BILL = { text: 'Segunda via de boleto', answer: 'Vou chamar o Financeiro.', queueId: 7, opensTicket: true }
const AREA = { text: 'Entrega no meu bairro', answer: 'Entregamos em toda BH.', queueId: 8, opensTicket: false }
const RESALE = { text: 'Quero ser revendedor', answer: 'Que bom!', queueId: null, opensTicket: true }
const questions = [HOURS, BILL, AREA, RESALE]
const SALES = { id: 7, name: 'Vendas', greeting: 'Olá das Vendas' }
const SUPPORT = { id: 8, name: 'Suporte', greeting: '' }
const LINES = ['Horário e endereço', 'Segunda via de boleto', 'Entrega no meu bairro', 'Quero ser revendedor']
const options = [...LINES, { number: '99', name: 'Falar com atendente' }]
const withEnd = [...options, { number: '00', name: 'Encerrar' }]

const ON = { activeBot: true, messageBot: 'Não achei.' }
const WITH_BOT = { isNew: false, status: 'bot' } as const
const COMING = makeSayStep('Certo! Alguém da nossa equipe responde por aqui assim que puder.')
const MORE: FollowUp = { do: 'say', text: 'Posso ajudar em mais alguma coisa? Responda com o número:', options }
const ASK = 'Responda com o número do que você procura:'
const QUEUES: FollowUp = {
  do: 'say',
  text: 'Escolha uma opção e responda com o número dela:',
  options: ['Vendas', 'Suporte'],
}
const MISS = (misses: number, turns = 1): FollowUp[] => [
  { do: 'await answer', misses, turns },
  { do: 'say', text: 'Não achei.', options },
]
const LEAVE: FollowUp = { do: 'leave bot' }
const AWAIT = (turns: number): FollowUp => ({ do: 'await answer', misses: 0, turns })
const opening = (text: string, greets = true): FollowUp => ({ do: 'say', text, options, ...(greets && { greets }) })
const redirects = (mayTake: boolean): FollowUpFacts['redirects'] => [{ queueId: 7, people: [{ userId: 31, mayTake }] }]

interface BotTableInput {
  readonly conversation?: Partial<FollowUpCase['conversation']>
  readonly message?: Partial<FollowUpCase['message']>
}

/** Said to the bot. */
function makeBotMessage(
  text: string,
  { conversation, message, ...world }: Omit<FollowUpFixture, keyof BotTableInput> & BotTableInput = {},
): FollowUpFixture {
  return {
    questions,
    ...world,
    settings: { ...ON, ...world.settings },
    conversation: { ...WITH_BOT, ...conversation },
    message: { text, ...message },
  }
}

/** Said first. */
function makeBotStart(world: FollowUpFixture = {}): FollowUpFixture {
  return { questions, ...world, settings: { ...ON, ...world.settings } }
}

export const BOT_TABLE: readonly FollowUpRow[] = [
  [
    'who writes to the customer by hand ends the bot',
    makeBotMessage('Já vejo isso', { message: { fromMe: true } }),
    [LEAVE],
  ],
  ['a notice of ours does not', makeBotMessage('', { message: { fromMe: true, wants: false } }), []],
  ['what the bot may not answer waits for people', makeBotMessage('1', { contact: { isAnswered: false } }), [LEAVE]],
  ['words of long ago wait for people', makeBotMessage('1', { message: { at: NOW - 11 * MINUTE } }), [LEAVE]],
  ['a notice of the customer’s is no question', makeBotMessage('', { message: { wants: false } }), []],
  [
    'what is said to Typebot is handed to it',
    makeBotMessage('1', { connection: { hasTypebot: true } }),
    [{ do: 'hand to Typebot' }],
  ],
  [
    'a bot that was switched off or has no questions leaves its tickets to people',
    makeBotMessage('1', { questions: [], connection: { queues: [SALES] } }),
    [LEAVE, { do: 'set queue', queueId: 7 }, COMING],
  ],
  ['activeBot: switched off', makeBotMessage('1', { settings: { activeBot: false } }), [LEAVE, COMING]],
  [
    'activeBot: switched off, Typebot too',
    makeBotMessage('1', { settings: { activeBot: false }, connection: { hasTypebot: true } }),
    [LEAVE, COMING],
  ],
  ['whoever asks the bot for somebody gets people', makeBotMessage('99'), [LEAVE, COMING]],
  [
    'in the queue of the question before, and without the menu of queues',
    makeBotMessage('99', { conversation: { queueId: 8 }, connection: { queues: [SALES, SUPPORT] } }),
    [LEAVE, COMING],
  ],
  [
    'of two queues one is asked for',
    makeBotMessage('falar com um atendente', { connection: { queues: [SALES, SUPPORT] } }),
    [LEAVE, { do: 'await queue', menus: 1 }, QUEUES],
  ],
  [
    'or the person of the contact’s own there',
    makeBotMessage('99', { connection: { queues: [SALES] }, redirects: redirects(true) }),
    [LEAVE, { do: 'set queue', queueId: 7 }, { do: 'assign', userId: 31 }, COMING, makeSayStep('Com a Bruna.')],
  ],
  [
    'whoever asks for people while the company is closed is told so once',
    makeBotMessage('99', { now: NIGHT }),
    [LEAVE, COMING, { do: 'note closed' }, makeSayStep('Fechado.')],
  ],
  ['not again', makeBotMessage('99', { now: NIGHT, conversation: { isToldClosed: true } }), [LEAVE, COMING]],
  [
    'whoever ends the bot is said good-bye to',
    makeBotMessage('00', { settings: { botCloseTicket: true }, connection: { farewell: 'Até logo!' } }),
    [{ do: 'set status', status: 'closed' }, makeSayStep('Até logo!')],
  ],
  [
    'by the word too, and never without a word of ours',
    makeBotMessage('encerrar', { settings: { botCloseTicket: true } }),
    [{ do: 'set status', status: 'closed' }, makeSayStep('Agradecemos o contato. Quando precisar, é só escrever.')],
  ],
  [
    'nobody ends by a likeness',
    makeBotMessage('encerra', { settings: { botCloseTicket: true } }),
    [
      { do: 'await answer', misses: 1, turns: 1 },
      { do: 'say', text: 'Não achei.', options: withEnd },
    ],
  ],
  ['botCloseTicket: without it 00 is no option', makeBotMessage('00'), MISS(1)],
  [
    'whoever chooses a question gets its answer',
    makeBotMessage('1', { conversation: { botMisses: 2, botTurns: 4 } }),
    [AWAIT(5), makeSayStep('Rua das Acácias, 81.'), MORE],
  ],
  ['by its text', makeBotMessage('HORARIO E ENDERECO?'), [AWAIT(1), makeSayStep('Rua das Acácias, 81.'), MORE]],
  [
    'by the line of a list',
    makeBotMessage('1 - Horário e ender…'),
    [AWAIT(1), makeSayStep('Rua das Acácias, 81.'), MORE],
  ],
  ['by words like it', makeBotMessage('qual o endereço?'), [AWAIT(1), makeSayStep('Rua das Acácias, 81.'), MORE]],
  [
    'the queue of a question is where people find the ticket later',
    makeBotMessage('3'),
    [AWAIT(1), { do: 'set queue', queueId: 8 }, makeSayStep('Entregamos em toda BH.'), MORE],
  ],
  [
    'which is set once',
    makeBotMessage('3', { conversation: { queueId: 8 } }),
    [AWAIT(1), makeSayStep('Entregamos em toda BH.'), MORE],
  ],
  [
    'openTicket: the ticket waits in its queue',
    makeBotMessage('2', { connection: { queues: [SALES, SUPPORT] } }),
    [LEAVE, { do: 'set queue', queueId: 7 }, makeSayStep('Vou chamar o Financeiro.')],
  ],
  [
    'openTicket: or goes to the contact’s own person there',
    makeBotMessage('2', { redirects: redirects(true) }),
    [
      LEAVE,
      { do: 'set queue', queueId: 7 },
      { do: 'assign', userId: 31 },
      makeSayStep('Vou chamar o Financeiro.'),
      makeSayStep('Com a Bruna.'),
    ],
  ],
  [
    'openTicket: who is not there takes nothing',
    makeBotMessage('2', { redirects: redirects(false) }),
    [LEAVE, { do: 'set queue', queueId: 7 }, makeSayStep('Vou chamar o Financeiro.')],
  ],
  [
    'openTicket without a queue: in the connection’s only one',
    makeBotMessage('4', { connection: { queues: [SALES] } }),
    [LEAVE, { do: 'set queue', queueId: 7 }, makeSayStep('Que bom!')],
  ],
  [
    'openTicket without a queue: of two one is asked for',
    makeBotMessage('4', { connection: { queues: [SALES, SUPPORT] } }),
    [LEAVE, { do: 'await queue', menus: 1 }, makeSayStep('Que bom!'), QUEUES],
  ],
  ['openTicket without any queue', makeBotMessage('4'), [LEAVE, makeSayStep('Que bom!')]],
  [
    'whoever asks without end is another program: people see to it',
    makeBotMessage('1', { conversation: { botTurns: 29 } }),
    [LEAVE, makeSayStep('Rua das Acácias, 81.')],
  ],
  [
    'whoever chooses nothing is told so, and the third time in a row gets people',
    makeBotMessage('bom dia', { conversation: { botMisses: 2, botTurns: 2 } }),
    [LEAVE, COMING],
  ],
  ['the first time', makeBotMessage('bom dia'), MISS(1)],
  ['the second time in a row', makeBotMessage('5', { conversation: { botMisses: 1, botTurns: 7 } }), MISS(2, 8)],
  ['a picture chooses nothing', makeBotMessage(''), MISS(1)],
  [
    'messageBot: without words the usual ones',
    makeBotMessage('5', { settings: { messageBot: ' ' } }),
    [
      { do: 'await answer', misses: 1, turns: 1 },
      { do: 'say', text: 'Não encontrei essa opção. Responda com o número de uma destas:', options },
    ],
  ],
  ['of two alike none is meant', makeBotMessage('entrega ou horário'), MISS(1)],
  ['what was on its way is no wrong answer', makeBotMessage('bom dia', { message: { isAnswer: false } }), []],
  [
    'but a right one counts',
    makeBotMessage('1', { message: { isAnswer: false } }),
    [AWAIT(1), makeSayStep('Rua das Acácias, 81.'), MORE],
  ],
  [
    'a ticket with the bot is not told besides that the company is closed',
    makeBotMessage('1', { now: NIGHT }),
    [AWAIT(1), makeSayStep('Rua das Acácias, 81.'), MORE],
  ],
  [
    'a new ticket is handed to the connection’s Typebot',
    makeBotStart({ connection: { hasTypebot: true } }),
    [{ do: 'hand to Typebot' }],
  ],
  [
    'a new ticket begins with the bot',
    makeBotStart({ connection: { botGreeting: 'Oi! Mande o número:' } }),
    [AWAIT(0), opening('Oi! Mande o número:')],
  ],
  ['greetingBotMessage: or else the greeting', makeBotStart(), [AWAIT(0), opening('Bem-vinda!')]],
  ['or else its own words', makeBotStart({ connection: { greeting: '' } }), [AWAIT(0), opening(ASK)]],
  [
    'botCloseTicket: 00 stands in the menu',
    makeBotStart({ settings: { botCloseTicket: true } }),
    [AWAIT(0), { do: 'say', text: 'Bem-vinda!', options: withEnd, greets: true }],
  ],
  [
    'closed, it is told so, and begins',
    makeBotStart({ now: NIGHT }),
    [{ do: 'note closed' }, makeSayStep('Fechado.'), AWAIT(0), opening(ASK)],
  ],
  [
    'it stands in the connection’s only queue meanwhile',
    makeBotStart({ connection: { queues: [SALES] } }),
    [{ do: 'set queue', queueId: 7 }, AWAIT(0), opening('Bem-vinda!')],
  ],
  [
    'in place of the menu of queues',
    makeBotStart({ connection: { queues: [SALES, SUPPORT] }, settings: { greetingWithQueue: true } }),
    [AWAIT(0), opening('Bem-vinda!')],
  ],
  [
    'whoever has a person goes there',
    makeBotStart({ connection: { queues: [SALES] }, redirects: redirects(true) }),
    [{ do: 'set queue', queueId: 7 }, { do: 'assign', userId: 31 }, makeSayStep('Com a Bruna.')],
  ],
  [
    'or waits there for that person',
    makeBotStart({ connection: { queues: [SALES], hasTypebot: true }, redirects: redirects(false) }),
    [
      { do: 'set queue', queueId: 7 },
      { do: 'say', text: 'Bem-vinda!', greets: true },
    ],
  ],
  ['activeBot off: no bot', { questions }, [{ do: 'say', text: 'Bem-vinda!', greets: true }]],
  ['no questions: no bot', makeBotStart({ questions: [] }), [{ do: 'say', text: 'Bem-vinda!', greets: true }]],
  [
    'respostaAutomatica off: no bot',
    makeBotStart({ contact: { isAnswered: false }, connection: { hasTypebot: true } }),
    [],
  ],
  ['respostaAutomatica off: no questions either', makeBotStart({ contact: { isAnswered: false } }), []],
  ['a group: no bot', makeBotStart({ conversation: { isGroup: true } }), []],
  ['a replay: no bot', makeBotStart({ message: { at: NOW - 11 * MINUTE } }), []],
  ['we ourselves: no bot', makeBotStart({ message: { fromMe: true } }), []],
  [
    'sendOnlyOnce: no second greeting, but the menu',
    makeBotStart({ settings: { sendOnlyOnce: true }, contact: { greetedAt: NOW - MINUTE } }),
    [AWAIT(0), opening(ASK, false)],
  ],
  [
    'sendOnlyOnce: an answer to the menu of before counts',
    makeBotStart({ settings: { sendOnlyOnce: true }, contact: { greetedAt: NOW - MINUTE }, message: { text: '1' } }),
    [AWAIT(0), makeSayStep('Rua das Acácias, 81.'), MORE],
  ],
  [
    'sendOnlyOnce: and so does asking for somebody',
    makeBotStart({
      settings: { sendOnlyOnce: true },
      contact: { greetedAt: NOW - MINUTE },
      message: { text: '99' },
      connection: { queues: [SALES] },
    }),
    [{ do: 'set queue', queueId: 7 }, LEAVE, COMING],
  ],
]
