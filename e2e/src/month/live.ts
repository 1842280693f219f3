// Lives the month: everybody's next step in the order of the clock, through the product's own calls.
import { getSql } from '@balcao/backend/platform/database/raw'
import { createSeededRandom } from '../../../backend/test/seeded-random.ts'
import type { PastClock } from './clock.ts'
import { type Customer, fillBlanks, listCustomers, MONTH, pickDialog } from './story.ts'
import { drawArrival, drawArrivals } from './team.ts'
import { getId, liveTicket, type PastCompany } from './ticket.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SEED = 20_260_302
/** A Monday, midnight in São Paulo. */
export const FIRST_DAY = Date.parse('2026-03-02T03:00:00Z')
/** The desk does by itself what is due, every hour of the day. */
const JOB_HOURS = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21] as const
const PACE = 8000

interface Step {
  readonly at: number
  readonly take: () => Promise<number | null>
}

/** Lives so many days; `ended` is told of each day when it is over. */
export async function liveMonth(
  company: PastCompany & { readonly tags: ReadonlyMap<string, number> },
  clock: PastClock,
  days: number,
  ended: (day: number) => Promise<void>,
): Promise<void> {
  const chance = createSeededRandom(SEED)
  const customers = listCustomers(chance)
  const known = new Set(customers.slice(0, customers.length - MONTH.customers.length))
  const busy = new Set<Customer>()
  const agenda: Step[] = []
  plan(FIRST_DAY + 8.1 * HOUR, addSilentContacts)
  for (let day = 0; day < days; day++) {
    planDay(day)
    await liveUntil(FIRST_DAY + (day + 1) * DAY)
    await ended(day)
  }

  function planDay(day: number): void {
    const midnight = FIRST_DAY + day * DAY
    for (const hour of JOB_HOURS) plan(midnight + hour * HOUR, doJobs)
    for (let left = drawArrivals(chance, day); left > 0; left--) {
      const at = drawArrival(chance, midnight, day)
      plan(at, () => arrive(day, at, at < midnight + 11 * HOUR))
    }
    for (const send of MONTH.sends) if (send.day === day) plan(midnight + 9.4 * HOUR, () => beginSend(send))
    for (const one of MONTH.schedules) if (one.day === day) plan(midnight + 8.2 * HOUR, () => beginSchedule(one))
  }

  function plan(at: number, take: () => Promise<unknown>): void {
    agenda.push({ at, take: () => take().then(() => null) })
  }

  async function liveUntil(end: number): Promise<void> {
    for (;;) {
      const next = agenda.reduce<Step | null>((first, step) => (first && first.at <= step.at ? first : step), null)
      if (!next || next.at >= end) break
      agenda.splice(agenda.indexOf(next), 1)
      await clock.moveTo(next.at)
      await company.desk.deliver()
      const again = await next.take()
      if (again !== null) agenda.push({ ...next, at: again })
    }
    await clock.moveTo(end - 1000)
    await doJobs()
  }

  /** Who is on the desk today besides writes in the morning alone, and is done with before the evening. */
  async function arrive(day: number, at: number, isEarly: boolean): Promise<void> {
    const free = customers.filter(one => !busy.has(one) && (isEarly || !known.has(one)))
    const customer = chance.pickWeighted(free.map(one => [one, one.weight] as const))
    busy.add(customer)
    const encounter = { customer, dialog: pickDialog(chance), day, at, isBrief: known.has(customer) }
    const steps = liveTicket(company, chance, encounter)
    const take = async () => {
      const { value, done } = await steps.next()
      if (done) await tagContact(company, customer)
      if (done) busy.delete(customer)
      return done ? null : value
    }
    agenda.push({ at, take })
  }

  async function doJobs(): Promise<void> {
    await company.desk.runJobs()
    for (const whatsappId of company.connections.values()) await dispatchAll(company, clock, whatsappId)
    await company.desk.acknowledge(chance)
  }

  /** They are in the phone book and never write. */
  async function addSilentContacts(): Promise<void> {
    for (const { name, number } of MONTH.silent)
      await company.desk.call(getId(company.users, 'marina'), 'POST /contacts', { name, number })
  }

  async function beginSend({ tag, text, everybody = false }: (typeof MONTH.sends)[number]): Promise<void> {
    const whatsappId = getDefaultLine(company)
    const to = tag === undefined ? { allContacts: true } : { tagsIds: String(getId(company.tags, tag)) }
    const mensagem = fillBlanks(chance)(text)
    await company.desk.call(getId(company.users, 'marina'), 'POST /envioMassa', {
      ...to,
      mensagem,
      whatsappId,
      onlyWhoWrote: !everybody,
    })
    await doJobs()
  }

  async function beginSchedule({
    title,
    tag,
    recurrence,
    value,
    time,
    text,
  }: (typeof MONTH.schedules)[number]): Promise<void> {
    const form = new FormData()
    const fields = {
      title,
      recurrence,
      RValue: value,
      sendAt: time,
      message: text,
      ...(tag === undefined ? { allContacts: 'true' } : { tagsIds: String(getId(company.tags, tag)) }),
      whatsappId: String(getDefaultLine(company)),
    }
    for (const [name, field] of Object.entries(fields)) form.set(name, field)
    await company.desk.call(getId(company.users, 'marina'), 'POST /agendamento', form)
  }
}

/** Tags that its conversations of today have, too. */
async function tagContact(
  { desk, tags }: PastCompany & { readonly tags: ReadonlyMap<string, number> },
  customer: Customer,
): Promise<void> {
  for (const tag of customer.tags)
    await getSql(desk.db)`
      insert into contact_tag (contact_id, tag_id) select id, ${getId(tags, tag)} from contact where number = ${customer.number}
      on conflict do nothing`
}

/** What sends have to say goes out at its pace. */
async function dispatchAll({ desk }: PastCompany, clock: PastClock, whatsappId: number): Promise<void> {
  for (let now = Date.now(); await desk.dispatchPaced(whatsappId); now += PACE * 1.3) {
    await desk.deliver({ isAtOnce: true })
    await clock.moveTo(now + PACE * 1.3)
  }
}

function getDefaultLine({ connections }: PastCompany): number {
  const [id = 0] = connections.values()
  return id
}
