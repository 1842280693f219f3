import { describe, expect, test } from 'bun:test'
import { parseTimeWords } from '../src/calendar/time-words.ts'
import { formatIsoDay, formatTimeOfDay, toWallClock } from '../src/calendar/zoned-time.ts'

const SP = 'America/Sao_Paulo'
const NY = 'America/New_York'
/** A Friday, 10:20 in São Paulo. */
const FRIDAY = '2026-11-27T13:20:30Z'

function read(text: string, now = FRIDAY, timezone = SP): string | null {
  const found = parseTimeWords(text, new Date(now), timezone)
  if (!found) return null
  const clock = toWallClock(found, timezone)
  return `${formatIsoDay(clock)} ${formatTimeOfDay(clock)}`
}

const CLEAR: readonly (readonly [phrase: string, time: string])[] = [
  // Portuguese
  ['hoje 18h', '2026-11-27 18:00'],
  ['hoje às 18:30', '2026-11-27 18:30'],
  ['amanhã 9h', '2026-11-28 09:00'],
  ['amanhã de manhã', '2026-11-28 09:00'],
  ['amanhã à tarde', '2026-11-28 14:00'],
  ['Amanhã pela manhã às 8', '2026-11-28 08:00'],
  ['amanha as 3 da tarde', '2026-11-28 15:00'],
  ['às 8 da noite de amanhã', '2026-11-28 20:00'],
  ['hoje à noite', '2026-11-27 19:00'],
  ['esta tarde', '2026-11-27 14:00'],
  ['depois de amanhã às 15h', '2026-11-29 15:00'],
  ['segunda 9h', '2026-11-30 09:00'],
  ['segunda-feira às 9 e meia', '2026-11-30 09:30'],
  ['terça 14h', '2026-12-01 14:00'],
  ['quinta feira às 10h15', '2026-12-03 10:15'],
  ['próxima segunda 8h', '2026-11-30 08:00'],
  ['segunda que vem às 10', '2026-11-30 10:00'],
  ['sáb 10h', '2026-11-28 10:00'],
  ['neste sábado às 9', '2026-11-28 09:00'],
  ['sexta às 9h', '2026-12-04 09:00'],
  ['dia 5 às 10', '2026-12-05 10:00'],
  ['no dia 30 ao meio-dia', '2026-11-30 12:00'],
  ['dia 27 às 9h', '2026-12-27 09:00'],
  ['dia 31 às 8h', '2026-12-31 08:00'],
  ['5 de dezembro às 16h', '2026-12-05 16:00'],
  ['sábado, 5 de dezembro, 14:00', '2026-12-05 14:00'],
  ['15/12 14:30', '2026-12-15 14:30'],
  ['15/12/2026 às 14h30', '2026-12-15 14:30'],
  ['3/1 8h', '2027-01-03 08:00'],
  ['01/02/27 07:45', '2027-02-01 07:45'],
  ['em 2 horas', '2026-11-27 12:21'],
  ['em meia hora', '2026-11-27 10:51'],
  ['daqui a uma hora e meia', '2026-11-27 11:51'],
  ['em 45 minutos', '2026-11-27 11:06'],
  ['em dois dias às 11h', '2026-11-29 11:00'],
  ['daqui a 2 semanas às 9h', '2026-12-11 09:00'],
  ['14h', '2026-11-27 14:00'],
  ['9h', '2026-11-28 09:00'],
  ['3h', '2026-11-28 03:00'],
  ['às dez', '2026-11-28 10:00'],
  ['amanhã às 4 da madrugada', '2026-11-28 04:00'],
  // English
  ['today at 6pm', '2026-11-27 18:00'],
  ['tomorrow 9am', '2026-11-28 09:00'],
  ['tomorrow morning', '2026-11-28 09:00'],
  ['tomorrow afternoon at 3', '2026-11-28 15:00'],
  ['tonight', '2026-11-27 19:00'],
  ['next monday 9am', '2026-11-30 09:00'],
  ['this Saturday at noon', '2026-11-28 12:00'],
  ['Wednesday 2:15 p.m.', '2026-12-02 14:15'],
  ['on tuesday at 10', '2026-12-01 10:00'],
  ['on the 5th at 10am', '2026-12-05 10:00'],
  ['December 15th at 2:30 pm', '2026-12-15 14:30'],
  ['15 december 14:30', '2026-12-15 14:30'],
  ['in 2 hours', '2026-11-27 12:21'],
  ['in an hour', '2026-11-27 11:21'],
  ['in half an hour', '2026-11-27 10:51'],
  ['in 3 days at 9am', '2026-11-30 09:00'],
  ['day after tomorrow at 12pm', '2026-11-29 12:00'],
  ['2026-12-15 14:30', '2026-12-15 14:30'],
  // Spanish
  ['hoy a las 18', '2026-11-27 18:00'],
  ['mañana a las 10', '2026-11-28 10:00'],
  ['mañana por la mañana', '2026-11-28 09:00'],
  ['mañana a las 4 de la tarde', '2026-11-28 16:00'],
  ['esta noche', '2026-11-27 19:00'],
  ['pasado mañana a las 15:00', '2026-11-29 15:00'],
  ['el lunes a las 9', '2026-11-30 09:00'],
  ['el próximo martes a las 9 y media', '2026-12-01 09:30'],
  ['jueves 14h', '2026-12-03 14:00'],
  ['lunes que viene a las 8', '2026-11-30 08:00'],
  ['el 5 a las 10', '2026-12-05 10:00'],
  ['el 15 de diciembre a las 14:30', '2026-12-15 14:30'],
  ['en dos horas', '2026-11-27 12:21'],
  ['dentro de media hora', '2026-11-27 10:51'],
  ['en tres días a las 11', '2026-11-30 11:00'],
  ['al mediodía', '2026-11-27 12:00'],
]

