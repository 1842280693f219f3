import { expect, test } from 'bun:test'
import { addTexts, getTexts, setTimezone } from '@balcao/ui/i18n'
import en from '../locales/conversation/en.json'
import es from '../locales/conversation/es.json'
import pt from '../locales/conversation/pt.json'
import { describeDowntime, findDowntime } from '../src/desk/use-downtime.ts'

addTexts('tickets', { pt, en, es })
setTimezone('America/Sao_Paulo')

const brief = { id: 1, name: 'Loja Centro', api: 'baileys' } as const
const since = '2026-11-21T12:12:00.000Z'
const describe = (connection: Parameters<typeof findDowntime>[0], now: string) => {
  const down = findDowntime(connection)
  return down && describeDowntime(down, getTexts('tickets'), new Date(now))
}

test('where one writes over a phone that is away it is said since when, and that nothing is lost', () => {
  const away = { ...brief, status: 'DISCONNECTED', downSince: since } as const
  expect(describe(away, '2026-11-21T15:00:00Z')).toBe(
    'O celular está desconectado desde 09:12. Suas mensagens saem quando voltar.',
  )
  expect(describe(away, '2026-11-23T15:00:00Z')).toContain('desde 21/11/2026')
  expect(describe({ ...brief, status: 'LOGGEDOUT' }, since)).toBe(
    'O celular está desconectado. Suas mensagens saem quando voltar.',
  )
  expect(describe({ ...away, api: 'cloud_api' }, since)).toStartWith('A conexão oficial está fora do ar desde 09:12.')
  expect(describe({ ...brief, status: 'CONNECTED', downSince: null }, since)).toBeNull()
})
