// decisions-2 §15: how much a connection sends in a day, when a send ends, what makes it risky, and when it stops by itself.
import { describe, expect, test } from 'bun:test'
import { getCalendar } from '../src/calendar/calendar.ts'
import type { Kind } from '../src/connections/kind-names.ts'
import {
  assessSendRisk,
  type DailyQuota,
  estimateSendEnd,
  getDailyQuota,
  getDaySpan,
  type RiskFacts,
  shouldStopSend,
  validateMassSend,
} from '../src/sends/rules.ts'
import { DEFAULTS } from '../src/settings/settings.ts'

const ZONE = 'America/Sao_Paulo'
/** 14:32 on a Tuesday in São Paulo. */
const NOW = new Date('2026-11-24T17:32:00Z')
const FREE: DailyQuota = { perDay: null, numberSince: null, timezone: ZONE }

const iso = (at: Date | null) => at?.toISOString() ?? null
const end = (messages: number, more: Partial<Parameters<typeof estimateSendEnd>[0]> = {}, now = NOW) =>
  iso(estimateSendEnd({ messages, paceMs: 15_000, allowance: FREE, sentToday: 0, hours: null, ...more }, now))

describe('spec 3 §5 "Mass send": what a form must say', () => {
  const content = { mensagem: 'Chegou a farinha', hasFile: false, hasTemplate: false }
  const form = { ...content, allContacts: false, contactsIds: [], tagsIds: [3] }
  const codes = (change: object, kind?: Kind) => validateMassSend({ ...form, ...change }, kind).map(({ code }) => code)

  test('a message of at least one letter that is none of ours inside, and fits', () => {
    expect(codes({})).toEqual([])
    expect(codes({ mensagem: 'x' })).toEqual([])
    expect(codes({ mensagem: '  ' })).toEqual(['messageRequired'])
    expect(codes({ mensagem: '--anota isso' })).toEqual(['messageComment'])
    expect(codes({ mensagem: 'x'.repeat(4097) }, 'cloud_api')).toEqual(['messageLong'])
    expect(codes({ mensagem: 'x'.repeat(4097) }, 'baileys')).toEqual([])
    expect(validateMassSend({ ...form, mensagem: 'x'.repeat(4099) }, 'cloud_api')[0]?.params).toEqual({
      length: 4099,
      most: 4096,
    })
    expect(codes({ mensagem: 'x'.repeat(65_537) })).toEqual(['messageLong'])
    expect(codes({ mensagem: 'x'.repeat(1025), hasFile: true }, 'cloud_api')).toEqual(['messageLong'])
    expect(codes({ mensagem: 'x'.repeat(1024), hasFile: true }, 'cloud_api')).toEqual([])
  })

  test('a template goes where there are templates', () => {
    expect(codes({ hasTemplate: true }, 'cloud_api')).toEqual([])
    expect(codes({ hasTemplate: true }, 'baileys')).toEqual(['templateNotOffered'])
    expect(codes({ hasTemplate: true })).toEqual([])
  })

  test('somebody it is for', () => {
    expect(codes({ tagsIds: [] })).toEqual(['audienceRequired'])
    expect(codes({ tagsIds: [], contactsIds: [1] })).toEqual([])
    expect(codes({ tagsIds: [], allContacts: true })).toEqual([])
  })
})