describe('a time in words is understood in three languages', () => {
  test.each(CLEAR)('%s', (phrase, time) => {
    expect(read(phrase)).toBe(time)
  })
})

const UNCLEAR = [
  ...[
    '',
    'oi',
    '9',
    '14',
    'sexta',
    'amanhã',
    'mañana',
    'tomorrow',
    'dia 5',
    '15/12',
    'logo',
    'semana que vem',
    'next week',
  ],
  ...['às 3', 'amanhã às 6', 'tomorrow at 3', 'mañana a las 4', '3:30', 'amanhã 9', 'sexta 14', '2 horas', '9 hours'],
  ...[
    'amanhã à meia-noite',
    '12 da noite',
    '14h da manhã',
    '9h da noite às 10',
    '13pm',
    '0am',
    '25h',
    '10:75',
    '10h99',
  ],
  ...[
    '31/02 10h',
    '15/13 10h',
    '32/1 9h',
    'dia 32 às 9h',
    '29/02 10h',
    'sábado, 4 de dezembro, 14:00',
    'hoje 9h',
    '26/11/2026 9h',
  ],
  ...[
    'hoje amanhã 9h',
    'segunda terça 9h',
    'amanhã segunda 9h',
    'em 2 horas amanhã',
    'em 0 horas',
    'o pedido 14h',
    'até as 10',
    'não às 14h',
  ],
  ...[
    'que vem 9h',
    'em 2 dias',
    'in 2 days',
    'sexta 14h',
    'friday 2pm',
    'este lunes a las 9',
    'a las',
    'pm',
    '5/12/2026/3 9h',
    'antes das 14h',
  ],
]

describe('what is not clear is no time', () => {
  test.each(UNCLEAR)('%s', phrase => {
    expect(read(phrase)).toBeNull()
  })

  test('said on a Monday, next Friday may be either of two', () => {
    const monday = '2026-11-23T12:00:00Z'
    expect([read('sexta que vem 9h', monday), read('next friday 9am', monday)]).toEqual([null, null])
    expect([read('esta sexta 9h', monday), read('sexta 9h', monday)]).toEqual(['2026-11-27 09:00', '2026-11-27 09:00'])
    expect(read('segunda que vem 9h', monday)).toBe('2026-11-30 09:00')
    expect(read('próximo domingo 9h', monday)).toBeNull()
  })
})

describe('clocks and calendars', () => {
  test('a time is the one on the wall also behind a change of the clocks, and hours from now are whole hours', () => {
    const saturday = '2026-03-07T20:00:00Z'
    expect(parseTimeWords('tomorrow 9am', new Date(saturday), NY)?.toISOString()).toBe('2026-03-08T13:00:00.000Z')
    expect(parseTimeWords('in 12 hours', new Date(saturday), NY)?.toISOString()).toBe('2026-03-08T08:00:00.000Z')
    expect(parseTimeWords('tomorrow 9am', new Date('2026-10-31T20:00:00Z'), NY)?.toISOString()).toBe(
      '2026-11-01T14:00:00.000Z',
    )
  })

  test('an hour that the clocks leave out is the one they show instead; one they show twice is the first', () => {
    expect(read('tomorrow 2:30am', '2026-03-07T20:00:00Z', NY)).toBe('2026-03-08 03:30')
    expect(parseTimeWords('tomorrow 1:30am', new Date('2026-10-31T20:00:00Z'), NY)?.toISOString()).toBe(
      '2026-11-01T05:30:00.000Z',
    )
  })

  test('a month and a year end', () => {
    const last = '2026-12-31T15:00:00Z'
    expect(read('amanhã 9h', last)).toBe('2027-01-01 09:00')
    expect(read('dia 5 às 10', last)).toBe('2027-01-05 10:00')
    expect(read('31/12 9h', last)).toBe('2027-12-31 09:00')
    expect(read('31/12 18h', last)).toBe('2026-12-31 18:00')
    expect(read('dia 31 às 9h', '2026-04-10T12:00:00Z')).toBe('2026-05-31 09:00')
    expect(read('29/02 10h', '2027-12-01T12:00:00Z')).toBe('2028-02-29 10:00')
    expect(read('dia 30 às 9h', '2027-01-31T12:00:00Z')).toBe('2027-03-30 09:00')
  })

  test('the company’s day counts, not that of the server', () => {
    // In São Paulo it is still Friday evening.
    expect(read('amanhã 9h', '2026-11-28T01:00:00Z')).toBe('2026-11-28 09:00')
    expect(read('amanhã 9h', '2026-11-28T01:00:00Z', 'UTC')).toBe('2026-11-29 09:00')
  })
})
