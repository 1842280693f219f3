// Sends to many (decisions §15): what a form must say, how many messages a connection takes in a day, when a send ends, and how risky it is.
import type { Calendar } from '../calendar/calendar.ts'
import { toInstant, toUtcWallClock, toWallClock } from '../calendar/zoned-time.ts'
import type { Kind } from '../connections/kind-names.ts'
import type { FaultCode } from '../kit/app-error.ts'
import type { SendRisk } from './mass-send.ts'
import { type LengthExcess, type OutgoingContent, validateOutgoing } from './outgoing-rules.ts'

/** What is filled in; `mensagem` is its text. */
export interface MassSendForm extends Omit<OutgoingContent, 'text'> {
  readonly mensagem: string
  readonly allContacts: boolean
  readonly contactsIds: readonly number[]
  readonly tagsIds: readonly number[]
}

export type SendProblem = FaultCode<'send'>

export interface SendFault {
  readonly path: 'mensagem' | 'contactsIds' | 'tagsIds' | 'template'
  readonly code: SendProblem
  readonly params?: LengthExcess
}

/** What is wrong with a form, at most one thing a field. `kind` of the connection it goes by; undefined where none is there. */
export function validateMassSend(form: MassSendForm, kind: Kind | undefined): SendFault[] {
  const faults: SendFault[] = []
  const { text, template } = validateOutgoing({ ...form, text: form.mensagem }, kind)
  if (form.mensagem.trim() === '') faults.push({ path: 'mensagem', code: 'messageRequired' })
  else if (text) faults.push({ path: 'mensagem', ...text })
  if (template) faults.push({ path: 'template', code: template })
  if (!form.allContacts && form.contactsIds.length === 0 && form.tagsIds.length === 0)
    faults.push({ path: 'contactsIds', code: 'audienceRequired' })
  return faults
}

/** For so many days a number is new, and what it takes on the first and second of them; twice as many every two days. */
const WARM_UP = { days: 14, first: 50, doubles: 2 } as const

/** How much a connection may send in a day. */
export interface DailyQuota {
  /** Null: as much as there is. */
  readonly perDay: number | null
  /** When its number was connected; null where a number need not be warmed up. */
  readonly numberSince: Date | null
  readonly timezone: string
}

/** What the company's day of an instant takes; null: as much as there is. `warmUp`: because the number is new. */
export function getDailyQuota(
  { perDay, numberSince, timezone }: DailyQuota,
  at: Date,
): { most: number | null; warmUp: boolean } {
  if (numberSince === null) return { most: perDay, warmUp: false }
  const day = toDayNumber(at, timezone) - toDayNumber(numberSince, timezone)
  if (day >= WARM_UP.days) return { most: perDay, warmUp: false }
  const warm = WARM_UP.first * 2 ** Math.floor(Math.max(0, day) / WARM_UP.doubles)
  return perDay !== null && perDay <= warm ? { most: perDay, warmUp: false } : { most: warm, warmUp: true }
}

/** The first instant of the company's day that an instant lies in, and of the next one. */
export function getDaySpan(at: Date, timezone: string): { readonly from: Date; readonly to: Date } {
  const day = toDayNumber(at, timezone)
  const begin = (n: number) => toInstant(toUtcWallClock(n * DAY_MS), timezone)
  return { from: begin(day), to: begin(day + 1) }
}

export interface SendWorkload {
  /** Messages that go out before it is over, its own and what takes turns with them. */
  readonly messages: number
  readonly paceMs: number
  readonly allowance: DailyQuota
  /** Of all sends of the connection, since the day began. */
  readonly sentToday: number
  /** Null: at any hour. */
  readonly hours: Calendar | null
}

/** When the last message of a send goes out if the first goes now, or as soon as it may; null: not within a year and a half. */
export function estimateSendEnd(
  { messages, paceMs, allowance, sentToday, hours }: SendWorkload,
  now: Date,
): Date | null {
  let [at, left, sent] = [now, messages, sentToday]
  if (left <= 0) return now
  for (let days = 0; days < HORIZON_DAYS; days++) {
    const { to } = getDaySpan(at, allowance.timezone)
    const { most } = getDailyQuota(allowance, at)
    const open = hours ? hours.nextOpening(at) : at
    if (open === null) return null
    if (open < to) {
      const seconds = hours ? hours.workingSeconds(open, to) : (to.getTime() - open.getTime()) / 1000
      const fits = Math.max(0, Math.min(Math.ceil((seconds * 1000) / paceMs), most === null ? left : most - sent))
      if (fits >= left) return addWorkedSeconds(open, ((left - 1) * paceMs) / 1000, hours, to)
      left -= fits
    }
    at = to
    sent = 0
  }
  return null
}

