// What the rules of what follows a message cost the inbox: the same messages with all of them on and off, in turns, in one run.

import { ALWAYS_OPEN } from '@balcao/backend/app/seed/always-open'
import { closeDatabase, type Db, openDatabase } from '@balcao/backend/platform/database/client'
import { clearSettingsCache } from '@balcao/backend/policy/settings/read'
import { type Settings, toSettingTexts } from '@balcao/contract'
import { type Benchmark, type Figure, readNumberOption } from './benchmark.ts'
import { withDatabase } from './engine.ts'
import { analyzeDatabase, CONTACTS, makeConnections, measureIntake } from './inbox-rate.ts'

const OFF: Partial<Settings> = { ...ALWAYS_OPEN, sendGreetingMessage: false, optOutWord: '' }
/** Closed, too: then a live ticket is looked at as well. */
const ON: Partial<Settings> = {
  sendGreetingMessage: true,
  sendOnlyOnce: true,
  greetingWithQueue: true,
  timeCreateNewTicket: 60,
  optOutWord: 'SAIR',
  monday: false,
  tuesday: false,
  wednesday: false,
  thursday: false,
  friday: false,
}

export const inboxRules: Benchmark = {
  name: 'inbox-rules',
  about:
    'messages taken in with all rules of what follows them on and off: in live tickets, and as the first words of new ones',
  run(options) {
    return withDatabase('rules', async url => {
      const db = openDatabase(url)
      try {
        const quarter = Math.ceil(readNumberOption(options, 'messages', 30_000) / 4)
        const connections = await makeConnections(db)
        await db.$client`update whatsapp set greeting_message = 'Olá, {{name}}! Com quem quer falar?'`
        await db.$client`insert into whatsapp_queue (whatsapp_id, queue_id) select w.id, q.id from whatsapp w, queue q`
        await saveRules(db, OFF)
        await measureIntake(db, connections, CONTACTS, 'first')
        await analyzeDatabase(db)
        const live = await measureInTurns(db, (name, _) => measureIntake(db, connections, quarter, name))
        const begun = await measureInTurns(db, (name, n) =>
          measureIntake(db, connections, CONTACTS, name, (n + 1) * CONTACTS),
        )
        return [
          toFigure('in live tickets, rules on', live, 0.9),
          toFigure('of these: the round in which everybody is told once that it is closed', {
            ...live,
            on: live.first,
          }),
          toFigure('of these: the round after it, in which the rules have nothing to say', {
            ...live,
            on: live.second,
          }),
          toFigure('as first words, rules on: menu, closed hours', begun),
        ]
      } finally {
        await closeDatabase(db)
      }
    })
  },
}

interface Rates {
  readonly on: number
  readonly off: number
}

/** With the two rounds in which they were on by themselves. */
interface Rounds extends Rates {
  readonly first: number
  readonly second: number
}

/** Off, on, on, off: what grows meanwhile weighs on both. */
async function measureInTurns(db: Db, round: (name: string, n: number) => Promise<number>): Promise<Rounds> {
  const rates: Record<keyof Rates, number[]> = { on: [], off: [] }
  for (const [n, name] of (['off', 'on', 'on', 'off'] as const).entries()) {
    await saveRules(db, name === 'on' ? ON : OFF)
    rates[name].push(await round(`${name}${n}${crypto.randomUUID().slice(0, 4)}`, n))
  }
  const mean = (values: readonly number[]) => values.length / values.reduce((sum, value) => sum + 1 / value, 0)
  const [first = 0, second = 0] = rates.on
  return { on: mean(rates.on), off: mean(rates.off), first, second }
}

function toFigure(label: string, { on, off }: Rates, least?: number): Figure {
  const reference = { label: 'the same with all rules off', value: off }
  return { label, value: on, unit: '/s', reference, ...(least && { aim: least * off, atLeast: true }) }
}

async function saveRules(db: Db, chosen: Partial<Settings>): Promise<void> {
  const rows = toSettingTexts(chosen).map(([key, value]) => ({ key, value }))
  await db.$client`delete from setting`
  await db.$client`insert into setting ${db.$client(rows)}`
  clearSettingsCache(db)
}