describe('decisions-2 §15: warm-up and daily caps', () => {
  const since = new Date('2026-11-10T22:00:00Z')
  const allowance = { perDay: 1000, numberSince: since, timezone: ZONE }
  const on = (day: string, more: Partial<DailyQuota> = {}) => getDailyQuota({ ...allowance, ...more }, new Date(day))

  test('a number connected today takes 50, twice as many every two days, for 14 days', () => {
    const days = Array.from({ length: 16 }, (_, n) => on(new Date(since.getTime() + n * 86_400_000).toISOString()).most)
    expect(days).toEqual([50, 50, 100, 100, 200, 200, 400, 400, 800, 800, 1000, 1000, 1000, 1000, 1000, 1000])
  })

  test('on the fifteenth day the number is new no more', () => {
    const nth = (day: number) =>
      on(new Date(since.getTime() + (day - 1) * 86_400_000).toISOString(), { perDay: 100_000 })
    expect(nth(14)).toEqual({ most: 3200, warmUp: true })
    expect(nth(15)).toEqual({ most: 100_000, warmUp: false })
  })

  test('days are the company’s: the second begins at its midnight, not 24 hours later', () => {
    expect(on('2026-11-12T02:59:00Z').most).toBe(50)
    expect(on('2026-11-12T03:01:00Z').most).toBe(100)
  })

  test('a smaller cap of its own counts, and says that it is no warm-up', () => {
    expect(on('2026-11-11T12:00:00Z', { perDay: 20 })).toEqual({ most: 20, warmUp: false })
    expect(on('2026-11-11T12:00:00Z')).toEqual({ most: 50, warmUp: true })
    expect(on('2026-11-30T12:00:00Z')).toEqual({ most: 1000, warmUp: false })
  })

  test('where there is no cap and no new number there is no limit, and without a cap a new one has one still', () => {
    expect(on('2026-11-11T12:00:00Z', { perDay: null, numberSince: null }).most).toBeNull()
    expect(on('2026-11-11T12:00:00Z', { perDay: null }).most).toBe(50)
    expect(on('2026-11-30T12:00:00Z', { perDay: null }).most).toBeNull()
  })

  test('a day is from midnight to midnight of the company, also one of 23 hours', () => {
    expect(getDaySpan(NOW, ZONE)).toEqual({ from: new Date('2026-11-24T03:00Z'), to: new Date('2026-11-25T03:00Z') })
    const spring = getDaySpan(new Date('2026-03-29T12:00Z'), 'Europe/Lisbon')
    expect((spring.to.getTime() - spring.from.getTime()) / 3_600_000).toBe(23)
  })
})

describe('decisions-2 §15: "ends tomorrow at 11:40"', () => {
  test('one after the other at the pace: the first goes now', () => {
    expect(end(1)).toBe('2026-11-24T17:32:00.000Z')
    expect(end(5)).toBe('2026-11-24T17:33:00.000Z')
    expect(end(0)).toBe('2026-11-24T17:32:00.000Z')
  })

  test('what a day does not take goes on at midnight', () => {
    const allowance = { ...FREE, perDay: 100 }
    expect(end(100, { allowance })).toBe('2026-11-24T17:56:45.000Z')
    expect(end(101, { allowance })).toBe('2026-11-25T03:00:00.000Z')
    expect(end(101, { allowance, sentToday: 60 })).toBe('2026-11-25T03:15:00.000Z')
    expect(end(10, { allowance, sentToday: 100 })).toBe('2026-11-25T03:02:15.000Z')
    expect(end(10, { allowance, sentToday: 120 })).toBe('2026-11-25T03:02:15.000Z')
  })

  test('a new number takes more from day to day', () => {
    const allowance = { perDay: 1000, numberSince: NOW, timezone: ZONE }
    expect(end(200, { allowance })).toBe('2026-11-26T03:24:45.000Z')
  })

  test('only in working hours, without lunch, at night and on days off', () => {
    const hours = getCalendar({ ...DEFAULTS, timezone: ZONE })
    // Until the end of 18:00 there are 3 h 29 min: 836 messages; the next goes when it opens.
    expect(end(836, { hours })).toBe('2026-11-24T21:00:45.000Z')
    expect(end(837, { hours })).toBe('2026-11-25T11:00:00.000Z')
    // 960 before lunch.
    expect(end(836 + 961, { hours })).toBe('2026-11-25T16:00:00.000Z')
    const friday = new Date('2026-11-27T21:00:45Z')
    expect(end(2, { hours }, friday)).toBe('2026-11-30T11:00:00.000Z')
  })

  test('a company that never opens, and a cap of nothing, end never', () => {
    const closed = { ...DEFAULTS, monday: false, tuesday: false, wednesday: false, thursday: false, friday: false }
    expect(end(3, { hours: getCalendar(closed) })).toBeNull()
    expect(end(3, { allowance: { ...FREE, perDay: 0 } })).toBeNull()
  })

  test('100,000 contacts at 1,000 a day are known in a moment', () => {
    const began = performance.now()
    const hours = getCalendar({ ...DEFAULTS, timezone: ZONE })
    expect(end(100_000, { hours, allowance: { ...FREE, perDay: 1000 } })).not.toBeNull()
    expect(performance.now() - began).toBeLessThan(500)
  })
})

