// When somebody may work (spec 1 §6), in the company's time zone.
import { describe, expect, test } from 'bun:test'
import { mayWork, type WorkingTime } from '../src/sessions/working-time.ts'

const SAO_PAULO = 'America/Sao_Paulo'
const bruna: WorkingTime = {
  profile: 'user',
  startTime: '08:00',
  endTime: '18:00',
  weekdays: true,
  saturday: false,
  sunday: false,
}

/** 2026-11-20 is a Friday; São Paulo is three hours behind UTC. */
function at(time: string): Date {
  return new Date(`2026-11-${time}:00Z`)
}

describe('somebody with hours from 08:00 to 18:00 on weekdays', () => {
  test('works from the first to the last minute there, not here', () => {
    expect(['20T10:59', '20T11:00', '20T21:00', '20T21:01'].map(time => mayWork(bruna, SAO_PAULO, at(time)))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('does not work on Saturday', () => {
    expect(mayWork(bruna, SAO_PAULO, at('21T14:00'))).toBe(false)
  })

  test('is not held back as an administrator', () => {
    expect(mayWork({ ...bruna, profile: 'admin' }, SAO_PAULO, at('21T14:00'))).toBe(true)
  })
})

test('a night shift belongs to the day it began', () => {
  const night = { ...bruna, startTime: '22:00', endTime: '06:00' }
  // Saturday 02:00 there belongs to Friday's shift; Sunday 02:00 to Saturday's, which is not worked.
  expect(mayWork(night, SAO_PAULO, at('21T05:00'))).toBe(true)
  expect(mayWork(night, SAO_PAULO, at('22T05:00'))).toBe(false)
})
