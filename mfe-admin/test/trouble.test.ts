import { describe, expect, test } from 'bun:test'
import { TROUBLE_REASONS } from '@balcao/contract'
import { addTexts, getTexts } from '@balcao/ui/i18n'
import en from '../locales/connections/en.json'
import es from '../locales/connections/es.json'
import pt from '../locales/connections/pt.json'
import {
  describeBattery,
  describeLastMessage,
  describeSummary,
  formatKindAndNumber,
  getTone,
  isCodeExpired,
} from '../src/connections/facts.ts'
import { describeTrouble, formatCountdown } from '../src/connections/trouble.ts'
import { makeConnection, makeTrouble } from './connection.ts'

addTexts('connections', { pt, en, es })
const t = getTexts('connections')
const now = Date.parse('2026-11-21T12:13:00.000Z')

describe('why a connection is down, in words', () => {
  test('no internet: since when, when the next try is, how many messages wait', () => {
    const down = makeConnection({ status: 'DISCONNECTED', trouble: makeTrouble(), waiting: 14 })
    expect(describeTrouble(down, t, now)).toEqual({
      sentence: 'O celular está sem internet desde 09:12.',
      next: 'Próxima tentativa em 0:42 (3ª tentativa).',
      waiting: '14 mensagens esperam na fila e saem sozinhas quando voltar.',
      serious: true,
    })
  })

  test('one waiting message is said in the singular', () => {
    const down = makeConnection({ status: 'DISCONNECTED', trouble: makeTrouble(), waiting: 1 })
    expect(describeTrouble(down, t, now)?.waiting).toBe('1 mensagem espera na fila e sai sozinha quando voltar.')
  })

  test('a try that is due is being made', () => {
    const down = makeConnection({ status: 'OPENING', trouble: makeTrouble({ nextTryAt: '2026-11-21T12:12:59.000Z' }) })
    expect(describeTrouble(down, t, now)?.next).toBe('Tentando de novo agora.')
  })

  test('a blocked number says who to talk to and promises no try', () => {
    const trouble = makeTrouble({ reason: 'banned', next: 'ask_support', nextTryAt: null })
    expect(describeTrouble(makeConnection({ status: 'LOGGEDOUT', trouble }), t, now)).toMatchObject({
      sentence: 'O WhatsApp bloqueou este número.',
      next: 'Fale com o suporte antes de tentar de novo.',
    })
  })

  test('one that came back from a backup says so and asks for the old server, never to try again', () => {
    const trouble = makeTrouble({ reason: 'restored', next: 'confirm', nextTryAt: null })
    const words = describeTrouble(makeConnection({ status: 'DISCONNECTED', trouble }), t, now)
    expect(words).toMatchObject({
      sentence: 'Esta conexão voltou de uma cópia de segurança em 09:12 e espera por você.',
      next: 'Se o servidor antigo ainda funciona, os dois seriam desconectados.',
    })
    for (const texts of [pt, en, es])
      expect(Object.values(texts.takeUp).join(' ')).not.toMatch(/tente de novo|try again|int[eé]ntalo de nuevo/i)
  })

  test('every reason and every next step has a sentence in the three languages', () => {
    for (const texts of [pt, en, es]) {
      const written: Record<string, string> = texts.trouble.reason
      for (const reason of TROUBLE_REASONS) expect(written[reason]).toBeTruthy()
      const steps: Record<string, string> = texts.trouble.next
      for (const step of ['retry', 'read_qr', 'new_token', 'ask_support', 'confirm']) expect(steps[step]).toBeTruthy()
    }
  })

  test('a connection that never had a phone says so, and not that a code expired', () => {
    const trouble = makeTrouble({ code: 'none', reason: 'qr_not_read', next: 'read_qr', nextTryAt: null })
    const fresh = makeConnection({ status: 'DISCONNECTED', number: null, trouble })
    expect(describeTrouble(fresh, t, now)?.sentence).toBe('Nenhum celular está ligado a esta conexão ainda.')
    expect([isCodeExpired(fresh), getTone(fresh)]).toEqual([false, 'quiet'])
    const unread = makeConnection({ status: 'TIMEOUT', trouble: { ...trouble, code: '408' } })
    expect([isCodeExpired(unread), getTone(unread)]).toEqual([true, 'waiting'])
  })

  test('a connection that is connected tells no trouble, even if some is still written down', () => {
    expect(describeTrouble(makeConnection({ status: 'CONNECTED', trouble: makeTrouble() }), t, now)).toBeNull()
  })

  test('the countdown rounds up and shows hours only when there are any', () => {
    expect([41_100, 185_000, 0, 3_600_000].map(formatCountdown)).toEqual(['0:42', '3:05', '0:00', '1:00:00'])
  })
})

describe('the facts of a card', () => {
  test('kind and number as the specification names them', () => {
    expect(formatKindAndNumber(makeConnection(), t)).toBe('API 1 W · +55 31 3222-4010')
    expect(formatKindAndNumber(makeConnection({ api: 'cloud_api', number: null }), t)).toBe(
      'Meta Cloud API · número ainda não lido',
    )
  })

  test('battery below 20 is shown as low', () => {
    expect([82, 20, 19, null].map(battery => describeBattery(battery, t))).toEqual([
      '82%',
      '20%',
      '19% · bateria baixa',
      null,
    ])
  })

  test('the last message is told by its age', () => {
    const at = (seconds: number) => ({ lastMessageAt: new Date(now - seconds * 1000).toISOString() })
    expect(describeLastMessage(at(12), t, now)).toBe('Última mensagem há 12 s')
    expect(describeLastMessage(at(240), t, now)).toBe('Última mensagem há 4 min')
    expect(describeLastMessage(at(7200), t, now)).toBe('Última mensagem há 2 h')
  })

  test('the line under the title counts who needs somebody, in words', () => {
    expect(describeSummary(4, 2, t)).toBe('Duas de quatro precisam de você. As outras seguem recebendo mensagens.')
    expect(describeSummary(2, 1, t)).toBe('Uma de duas precisa de você. A outra segue recebendo mensagens.')
    expect(describeSummary(12, 11, t)).toBe('11 de 12 precisam de você. A outra segue recebendo mensagens.')
    expect(describeSummary(3, 0, t)).toBe('Todas recebem mensagens. Tudo em dia.')
  })
})
