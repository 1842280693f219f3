// What the doctor says in words: every reason and step in three languages, and what happened in a week.
import { describe, expect, test } from 'bun:test'
import { CONNECTION_STATUSES, type ConnectionHealth, LINKS, STEPS, TROUBLE_REASONS } from '@balcao/contract'
import { getTexts } from '@balcao/ui/i18n'
import '../src/connections/ConnectionsPage.tsx'
import { describeDurationSince, formatElapsed, listTimelineEvents } from '../src/connections/doctor/words.ts'

const t = getTexts('connections')
const NOW = Date.parse('2026-11-24T12:00:00.000Z')
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

test.each(['pt', 'en', 'es'])('every reason, step, link and status has its words in %s', async language => {
  const { doctor } = await Bun.file(`${import.meta.dir}/../locales/connections/${language}.json`).json()
  expect(Object.keys(doctor.why).sort()).toEqual(['none', ...TROUBLE_REASONS].sort())
  expect(Object.keys(doctor.step).sort()).toEqual([...STEPS].sort())
  expect(Object.keys(doctor.rest).sort()).toEqual([...LINKS].sort())
  expect(Object.keys(doctor.now).sort()).toEqual([...CONNECTION_STATUSES].sort())
  expect(doctor.days.split(' ')).toHaveLength(7)
})

describe('what happened', () => {
  const timeline: ConnectionHealth['timeline'] = [
    { at: ago(3000), status: 'CONNECTED', reason: null },
    { at: ago(1500), status: 'CONNECTED', reason: 'restart' },
    { at: ago(20), status: 'DISCONNECTED', reason: 'network' },
    { at: ago(19), status: 'OPENING', reason: 'network' },
    { at: ago(18), status: 'DISCONNECTED', reason: 'server' },
    { at: ago(16), status: 'CONNECTED', reason: null },
    { at: ago(1), status: 'LOGGEDOUT', reason: 'logged_out' },
  ]

  test('is told newest first: falls with why, returns with how long it was away, restarts', () => {
    const events = listTimelineEvents(timeline, NOW, 10, t).map(({ tone, strong, text }) => [
      tone,
      strong ? `${strong} ${text}` : text,
    ])
    expect(events).toEqual([
      ['down', 'Caiu. O celular tirou o Balcão dos aparelhos conectados'],
      ['up', 'Voltou depois de 4 min'],
      ['quiet', 'O WhatsApp não respondeu'],
      ['quiet', 'Tentou de novo'],
      ['down', 'Caiu. O aparelho parou de responder'],
      ['quiet', 'Sessão reiniciada'],
      ['up', 'Conectou'],
    ])
  })

  test('what was added these days begins with that, and not with a fall', () => {
    const begun = { at: ago(5), status: 'DISCONNECTED', reason: null } as const
    const events = listTimelineEvents([begun, { at: ago(4), status: 'qrcode', reason: null }], NOW, 10, t)
    expect(events.map(({ text }) => text)).toEqual(['Mostrou um código para ler', 'Conexão criada'])
    // How it stood when the seven days began is no beginning.
    const old = listTimelineEvents([{ ...begun, at: ago(8 * 1440) }], NOW, 10, t)
    expect(old.map(({ text }) => text)).toEqual(['Ficou parada'])
  })

  test('today by the second, before with its day', () => {
    const when = listTimelineEvents(timeline, NOW, 10, t).map(one => one.when)
    expect(when[0]).toBe('08:59:00')
    expect(when.at(-1)).toBe('22/11 07:00')
  })

  test('how long something is and was', () => {
    expect([0.5, 1, 14, 60, 47 * 60, 72 * 60].map(minutes => describeDurationSince(ago(minutes), NOW, t))).toEqual([
      null,
      'Faz 1 minuto',
      'Faz 14 minutos',
      'Faz 1 hora',
      'Faz 47 horas',
      'Faz 3 dias',
    ])
    expect([400, 18_000, 240_000, 7_200_000].map(formatElapsed)).toEqual(['1 s', '18 s', '4 min', '2 h'])
  })
})