describe('decisions-2 §15: risk', () => {
  const safe: RiskFacts = {
    text: 'Oi, {{name}}! Para não receber mais, responda SAIR.',
    optOutWord: 'SAIR',
    allContacts: false,
    count: 200,
    neverWrote: 0,
    numberDays: null,
    hour: 14,
  }
  const codes = (change: Partial<RiskFacts>) => assessSendRisk({ ...safe, ...change }).causes.map(({ code }) => code)

  test('a send to who wrote, with names and a way out, at day is low', () => {
    expect(assessSendRisk(safe)).toEqual({ level: 1, causes: [] })
  })

  test.each([
    [{ allContacts: true }, 'all_contacts'],
    [{ neverWrote: 1 }, 'never_wrote'],
    [{ text: 'Oi, SAIR' }, 'same_text'],
    [{ text: '{{name}}, veja www.x.com.br ou responda sair' }, 'links'],
    [{ numberDays: 3 }, 'new_number'],
    [{ numberDays: 13 }, 'new_number'],
    [{ hour: 22 }, 'odd_hour'],
    [{ hour: 7 }, 'odd_hour'],
    [{ text: 'Oi, {{name}}' }, 'no_way_out'],
    [{ count: 1001 }, 'many'],
  ] as const)('%j is the cause %s', (change, code) => {
    expect(codes(change)).toEqual([code])
  })

  test('what is none: an old number, the edges of the day, no opt-out word at all, one recipient', () => {
    expect(codes({ numberDays: 14 })).toEqual([])
    expect(codes({ hour: 8 })).toEqual([])
    expect(codes({ hour: 19 })).toEqual([])
    expect(codes({ hour: null })).toEqual([])
    expect(codes({ text: 'Oi, {{name}}', optOutWord: '' })).toEqual([])
    expect(assessSendRisk({ ...safe, text: 'Oi', count: 1, neverWrote: 1, hour: 3 }).level).toBe(1)
  })

  test('grows with its causes, the graver one first, with the numbers the words need', () => {
    const two = assessSendRisk({ ...safe, neverWrote: 40, text: 'Veja https://x.br, SAIR' })
    expect(two.level).toBe(3)
    expect(two.causes).toEqual([
      { code: 'never_wrote', params: { count: 40, percent: 20 } },
      { code: 'links', params: {} },
      { code: 'same_text', params: {} },
    ])
    const worst = { ...safe, allContacts: true, neverWrote: 150, numberDays: 1, text: 'http://x', hour: 23, count: 200 }
    expect(assessSendRisk(worst).level).toBe(5)
  })
})

describe('decisions §6: stops by itself', () => {
  const last = (failed: number, ok: number) => [...Array(ok).fill('ok'), ...Array(failed).fill('failed')]

  test('when more than 10 % of the last 50 failed, and at least five', () => {
    expect(shouldStopSend(last(5, 45))).toBe(false)
    expect(shouldStopSend(last(6, 44))).toBe(true)
    expect(shouldStopSend(last(4, 2))).toBe(false)
    expect(shouldStopSend(last(5, 0))).toBe(true)
    expect(shouldStopSend([])).toBe(false)
  })

  test('what was before the last 50 is forgotten', () => {
    expect(shouldStopSend([...last(20, 0), ...last(0, 50)])).toBe(false)
    expect(shouldStopSend([...last(0, 50), ...last(6, 0)])).toBe(true)
  })
})