/** So many seconds later, of those that are worked; before `to`. */
function addWorkedSeconds(from: Date, seconds: number, hours: Calendar | null, to: Date): Date {
  if (!hours) return new Date(from.getTime() + seconds * 1000)
  let [early, late] = [from.getTime(), to.getTime()]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (hours.workingSeconds(from, new Date(middle)) >= seconds) late = middle
    else early = middle
  }
  // As lunch begins nothing goes any more.
  return seconds === 0 ? from : (hours.nextOpening(new Date(late)) ?? to)
}

/** What a send's risk is judged by. */
export interface RiskFacts {
  readonly text: string
  readonly optOutWord: string
  readonly allContacts: boolean
  readonly count: number
  /** Of those, who never wrote. */
  readonly neverWrote: number
  /** Days since the number was connected; null where that does not matter. */
  readonly numberDays: number | null
  /** Of the company's clock, when it begins and when it ends, null where it keeps to working hours. */
  readonly hour: number | null
}

/** How likely a send costs the number, from 1 to 5, and why: each cause is something the form can do something about (decisions §15). */
export function assessSendRisk(facts: RiskFacts): SendRisk {
  const { text, count, neverWrote, numberDays, hour } = facts
  const percent = count === 0 ? 0 : Math.round((100 * neverWrote) / count)
  const causes: (SendRisk['causes'][number] & { readonly weight: number })[] = []
  const add = (weight: number, code: SendRisk['causes'][number]['code'], params: Record<string, number> = {}) => {
    if (weight > 0) causes.push({ weight, code, params })
  }
  add(facts.allContacts ? 2 : 0, 'all_contacts', { count })
  add(percent >= 50 ? 3 : percent >= 20 ? 2 : neverWrote > 0 ? 1 : 0, 'never_wrote', { count: neverWrote, percent })
  add(numberDays !== null && numberDays < WARM_UP.days ? 2 : 0, 'new_number', { days: numberDays ?? 0 })
  add(LINK.test(text) ? 1 : 0, 'links')
  add(count > 1 && !PLACEHOLDER.test(text) ? 1 : 0, 'same_text')
  add(hour !== null && (hour < 8 || hour >= 20) ? 1 : 0, 'odd_hour', { hour: hour ?? 0 })
  add(facts.optOutWord !== '' && !hasWord(text, facts.optOutWord) ? 1 : 0, 'no_way_out')
  add(count > 1000 ? 1 : 0, 'many', { count })
  const sum = causes.reduce((all, { weight }) => all + weight, 0)
  const level = count <= 1 ? 1 : sum >= 7 ? 5 : sum >= 5 ? 4 : sum >= 3 ? 3 : sum >= 2 ? 2 : 1
  const sorted = causes.toSorted((a, b) => b.weight - a.weight)
  return { level, causes: sorted.map(({ code, params }) => ({ code, params })) }
}

/** What differs from one to the other. */
const PLACEHOLDER = /\{\{\s*(name|number)\s*\}\}/
const LINK = /https?:\/\/|www\.|wa\.me\/|bit\.ly\//i

function hasWord(text: string, word: string): boolean {
  return text.toLocaleUpperCase('pt-BR').includes(word.trim().toLocaleUpperCase('pt-BR'))
}

/** The more than 10 % of the last 50 that stop a send, and how many failures it needs at least (decisions §6, decisions-2 §22). */
export const STOP_RULE = { last: 50, percent: 10, least: 5 } as const

/** Whether a send stops by itself: how its last messages went, at most 50 of them. */
export function shouldStopSend(last: readonly ('ok' | 'failed')[]): boolean {
  const looked = last.slice(-STOP_RULE.last)
  const failed = looked.filter(one => one === 'failed').length
  return failed >= STOP_RULE.least && failed * 100 > looked.length * STOP_RULE.percent
}

const DAY_MS = 86_400_000
const HORIZON_DAYS = 550

/** Days of the company's calendar, counted from 1970. */
function toDayNumber(at: Date, timezone: string): number {
  const { year, month, day } = toWallClock(at, timezone)
  return Date.UTC(year, month - 1, day) / DAY_MS
}
