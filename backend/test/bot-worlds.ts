// Companies at random, and what their customers write: for what must hold of every conversation with the bot.
import { DEFAULTS, type FollowUpFacts, toSettingTexts } from '@balcao/contract'
import type { PlaySetup } from '@balcao/contract/follow-up/play'
import { ALWAYS_OPEN } from '../src/app/seed/always-open.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Somebody a contact's tickets go to, and who stands for them, by their places in the team. */
export interface ScenarioRedirect {
  readonly queue: number
  readonly user: number
  readonly substitute: number | null
}

/** `queues`: of the company; the connection has the first `served` of them. `away`: people who are inactive. */
export interface BotScenario {
  readonly served: number
  readonly away: readonly number[]
  readonly redirects: readonly ScenarioRedirect[]
  readonly stage: PlaySetup
}

const SUBJECTS = ['Horário', 'Boleto', 'Entrega', 'Troca', 'Preços', 'Revenda', 'Garantia', 'Vagas', 'Pix', 'Endereço']
const PLACES = ['', ' no meu bairro', ' de hoje', ' com defeito', ' da loja', ' para empresas']
const NONSENSE = ['quê?', '…', '😀', 'kkkk', 'x'.repeat(400), '12', '0', 'oi', 'tudo bem por aí?', '   .']

/** `queueIds` and `userIds` as they are numbered where it is played. */
export function makeBotScenario(
  random: SeededRandom,
  { queueIds, userIds }: { readonly queueIds: readonly number[]; readonly userIds: readonly number[] },
): BotScenario {
  const served = random.upTo(queueIds.length)
  const away = userIds.map((_, at) => at).filter(() => random.chance(0.3))
  const redirects = queueIds.flatMap((_, queue) => {
    if (!random.chance(0.3)) return []
    const [user, other] = [random.upTo(userIds.length), random.upTo(userIds.length)]
    return [{ queue, user, substitute: other === user || random.chance(0.5) ? null : other }]
  })
  const many = random.chance(0.1) ? 0 : 1 + random.upTo(random.chance(0.2) ? 90 : 8)
  const settings = {
    ...DEFAULTS,
    ...ALWAYS_OPEN,
    activeBot: random.chance(0.9),
    botCloseTicket: random.chance(0.5),
    greetingWithQueue: random.chance(0.5),
    sendOnlyOnce: random.chance(0.3),
    sendGreetingMessage: random.chance(0.7),
    messageBot: random.pick(['Não achei.', '', 'Mande 99 para falar com a gente, {{name}}.']),
  }
  const questions = Array.from({ length: many }, (_, at) => {
    const queue = random.chance(0.5) ? random.upTo(queueIds.length) : null
    return {
      pergunta: `${random.pick(SUBJECTS)}${random.pick(PLACES)}${random.chance(0.8) ? ` ${at}` : ''}`,
      resposta: random.pick(['É assim.', 'Já vemos isso, {{name}}.', `Resposta ${at} {{queue}}`]),
      queueId: queue === null ? null : (queueIds[queue] ?? null),
      queue: queue === null ? null : { name: `Fila ${queue}` },
      openTicket: random.chance(0.3),
    }
  })
  const connection = {
    name: 'Loja',
    greetingMessage: random.pick(['Bem-vinda!', '']),
    greetingBotMessage: random.pick(['Oi, {{name}}! Mande o número:', '', ' ']),
    greetingMessageRedirect: random.pick(['Com quem te atende.', '']),
    nps: false,
    npsMessage: '',
    npsTksMessage: '',
    farewellMessage: random.pick(['Até logo!', '']),
    publicDNSTypebot: '',
    publicIDTypebot: '',
  }
  const queues = queueIds.slice(0, served).map((id, at) => ({ id, name: `Fila ${at}`, greetingMessage: '' }))
  const mayTake = (user: number) => !away.includes(user)
  const facts: FollowUpFacts['redirects'] = redirects.map(({ queue, user, substitute }) => ({
    queueId: queueIds[queue] ?? 0,
    people: [user, ...(substitute === null ? [] : [substitute])].map(one => ({
      userId: userIds[one] ?? 0,
      mayTake: mayTake(one),
    })),
  }))
  return { served, away, redirects, stage: { settings, connection, queues, questions, redirects: facts } }
}

/** What a customer writes next: a choice, something like one, or nonsense. */
export function pickWords(random: SeededRandom, { questions, queues }: PlaySetup): string {
  const question = questions.length > 0 && random.chance(0.7) ? random.upTo(questions.length) : null
  if (question === null) return random.pick([...NONSENSE, '99', '00', 'falar com atendente', 'Encerrar'])
  const text = questions[question]?.pergunta ?? ''
  return random.pick([
    String(question + 1),
    `${question + 1} - ${text}`,
    text,
    text.toUpperCase().slice(0, -1),
    `queria saber de ${text.toLowerCase()}, por favor`,
    random.pick(NONSENSE),
    '99',
    String(1 + random.upTo(queues.length + 1)),
  ])
}

/** The settings of a world as they are stored. */
export function toStoredSettings({ stage }: BotScenario): { key: string; value: string }[] {
  return toSettingTexts(stage.settings).map(([key, value]) => ({ key, value }))
}
