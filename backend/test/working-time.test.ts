// When somebody may work (spec 1 §6), in the company's time zone; and the calendar beneath, against Postgres' own clocks (decisions-2 §12).
import { describe, expect, test } from 'bun:test'
import { DEFAULTS, getCalendar, type Settings } from '@balcao/contract'
import { getSql } from '../src/platform/database/raw.ts'
import { canWork, type WorkingTime } from '../src/policy/calendar/working-time.ts'
import { createTestDatabase } from './database.ts'
import { createSeededRandom } from './seeded-random.ts'

const { db } = await createTestDatabase()

const SAO_PAULO = 'America/Sao_Paulo'
const bruna: WorkingTime = {
  profile: 'user',
  startTime: '08:00',
  endTime: '18:00',
  weekdays: true,
  saturday: false,
  sunday: false,
  holidays: true,
}
/** No holidays of its own. */
const company: Parameters<typeof canWork>[1] = { timezone: SAO_PAULO, optionalHolidays: false, holidayDates: [] }

/** 2026-11-20 is a Friday; São Paulo is three hours behind UTC. */
function at(time: string): Date {
  return new Date(`2026-11-${time}:00Z`)
}

describe('somebody with hours from 08:00 to 18:00 on weekdays', () => {
  test('works from the first to the last minute there, not here', () => {
    expect(['20T10:59', '20T11:00', '20T21:00', '20T21:01'].map(time => canWork(bruna, company, at(time)))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('works to the very end of the day where that is the last minute one can write', () => {
    const evening = { ...bruna, startTime: '18:00', endTime: '23:59' }
    expect(['21T02:58', '21T02:59', '21T03:00'].map(time => canWork(evening, company, at(time)))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('does not work on Saturday', () => {
    expect(canWork(bruna, company, at('21T14:00'))).toBe(false)
  })

  test('is not held back as an administrator', () => {
    expect(canWork({ ...bruna, profile: 'admin' }, company, at('21T14:00'))).toBe(true)
  })
})

describe('spec 1 §2: somebody who does not work on holidays', () => {
  const away: WorkingTime = { ...bruna, holidays: false }
  const days = (own: typeof company, ...times: string[]) => times.map(time => canWork(away, own, at(time)))

  test('works neither on the national ones nor on the company’s own', () => {
    expect(days(company, '19T14:00', '20T14:00')).toEqual([true, false])
    const ours = { ...company, holidayDates: [{ date: '11-19', name: 'Aniversário da cidade', open: false }] }
    expect(days(ours, '19T14:00', '20T14:00')).toEqual([false, false])
  })

  test('works where the company took the holiday away, and with the setting off that makes one of it', () => {
    const open = { ...company, holidayDates: [{ date: '2026-11-20', name: 'Consciência Negra', open: true }] }
    expect(days(open, '20T14:00')).toEqual([true])
    const carnival = new Date('2026-02-17T14:00:00Z')
    expect([false, true].map(optionalHolidays => canWork(away, { ...company, optionalHolidays }, carnival))).toEqual([
      true,
      false,
    ])
  })

  test('on a holiday that is worked the day of the week counts all the same', () => {
    // 2026-11-15, the Republic’s, is a Sunday.
    expect(canWork(bruna, company, at('15T14:00'))).toBe(false)
    expect(canWork({ ...away, sunday: true }, company, at('15T14:00'))).toBe(false)
    expect(canWork({ ...bruna, sunday: true }, company, at('15T14:00'))).toBe(true)
  })

  test('ends a night that began the day before', () => {
    const night = { ...away, startTime: '22:00', endTime: '06:00' }
    expect([canWork(night, company, at('20T05:00')), canWork(night, company, at('21T05:00'))]).toEqual([true, false])
  })
})

test('a night shift belongs to the day it began', () => {
  const night = { ...bruna, startTime: '22:00', endTime: '06:00' }
  // Saturday 02:00 there belongs to Friday's shift; Sunday 02:00 to Saturday's, which is not worked.
  expect(canWork(night, company, at('21T05:00'))).toBe(true)
  expect(canWork(night, company, at('22T05:00'))).toBe(false)
})

describe('the calendar and Postgres, minute by minute', () => {
  const { upTo, chance, pick } = createSeededRandom(20_261_123)
  const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
  /** Where and when clocks are put, at midnight, at two, by half an hour. */
  const ZONES = [
    SAO_PAULO,
    'America/New_York',
    'Europe/London',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'America/Havana',
  ]
  const SEASONS = [
    '2018-02-16',
    '2018-11-02',
    '2016-03-11',
    '2017-03-24',
    '2018-10-26',
    '2019-04-05',
    '2020-10-02',
    '2021-07-01',
  ]

  /** The minutes of a span that lie in some day's shift, each looked at by itself. */
  async function countedSlowly(from: Date, to: Date, settings: Settings): Promise<number> {
    const { timezone, horarioAbertura: opening, horarioFechamento: closing, horarioAlmoco, horarioFimAlmoco } = settings
    const lunch = [horarioAlmoco, Math.max(horarioAlmoco, horarioFimAlmoco)]
    const bounds = [
      opening,
      closing === opening ? opening + 1440 : closing + 1 + (closing < opening ? 1440 : 0),
      ...lunch,
      ...lunch.map(minute => minute + 1440),
    ]
    const worked = DAYS.flatMap((day, at) => (settings[day] ? [at] : []))
    const [first, last] = [from.toISOString(), to.toISOString()]
    const [row] = await getSql(db)<{ minutes: number }[]>`
      with bound as materialized (
        select extract(dow from d) as weekday, array(select (d::timestamp + make_interval(mins => minute)) at time zone ${timezone}
          from unnest(${bounds}::int[]) with ordinality b(minute, place) order by place) as at
        from generate_series(${first}::timestamptz::date - 3, ${last}::timestamptz::date + 3, interval '1 day') g(d))
      select count(*)::int as minutes from generate_series(${first}::timestamptz, ${last}::timestamptz - interval '1 minute', interval '1 minute') m
      where exists (
        select 1 from bound where weekday = any(${worked}::int[]) and m >= at[1] and m < at[2]
          and not (m >= at[3] and m < at[4]) and not (m >= at[5] and m < at[6]))`
    return row?.minutes ?? -1
  }

  test('count the same over random spans, hours and zones', async () => {
    for (let round = 0; round < 80; round++) {
      const lunch = upTo(1440)
      const settings: Settings = {
        ...DEFAULTS,
        ...Object.fromEntries(DAYS.map(day => [day, chance(0.75)])),
        holidays: true,
        timezone: pick(ZONES),
        horarioAbertura: chance(0.4) ? upTo(240) : upTo(1440),
        horarioFechamento: chance(0.2) ? upTo(240) : upTo(1440),
        horarioAlmoco: chance(0.3) ? upTo(240) : lunch,
        horarioFimAlmoco: chance(0.5) ? lunch : upTo(1440),
      }
      const from = new Date(Date.parse(pick(SEASONS)) + upTo(2 * 1440) * 60_000)
      const to = new Date(from.getTime() + upTo(3 * 1440) * 60_000)
      const calendar = getCalendar(settings)
      const query = { settings, from, to }
      expect({ ...query, minutes: calendar.workingSeconds(from, to) / 60 }).toEqual({
        ...query,
        minutes: await countedSlowly(from, to, settings),
      })
      const next = calendar.nextOpening(from)
      if (next && next <= to)
        expect([await countedSlowly(from, next, settings), calendar.isOpen(next)]).toEqual([0, true])
      expect(calendar.isOpen(from)).toBe(next?.getTime() === from.getTime())
    }
  })
})
