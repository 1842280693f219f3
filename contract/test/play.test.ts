// "Try it": a conversation played with the rules of the inbox, without sending anything.
import { describe, expect, test } from 'bun:test'
import {
  findMoment,
  NOTHING,
  type Play,
  type PlaySetup,
  playCustomerMessage,
  playResolution,
} from '../src/follow-up/play.ts'
import { DEFAULTS, type Settings } from '../src/settings/settings.ts'

/** A Monday, ten in the morning in São Paulo. */
const NOW = Date.UTC(2026, 0, 5, 13)

function stage(settings: Partial<Settings> = {}, connection: Partial<PlaySetup['connection']> = {}): PlaySetup {
  return {
    settings: { ...DEFAULTS, msgOutOfTime: 'Fechado.', ...settings },
    connection: {
      name: 'Loja',
      greetingMessage: 'Olá, {{name}}!',
      greetingBotMessage: '',
      greetingMessageRedirect: '',
      nps: false,
      npsMessage: 'Que nota?',
      npsTksMessage: 'Obrigada!',
      farewellMessage: 'Até logo!',
      publicDNSTypebot: '',
      publicIDTypebot: '',
      ...connection,
    },
    queues: [
      { id: 1, name: 'Vendas', greetingMessage: 'Aqui é de {{queue}}.' },
      { id: 2, name: 'Suporte', greetingMessage: '' },
    ],
    questions: [],
  }
}

function play(on: PlaySetup, ...texts: readonly string[]): Play {
  return texts.reduce((so, text) => playCustomerMessage(on, so, text, NOW), NOTHING)
}

function listOurTexts({ lines }: Play): string[] {
  return lines.filter(line => line.isOurs).map(line => line.text)
}

describe('try it', () => {
  test('greets with the words filled in, and goes on in the same ticket', () => {
    expect(listOurTexts(play(stage(), 'Oi', 'Tudo bem?'))).toEqual(['Olá, Ana Souza!'])
  })

  test('asks for a queue and routes to it', () => {
    const done = play(stage({ greetingWithQueue: true }), 'Oi', 'quê?', '1')
    expect(listOurTexts(done)[0]).toBe('Olá, Ana Souza!\n\n1 - Vendas\n2 - Suporte')
    expect([listOurTexts(done).length, listOurTexts(done).at(-1), done.conversation.queueId]).toEqual([
      3,
      'Aqui é de Vendas.',
      1,
    ])
  })

  test('a survey is asked, answered and thanked for; the next words open a new ticket', () => {
    const on = stage({}, { nps: true })
    const survey = playResolution(on, play(on, 'Oi'), NOW)
    expect([survey.conversation.status, listOurTexts(survey).at(-1)?.split('\n')[0]]).toEqual(['nps', 'Que nota?'])
    const rated = playCustomerMessage(on, survey, 'nota 4', NOW)
    expect([rated.rate, rated.conversation.status, listOurTexts(rated).at(-1)]).toEqual([4, 'closed', 'Obrigada!'])
    expect(listOurTexts(playCustomerMessage(on, rated, 'Oi de novo', NOW)).at(-1)).toBe('Olá, Ana Souza!')
  })

  test('thanks alone are no answer to a survey, and leave it as it is', () => {
    const on = stage({}, { nps: true })
    const survey = playResolution(on, play(on, 'Oi'), NOW)
    const after = (text: string, minutes: number) =>
      playCustomerMessage(on, survey, text, NOW + minutes * 60_000).conversation.status
    expect([after('Obrigada!', 1), after('Obrigada, mas faltou uma', 1), after('Obrigada!', 11)]).toEqual([
      'nps',
      'pending',
      'pending',
    ])
  })

  test('without a survey there is the farewell; timeCreateNewTicket gives the ticket back without greeting', () => {
    const on = stage({ timeCreateNewTicket: 10 })
    const closed = playResolution(on, play(on, 'Oi'), NOW)
    const playAfter = (minutes: number) =>
      listOurTexts(playCustomerMessage(on, closed, 'Mais uma', NOW + minutes * 60_000)).slice(1)
    expect([playAfter(9), playAfter(11)]).toEqual([['Até logo!'], ['Até logo!', 'Olá, Ana Souza!']])
  })

  test('thanks for a conversation that was just resolved open none, later they do', () => {
    const on = stage()
    const closed = playResolution(on, play(on, 'Oi'), NOW)
    const after = (minutes: number) =>
      playCustomerMessage(on, closed, 'Obrigada! 🙏', NOW + minutes * 60_000).conversation.status
    expect([after(9), after(11)]).toEqual(['closed', 'pending'])
  })

  test('the opt-out as first words opens no ticket, and the way back neither', () => {
    const on = stage()
    const out = play(on, 'SAIR')
    expect([out.conversation.status, out.isOptedOut, listOurTexts(out).length]).toEqual(['closed', true, 1])
    expect(playCustomerMessage(on, out, 'voltar', NOW)).toMatchObject({
      isOptedOut: false,
      conversation: { status: 'closed' },
    })
  })

  test('a moment at which it is open or closed is found, if there is one', () => {
    const { settings } = stage()
    expect(findMoment(settings, 'open', NOW)).toBe(NOW)
    expect(findMoment(settings, 'closed', NOW)).toBe(NOW + 2 * 3_600_000)
    const never = { monday: false, tuesday: false, wednesday: false, thursday: false, friday: false }
    expect(findMoment({ ...settings, ...never }, 'open', NOW)).toBeNull()
    expect(listOurTexts(playCustomerMessage(stage(), NOTHING, 'Oi', NOW + 2 * 3_600_000))).toEqual(['Fechado.'])
  })
})
