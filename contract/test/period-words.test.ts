import { describe, expect, test } from 'bun:test'
import { parsePeriodWords } from '../src/calendar/period-words.ts'

const SP = 'America/Sao_Paulo'
/** A Friday, 10:20 in São Paulo. */
const FRIDAY = '2026-11-27T13:20:30Z'

function read(text: string, now = FRIDAY, timezone = SP): string | null {
  const period = parsePeriodWords(text, new Date(now), timezone)
  return period && (period.from === period.to ? period.from : `${period.from} ${period.to}`)
}

const CLEAR: readonly (readonly [phrase: string, period: string])[] = [
  // Portuguese
  ['hoje', '2026-11-27'],
  ['Ontem', '2026-11-26'],
  ['de ontem', '2026-11-26'],
  ['anteontem', '2026-11-25'],
  ['antes de ontem', '2026-11-25'],
  ['semana passada', '2026-11-16 2026-11-22'],
  ['na semana passada', '2026-11-16 2026-11-22'],
  ['esta semana', '2026-11-23 2026-11-27'],
  ['mês passado', '2026-10-01 2026-10-31'],
  ['no mes passado', '2026-10-01 2026-10-31'],
  ['do mês passado', '2026-10-01 2026-10-31'],
  ['este mês', '2026-11-01 2026-11-27'],
  ['neste mês', '2026-11-01 2026-11-27'],
  ['ano passado', '2025-01-01 2025-12-31'],
  ['este ano', '2026-01-01 2026-11-27'],
  ['últimos 7 dias', '2026-11-21 2026-11-27'],
  ['nos últimos trinta dias', '2026-10-29 2026-11-27'],
  ['últimas 2 semanas', '2026-11-14 2026-11-27'],
  ['últimos 3 meses', '2026-08-27 2026-11-27'],
  ['há 3 dias', '2026-11-24'],
  ['3 dias atrás', '2026-11-24'],
  ['outubro', '2026-10-01 2026-10-31'],
  ['em outubro', '2026-10-01 2026-10-31'],
  ['novembro', '2026-11-01 2026-11-30'],
  ['dezembro', '2025-12-01 2025-12-31'],
  ['fevereiro de 2024', '2024-02-01 2024-02-29'],
  ['10/2025', '2025-10-01 2025-10-31'],
  ['segunda', '2026-11-23'],
  ['segunda-feira', '2026-11-23'],
  ['sexta passada', '2026-11-20'],
  ['12/10', '2026-10-12'],
  ['dia 12/10', '2026-10-12'],
  ['27/11', '2026-11-27'],
  ['28/11', '2025-11-28'],
  ['12/10/2024', '2024-10-12'],
  ['12/10/24', '2024-10-12'],
  ['12 de outubro', '2026-10-12'],
  ['dia 12 de outubro de 2025', '2025-10-12'],
  ['dia 12', '2026-11-12'],
  ['dia 30', '2026-10-30'],
  ['2025', '2025-01-01 2025-12-31'],
  ['2026-10-12', '2026-10-12'],
  ['de 1 a 15 de outubro', '2026-10-01 2026-10-15'],
  ['1/10 a 15/10', '2026-10-01 2026-10-15'],
  ['de 1/10 até 15/10', '2026-10-01 2026-10-15'],
  ['entre 1/10 e 15/10', '2026-10-01 2026-10-15'],
  ['de setembro a outubro', '2026-09-01 2026-10-31'],
  ['desde segunda', '2026-11-23 2026-11-27'],
  ['desde 1/10', '2026-10-01 2026-11-27'],
  ['29/2/2024', '2024-02-29'],
  // English
  ['today', '2026-11-27'],
  ['yesterday', '2026-11-26'],
  ['the day before yesterday', '2026-11-25'],
  ['last week', '2026-11-16 2026-11-22'],
  ['this week', '2026-11-23 2026-11-27'],
  ['last month', '2026-10-01 2026-10-31'],
  ['this month', '2026-11-01 2026-11-27'],
  ['last year', '2025-01-01 2025-12-31'],
  ['last 7 days', '2026-11-21 2026-11-27'],
  ['past two weeks', '2026-11-14 2026-11-27'],
  ['3 days ago', '2026-11-24'],
  ['in October', '2026-10-01 2026-10-31'],
  ['october 2025', '2025-10-01 2025-10-31'],
  ['last monday', '2026-11-23'],
  ['October 12', '2026-10-12'],
  ['12th of October', '2026-10-12'],
  ['from 1/10 to 15/10', '2026-10-01 2026-10-15'],
  ['between 1/10 and 15/10', '2026-10-01 2026-10-15'],
  ['since monday', '2026-11-23 2026-11-27'],
  // Spanish
  ['hoy', '2026-11-27'],
  ['ayer', '2026-11-26'],
  ['anteayer', '2026-11-25'],
  ['la semana pasada', '2026-11-16 2026-11-22'],
  ['mes pasado', '2026-10-01 2026-10-31'],
  ['el mes pasado', '2026-10-01 2026-10-31'],
  ['este mes', '2026-11-01 2026-11-27'],
  ['el año pasado', '2025-01-01 2025-12-31'],
  ['últimos 7 días', '2026-11-21 2026-11-27'],
  ['hace 3 días', '2026-11-24'],
  ['octubre', '2026-10-01 2026-10-31'],
  ['octubre de 2025', '2025-10-01 2025-10-31'],
  ['el lunes', '2026-11-23'],
  ['12 de octubre', '2026-10-12'],
  ['del 1/10 al 15/10', '2026-10-01 2026-10-15'],
  ['desde el lunes', '2026-11-23 2026-11-27'],
]

/** What is no period: something else, two things at once, not yet, or no day at all. */
const UNCLEAR = [
  '',
  'boleto',
  'passado',
  'semana',
  'mês',
  'amanhã',
  'sexta',
  '31/02',
  '29/2/2025',
  '40/10',
  '12/13',
  '28/11/2026',
  'dezembro de 2026',
  'últimos 0 dias',
  'ontem ou hoje',
  'outubro ou novembro',
  'de 15/10 a 1/10',
  'desde amanhã',
  '1500',
  'boleto ontem',
  'mar',
  'de out',
  'dom',
  'dia 31 de fevereiro',
]

describe('periods in words', () => {
  for (const [phrase, period] of CLEAR)
    test(`'${phrase}' is ${period}`, () => {
      expect(read(phrase)).toBe(period)
    })
  for (const phrase of UNCLEAR)
    test(`'${phrase}' is none`, () => {
      expect(read(phrase)).toBeNull()
    })

  test('the day is that of the time zone', () => {
    expect(read('ontem', '2026-11-28T02:30:00Z')).toBe('2026-11-26')
    expect(read('ontem', '2026-11-28T02:30:00Z', 'UTC')).toBe('2026-11-27')
  })

  test('over the turn of the year', () => {
    const january = '2027-01-01T15:00:00Z'
    expect(read('mês passado', january)).toBe('2026-12-01 2026-12-31')
    expect(read('semana passada', january)).toBe('2026-12-21 2026-12-27')
    expect(read('31/12', january)).toBe('2026-12-31')
    expect(read('últimos 2 meses', '2027-04-30T15:00:00Z')).toBe('2027-02-28 2027-04-30')
  })
})
