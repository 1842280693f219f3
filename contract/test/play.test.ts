// "Try it": a conversation played with the rules of the inbox, without sending anything.
import { describe, expect, test } from 'bun:test'
import { momentOf, NOTHING, type Play, resolved, type Stage, written } from '../src/play.ts'
import { DEFAULTS, type Settings } from '../src/settings.ts'

/** A Monday, ten in the morning in São Paulo. */
const NOW = Date.UTC(2026, 0, 5, 13)

function stage(settings: Partial<Settings> = {}, connection: Partial<Stage['connection']> = {}): Stage {
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

function play(on: Stage, ...texts: readonly string[]): Play {
  return texts.reduce((so, text) => written(on, so, text, NOW), NOTHING)
}

function ours({ lines }: Play): string[] {
  return lines.filter(line => line.isOurs).map(line => line.text)
}

describe('try it', () => {
  test('greets with the words filled in, and goes on in the same ticket', () => {
    expect(ours(play(stage(), 'Oi', 'Tudo bem?'))).toEqual(['Olá, Ana Souza!'])
  })

  test('asks for a queue and routes to it', () => {
    const done = play(stage({ greetingWithQueue: true }), 'Oi', 'quê?', '1')
    expect(ours(done)[0]).toBe('Olá, Ana Souza!\n\n1 - Vendas\n2 - Suporte')
    expect([ours(done).length, ours(done).at(-1), done.conversation.queueId]).toEqual([3, 'Aqui é de Vendas.', 1])
  })

  test('a survey is asked, answered and thanked for; the next words open a new ticket', () => {
    const on = stage({}, { nps: true })
    const asked = resolved(on, play(on, 'Oi'), NOW)
    expect([asked.conversation.status, ours(asked).at(-1)?.split('\n')[0]]).toEqual(['nps', 'Que nota?'])
    const rated = written(on, asked, 'nota 4', NOW)
    expect([rated.rate, rated.conversation.status, ours(rated).at(-1)]).toEqual([4, 'closed', 'Obrigada!'])
    expect(ours(written(on, rated, 'Oi de novo', NOW)).at(-1)).toBe('Olá, Ana Souza!')
  })

  test('without a survey there is the farewell; timeCreateNewTicket gives the ticket back without greeting', () => {
    const on = stage({ timeCreateNewTicket: 10 })
    const closed = resolved(on, play(on, 'Oi'), NOW)
    const said = (minutes: number) => ours(written(on, closed, 'Mais uma', NOW + minutes * 60_000)).slice(1)
    expect([said(9), said(11)]).toEqual([['Até logo!'], ['Até logo!', 'Olá, Ana Souza!']])
  })

  test('thanks for a conversation that was just resolved open none, later they do', () => {
    const on = stage()
    const closed = resolved(on, play(on, 'Oi'), NOW)
    const after = (minutes: number) => written(on, closed, 'Obrigada! 🙏', NOW + minutes * 60_000).conversation.status
    expect([after(9), after(11)]).toEqual(['closed', 'pending'])
  })

  test('the opt-out as first words opens no ticket, and the way back neither', () => {
    const on = stage()
    const out = play(on, 'SAIR')
    expect([out.conversation.status, out.isOptedOut, ours(out).length]).toEqual(['closed', true, 1])
    expect(written(on, out, 'voltar', NOW)).toMatchObject({ isOptedOut: false, conversation: { status: 'closed' } })
  })

  test('a moment at which it is open or closed is found, if there is one', () => {
    const { settings } = stage()
    expect(momentOf(settings, 'open', NOW)).toBe(NOW)
    expect(momentOf(settings, 'closed', NOW)).toBe(NOW + 2 * 3_600_000)
    const never = { monday: false, tuesday: false, wednesday: false, thursday: false, friday: false }
    expect(momentOf({ ...settings, ...never }, 'open', NOW)).toBeNull()
    expect(ours(written(stage(), NOTHING, 'Oi', NOW + 2 * 3_600_000))).toEqual(['Fechado.'])
  })
})
