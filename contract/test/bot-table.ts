// What follows a message to the bot (decisions-2 §9, rules 3 and 6c of §8): one row a rule, then its limits.
import type { FollowUp, FollowUpCase, FollowUpFacts } from '../src/follow-up.ts'
import { type FollowUpRow, MINUTE, NIGHT, NOW, said, type World } from './follow-up-world.ts'

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
const COMING = said('Certo! Alguém da nossa equipe responde por aqui assim que puder.')
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

interface Asked {
  readonly conversation?: Partial<FollowUpCase['conversation']>
  readonly message?: Partial<FollowUpCase['message']>
}

/** Said to the bot. */
function asked(text: string, { conversation, message, ...world }: Omit<World, keyof Asked> & Asked = {}): World {
  return {
    questions,
    ...world,
    settings: { ...ON, ...world.settings },
    conversation: { ...WITH_BOT, ...conversation },
    message: { text, ...message },
  }
}

/** Said first. */
function begun(world: World = {}): World {
  return { questions, ...world, settings: { ...ON, ...world.settings } }
}

export const BOT_TABLE: readonly FollowUpRow[] = [
  ['who writes to the customer by hand ends the bot', asked('Já vejo isso', { message: { fromMe: true } }), [LEAVE]],
  ['a notice of ours does not', asked('', { message: { fromMe: true, wants: false } }), []],
  ['what the bot may not answer waits for people', asked('1', { contact: { isAnswered: false } }), [LEAVE]],
  ['words of long ago wait for people', asked('1', { message: { at: NOW - 11 * MINUTE } }), [LEAVE]],
  ['a notice of the customer’s is no question', asked('', { message: { wants: false } }), []],
  [
    'what is said to Typebot is handed to it',
    asked('1', { connection: { hasTypebot: true } }),
    [{ do: 'hand to Typebot' }],
  ],
  [
    'a bot that was switched off or has no questions leaves its tickets to people',
    asked('1', { questions: [], connection: { queues: [SALES] } }),
    [LEAVE, { do: 'set queue', queueId: 7 }, COMING],
  ],
  ['activeBot: switched off', asked('1', { settings: { activeBot: false } }), [LEAVE, COMING]],
  [
    'activeBot: switched off, Typebot too',
    asked('1', { settings: { activeBot: false }, connection: { hasTypebot: true } }),
    [LEAVE, COMING],
  ],
  ['whoever asks the bot for somebody gets people', asked('99'), [LEAVE, COMING]],
  [
    'in the queue of the question before, and without the menu of queues',
    asked('99', { conversation: { queueId: 8 }, connection: { queues: [SALES, SUPPORT] } }),
    [LEAVE, COMING],
  ],
  [
    'of two queues one is asked for',
    asked('falar com um atendente', { connection: { queues: [SALES, SUPPORT] } }),
    [LEAVE, { do: 'await queue', menus: 1 }, QUEUES],
  ],
  [
    'or the person of the contact’s own there',
    asked('99', { connection: { queues: [SALES] }, redirects: redirects(true) }),
    [LEAVE, { do: 'set queue', queueId: 7 }, { do: 'assign', userId: 31 }, COMING, said('Com a Bruna.')],
  ],
  [
    'whoever asks for people while the company is closed is told so once',
    asked('99', { now: NIGHT }),
    [LEAVE, COMING, { do: 'note closed' }, said('Fechado.')],
  ],
  ['not again', asked('99', { now: NIGHT, conversation: { isToldClosed: true } }), [LEAVE, COMING]],
  [
    'whoever ends the bot is said good-bye to',
    asked('00', { settings: { botCloseTicket: true }, connection: { farewell: 'Até logo!' } }),
    [{ do: 'set status', status: 'closed' }, said('Até logo!')],
  ],
  [
    'by the word too, and never without a word of ours',
    asked('encerrar', { settings: { botCloseTicket: true } }),
    [{ do: 'set status', status: 'closed' }, said('Agradecemos o contato. Quando precisar, é só escrever.')],
  ],
  [
    'nobody ends by a likeness',
    asked('encerra', { settings: { botCloseTicket: true } }),
    [
      { do: 'await answer', misses: 1, turns: 1 },
      { do: 'say', text: 'Não achei.', options: withEnd },
    ],
  ],
  ['botCloseTicket: without it 00 is no option', asked('00'), MISS(1)],
  [
    'whoever chooses a question gets its answer',
    asked('1', { conversation: { botMisses: 2, botTurns: 4 } }),
    [AWAIT(5), said('Rua das Acácias, 81.'), MORE],
  ],
  ['by its text', asked('HORARIO E ENDERECO?'), [AWAIT(1), said('Rua das Acácias, 81.'), MORE]],
  ['by the line of a list', asked('1 - Horário e ender…'), [AWAIT(1), said('Rua das Acácias, 81.'), MORE]],
  ['by words like it', asked('qual o endereço?'), [AWAIT(1), said('Rua das Acácias, 81.'), MORE]],
  [
    'the queue of a question is where people find the ticket later',
    asked('3'),
    [AWAIT(1), { do: 'set queue', queueId: 8 }, said('Entregamos em toda BH.'), MORE],
  ],
  ['which is set once', asked('3', { conversation: { queueId: 8 } }), [AWAIT(1), said('Entregamos em toda BH.'), MORE]],
  [
    'openTicket: the ticket waits in its queue',
    asked('2', { connection: { queues: [SALES, SUPPORT] } }),
    [LEAVE, { do: 'set queue', queueId: 7 }, said('Vou chamar o Financeiro.')],
  ],
  [
    'openTicket: or goes to the contact’s own person there',
    asked('2', { redirects: redirects(true) }),
    [
      LEAVE,
      { do: 'set queue', queueId: 7 },
      { do: 'assign', userId: 31 },
      said('Vou chamar o Financeiro.'),
      said('Com a Bruna.'),
    ],
  ],
  [
    'openTicket: who is not there takes nothing',
    asked('2', { redirects: redirects(false) }),
    [LEAVE, { do: 'set queue', queueId: 7 }, said('Vou chamar o Financeiro.')],
  ],
  [
    'openTicket without a queue: in the connection’s only one',
    asked('4', { connection: { queues: [SALES] } }),
    [LEAVE, { do: 'set queue', queueId: 7 }, said('Que bom!')],
  ],
  [
    'openTicket without a queue: of two one is asked for',
    asked('4', { connection: { queues: [SALES, SUPPORT] } }),
    [LEAVE, { do: 'await queue', menus: 1 }, said('Que bom!'), QUEUES],
  ],
  ['openTicket without any queue', asked('4'), [LEAVE, said('Que bom!')]],
  [
    'whoever asks without end is another program: people see to it',
    asked('1', { conversation: { botTurns: 29 } }),
    [LEAVE, said('Rua das Acácias, 81.')],
  ],
  [
    'whoever chooses nothing is told so, and the third time in a row gets people',
    asked('bom dia', { conversation: { botMisses: 2, botTurns: 2 } }),
    [LEAVE, COMING],
  ],
  ['the first time', asked('bom dia'), MISS(1)],
  ['the second time in a row', asked('5', { conversation: { botMisses: 1, botTurns: 7 } }), MISS(2, 8)],
  ['a picture chooses nothing', asked(''), MISS(1)],
  [
    'messageBot: without words the usual ones',
    asked('5', { settings: { messageBot: ' ' } }),
    [
      { do: 'await answer', misses: 1, turns: 1 },
      { do: 'say', text: 'Não encontrei essa opção. Responda com o número de uma destas:', options },
    ],
  ],
  ['of two alike none is meant', asked('entrega ou horário'), MISS(1)],
  ['what was on its way is no wrong answer', asked('bom dia', { message: { isAnswer: false } }), []],
  [
    'but a right one counts',
    asked('1', { message: { isAnswer: false } }),
    [AWAIT(1), said('Rua das Acácias, 81.'), MORE],
  ],
  [
    'a ticket with the bot is not told besides that the company is closed',
    asked('1', { now: NIGHT }),
    [AWAIT(1), said('Rua das Acácias, 81.'), MORE],
  ],
  [
    'a new ticket is handed to the connection’s Typebot',
    begun({ connection: { hasTypebot: true } }),
    [{ do: 'hand to Typebot' }],
  ],
  [
    'a new ticket begins with the bot',
    begun({ connection: { botGreeting: 'Oi! Mande o número:' } }),
    [AWAIT(0), opening('Oi! Mande o número:')],
  ],
  ['greetingBotMessage: or else the greeting', begun(), [AWAIT(0), opening('Bem-vinda!')]],
  ['or else its own words', begun({ connection: { greeting: '' } }), [AWAIT(0), opening(ASK)]],
  [
    'botCloseTicket: 00 stands in the menu',
    begun({ settings: { botCloseTicket: true } }),
    [AWAIT(0), { do: 'say', text: 'Bem-vinda!', options: withEnd, greets: true }],
  ],
  [
    'closed, it is told so, and begins',
    begun({ now: NIGHT }),
    [{ do: 'note closed' }, said('Fechado.'), AWAIT(0), opening(ASK)],
  ],
  [
    'it stands in the connection’s only queue meanwhile',
    begun({ connection: { queues: [SALES] } }),
    [{ do: 'set queue', queueId: 7 }, AWAIT(0), opening('Bem-vinda!')],
  ],
  [
    'in place of the menu of queues',
    begun({ connection: { queues: [SALES, SUPPORT] }, settings: { greetingWithQueue: true } }),
    [AWAIT(0), opening('Bem-vinda!')],
  ],
  [
    'whoever has a person goes there',
    begun({ connection: { queues: [SALES] }, redirects: redirects(true) }),
    [{ do: 'set queue', queueId: 7 }, { do: 'assign', userId: 31 }, said('Com a Bruna.')],
  ],
  [
    'or waits there for that person',
    begun({ connection: { queues: [SALES], hasTypebot: true }, redirects: redirects(false) }),
    [
      { do: 'set queue', queueId: 7 },
      { do: 'say', text: 'Bem-vinda!', greets: true },
    ],
  ],
  ['activeBot off: no bot', { questions }, [{ do: 'say', text: 'Bem-vinda!', greets: true }]],
  ['no questions: no bot', begun({ questions: [] }), [{ do: 'say', text: 'Bem-vinda!', greets: true }]],
  ['respostaAutomatica off: no bot', begun({ contact: { isAnswered: false }, connection: { hasTypebot: true } }), []],
  ['respostaAutomatica off: no questions either', begun({ contact: { isAnswered: false } }), []],
  ['a group: no bot', begun({ conversation: { isGroup: true } }), []],
  ['a replay: no bot', begun({ message: { at: NOW - 11 * MINUTE } }), []],
  ['we ourselves: no bot', begun({ message: { fromMe: true } }), []],
  [
    'sendOnlyOnce: no second greeting, but the menu',
    begun({ settings: { sendOnlyOnce: true }, contact: { greetedAt: NOW - MINUTE } }),
    [AWAIT(0), opening(ASK, false)],
  ],
  [
    'sendOnlyOnce: an answer to the menu of before counts',
    begun({ settings: { sendOnlyOnce: true }, contact: { greetedAt: NOW - MINUTE }, message: { text: '1' } }),
    [AWAIT(0), said('Rua das Acácias, 81.'), MORE],
  ],
  [
    'sendOnlyOnce: and so does asking for somebody',
    begun({
      settings: { sendOnlyOnce: true },
      contact: { greetedAt: NOW - MINUTE },
      message: { text: '99' },
      connection: { queues: [SALES] },
    }),
    [{ do: 'set queue', queueId: 7 }, LEAVE, COMING],
  ],
]
