import { describe, expect, test } from 'bun:test'
import type { ApiToken } from '@balcao/contract'
import { setTimezone } from '../../ui/src/i18n/dates.ts'
import { toBody, toFields } from '../src/integrations/token-form.ts'

const FIELDS = { name: 'Loja', scopes: [], userId: 0, queueIds: [1], perMinute: 60, expiresAt: '2026-12-10' } as const

describe('a token that counts until a day', () => {
  test.each([
    ['America/Sao_Paulo', '2026-12-11T02:59:59.000Z'],
    ['America/Rio_Branco', '2026-12-11T04:59:59.000Z'],
    ['Europe/Lisbon', '2026-12-10T23:59:59.000Z'],
  ])('ends with that day of the company in %s, wherever the browser stands', (timezone, expiresAt) => {
    expect(toBody(FIELDS, null, timezone).expiresAt).toBe(expiresAt)
  })

  test('shows the same day again', () => {
    const timezone = 'America/Sao_Paulo'
    setTimezone(timezone)
    const { expiresAt } = toBody(FIELDS, null, timezone)
    const token: ApiToken = {
      ...{ id: 1, name: 'Loja', hint: 'a1b2', scopes: [], user: null, queueIds: [1], perMinute: 60 },
      ...{ expiresAt: expiresAt ?? null, lastUsedAt: null, ended: null, version: 1 },
    }
    expect(toFields(token).expiresAt).toBe('2026-12-10')
    expect(toBody(FIELDS, toFields(token), timezone)).not.toHaveProperty('expiresAt')
  })

  test('or for ever, where no day is set', () => {
    expect(toBody({ ...FIELDS, expiresAt: '' }, null, 'America/Sao_Paulo').expiresAt).toBeNull()
  })
})
