import { describe, expect, test } from 'bun:test'
import { toInstant, toWallClock } from '../src/calendar/zoned-time.ts'
import type { Kind } from '../src/connections/kind-names.ts'
import {
  estimateSendDuration,
  findNextRun,
  parseOnceInstant,
  type ScheduleForm,
  validateSchedule,
} from '../src/schedules/rules.ts'

const ZONE = 'America/Sao_Paulo'
/** Saturday, 21 November 2026, 09:26 in São Paulo. */
const NOW = new Date('2026-11-21T12:26:30Z')
const FORM: ScheduleForm = {
  message: 'Seu boleto vence amanhã',
  recurrence: 'every_day',
  RValue: '',
  sendAt: '09:31',
  allContacts: false,
  contactsIds: [3],
  tagsIds: [],
  hasFile: false,
  hasTemplate: false,
}

function listCodes(change: Partial<ScheduleForm>, kind?: Kind): string[] {
  return validateSchedule({ ...FORM, ...change }, NOW, ZONE, kind).map(({ path, code }) => `${path} ${code}`)
}

describe('spec 1 §5: schedule dialog', () => {
  test('a message has at least 5 characters', () => {
    expect(listCodes({ message: ' Oi!  ' })).toEqual(['message messageShort'])
    expect(listCodes({ message: 'Olá!!' })).toEqual([])
  })

  test('an internal comment is not sent, so it is not scheduled', () => {
    expect(listCodes({ message: '-- cliente difícil' })).toEqual(['message messageComment'])
    expect(listCodes({ message: 'Segue -- como pedido' })).toEqual([])
  })

  test('decisions-2 §15: the words under a file are as long as its connection takes, as in a mass send', () => {
    const long = { message: 'x'.repeat(1025) }
    expect(listCodes({ ...long, hasFile: true }, 'cloud_api')).toEqual(['message messageLong'])
    expect(listCodes(long, 'cloud_api')).toEqual([])
    expect(listCodes({ ...long, hasFile: true }, 'baileys')).toEqual([])
    expect(listCodes({ message: 'x'.repeat(4097) }, 'baileys')).toEqual(['message messageLong'])
    const [fault] = validateSchedule({ ...FORM, ...long, hasFile: true }, NOW, ZONE, 'cloud_api')
    expect(fault?.params).toEqual({ length: 1025, most: 1024 })
  })

  test('decisions-2 §15: a template goes where there are templates, as in a mass send', () => {
    expect(listCodes({ hasTemplate: true }, 'baileys')).toEqual(['template templateNotOffered'])
    expect(listCodes({ hasTemplate: true }, 'cloud_api')).toEqual([])
  })

  test('recurrence and send time are required', () => {
    expect(listCodes({ recurrence: '' })).toEqual(['recurrence recurrenceRequired'])
    expect(listCodes({ sendAt: '' })).toEqual(['sendAt sendAtRequired'])
    expect(listCodes({ sendAt: '24:00' })).toEqual(['sendAt sendAtInvalid'])
  })

  test('a recipient is required: all contacts, contacts or tags', () => {
    expect(listCodes({ contactsIds: [] })).toEqual(['contactsIds recipientRequired'])
    expect(listCodes({ contactsIds: [], tagsIds: [1] })).toEqual([])
    expect(listCodes({ contactsIds: [], allContacts: true })).toEqual([])
  })

  test('a recurrence value is required unless it is every day', () => {
    expect(listCodes({ recurrence: 'every_day', RValue: '' })).toEqual([])
    for (const recurrence of ['every_week', 'every_month', 'quarterly', 'business_day'])
      expect(listCodes({ recurrence, RValue: '' })).toEqual(['RValue valueRequired'])
  })

  test('once needs a valid date and time that have not passed', () => {
    const once = (sendAt: string, RValue = '0') => listCodes({ recurrence: 'once', sendAt, RValue })
    expect(once('2026-11-21T12:31:00.000Z')).toEqual([])
    expect(once('2026-11-21T09:31')).toEqual([])
    expect(once('09:31', '21/11/2026')).toEqual([])
    expect(once('2026-11-21T09:26')).toEqual([])
    expect(once('2026-11-21T09:25')).toEqual(['sendAt oncePast'])
    expect(once('2026-11-20T23:59')).toEqual(['sendAt oncePast'])
    expect(once('2026-13-40T10:00:00Z')).toEqual(['sendAt onceInvalid'])
    expect(once('2026-02-30T10:00')).toEqual(['sendAt onceInvalid'])
    expect(once('09:31', 'amanhã')).toEqual(['sendAt onceInvalid'])
  })

  test('the value of every month has exactly 2 characters and is a day', () => {
    for (const RValue of ['1', '00', '32', '010', 'xx'])
      expect(listCodes({ recurrence: 'every_month', RValue })).toEqual(['RValue dayInvalid'])
    expect(listCodes({ recurrence: 'every_month', RValue: '31' })).toEqual([])
  })

  test('the value of quarterly is dd/mm with a day that month has, February at most 29', () => {
    for (const RValue of ['30/02', '31/04', '29/03', '31/12', '00/01', '10/13', '10/00', '1/2', '10-02'])
      expect(listCodes({ recurrence: 'quarterly', RValue })).toEqual(['RValue quarterInvalid'])
    for (const RValue of ['28/02', '29/02', '28/12']) expect(listCodes({ recurrence: 'quarterly', RValue })).toEqual([])
  })

  test('the value of every week is the English name of a day, 6 to 9 characters', () => {
    for (const RValue of ['monday', 'friday', 'wednesday'])
      expect(listCodes({ recurrence: 'every_week', RValue })).toEqual([])
    for (const RValue of ['mon', 'segunda', 'wednesdays'])
      expect(listCodes({ recurrence: 'every_week', RValue })).toEqual(['RValue weekdayInvalid'])
  })

  test('the estimate is 15 s a contact, in minutes from 4 contacts', () => {
    expect(estimateSendDuration(0)).toEqual({ unit: 'seconds', value: 0 })
    expect(estimateSendDuration(3)).toEqual({ unit: 'seconds', value: 45 })
    expect(estimateSendDuration(4)).toEqual({ unit: 'minutes', value: 1 })
    expect(estimateSendDuration(10)).toEqual({ unit: 'minutes', value: 3 })
  })
})

describe('spec 3 §4: the next run, by the clocks of the setting timezone', () => {
  const next = (recurrence: string, RValue: string, sendAt = '09:00', after = NOW) =>
    findNextRun({ recurrence, RValue, sendAt }, after, ZONE)?.toISOString() ?? null

  test('every day is today if its time is still to come, else tomorrow', () => {
    expect(next('every_day', '', '09:27')).toBe('2026-11-21T12:27:00.000Z')
    expect(next('every_day', '', '09:26')).toBe('2026-11-22T12:26:00.000Z')
  })

  test('late in the evening the company’s day counts, not the day in London', () => {
    const night = new Date('2026-11-22T01:30:00Z')
    expect(next('every_day', '', '23:00', night)).toBe('2026-11-22T02:00:00.000Z')
  })

  test('every week is the next such day', () => {
    expect(next('every_week', 'saturday', '10:00')).toBe('2026-11-21T13:00:00.000Z')
    expect(next('every_week', 'saturday', '09:00')).toBe('2026-11-28T12:00:00.000Z')
    expect(next('every_week', 'monday')).toBe('2026-11-23T12:00:00.000Z')
  })

  test('a day that a month lacks is its last one', () => {
    expect(next('every_month', '31')).toBe('2026-11-30T12:00:00.000Z')
    expect(next('every_month', '21')).toBe('2026-12-21T12:00:00.000Z')
    expect(next('last_day_of_month', '0')).toBe('2026-11-30T12:00:00.000Z')
  })

  test('quarterly goes on every three months from its first, over the end of the year', () => {
    expect(next('quarterly', '10/02')).toBe('2027-02-10T12:00:00.000Z')
    expect(next('quarterly', '30/11')).toBe('2026-11-30T12:00:00.000Z')
    const afterwards = new Date('2026-12-01T12:00:00Z')
    expect(next('quarterly', '30/11', '09:00', afterwards)).toBe('2027-02-28T12:00:00.000Z')
  })

  test('a working day is counted by the days the company works', () => {
    expect(next('business_day', '1')).toBe('2026-12-01T12:00:00.000Z')
    const everyDay = findNextRun({ recurrence: 'business_day', RValue: '23', sendAt: '09:00' }, NOW, ZONE, () => true)
    expect(everyDay?.toISOString()).toBe('2026-11-23T12:00:00.000Z')
  })

  test('once goes out once', () => {
    expect(next('once', '0', '2026-11-21T12:31:00Z')).toBe('2026-11-21T12:31:00.000Z')
    expect(next('once', '0', '2026-11-21T12:20:00Z')).toBeNull()
    expect(parseOnceInstant({ recurrence: 'once', RValue: '0', sendAt: '2026-12-24T18:00' }, ZONE)?.toISOString()).toBe(
      '2026-12-24T21:00:00.000Z',
    )
  })
})

describe('wall clocks', () => {
  test('an hour that a clock put forward leaves out is taken later, one shown twice the first time', () => {
    const lisbon = 'Europe/Lisbon'
    const left = toInstant({ year: 2026, month: 3, day: 29, hour: 1, minute: 30 }, lisbon)
    expect(toWallClock(left, lisbon)).toEqual({ year: 2026, month: 3, day: 29, hour: 2, minute: 30 })
    const twice = toInstant({ year: 2026, month: 10, day: 25, hour: 1, minute: 30 }, lisbon)
    expect(twice.toISOString()).toBe('2026-10-25T00:30:00.000Z')
  })

  test('every instant comes back from what the clock showed', () => {
    for (const zone of [ZONE, 'Asia/Kolkata', 'Pacific/Apia', 'America/New_York'])
      for (let minute = 0; minute < 366 * 24 * 60; minute += 1447) {
        const instant = new Date(Date.UTC(2026, 0, 1) + minute * 60_000)
        const clock = toWallClock(instant, zone)
        expect(toWallClock(toInstant(clock, zone), zone)).toEqual(clock)
      }
  })
})
