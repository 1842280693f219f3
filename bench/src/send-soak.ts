// A send to many that everything happens to: kills, pauses, another time zone, a night. Everybody gets it once, and never faster than the
// pace: counted on the customers' phones.
import { silenceSignal } from '@balcao/backend/channels/baileys/quiet'
import { type Benchmark, type Figure, numberOption } from './benchmark.ts'
import { type Desk, withDesk } from './desk.ts'
import { until } from './measure.ts'

/** Between two messages at least, in ms: the pace less its fifth. */
const LEAST = 0.8
/** The pace is counted over so long: a phone hears some messages a moment later than others. */
const WINDOW_MS = 5000

export const sendSoak: Benchmark = {
  name: 'send-soak',
  about:
    'a send over WhatsApp with Baileys with a fast clock, kills, pauses, a change of the time zone and a restart over midnight: lost 0, doubled 0',
  onlyByName: true,
  async run(options) {
    silenceSignal()
    return sendThrough(
      {
        recipients: numberOption(options, 'recipients', 2000),
        paceMs: numberOption(options, 'pace', 60),
        kills: numberOption(options, 'kills', 4),
      },
      line => console.log(`  ${line}`),
    )
  },
}

export interface SendSoakSizes {
  readonly recipients: number
  readonly paceMs: number
  /** Three at least: two while it runs, one in the evening. */
  readonly kills: number
}

/** Runs one and counts. `say` hears how it goes. */
export function sendThrough(sizes: SendSoakSizes, say: (line: string) => void = () => {}): Promise<Figure[]> {
  const env = { SEND_PACE_SECONDS: String(sizes.paceMs / 1000) }
  return withDesk({ cloud: 0, baileys: 1, whatsapp: { ackDelayMs: 20 }, env }, desk => soakSend(desk, sizes, say))
}

async function soakSend(
  desk: Desk,
  { recipients, paceMs, kills }: SendSoakSizes,
  tell: (line: string) => void,
): Promise<Figure[]> {
  const { sql } = desk
  const phones = listen(desk)
  const cap = Math.ceil(recipients * 0.6)
  const id = await begin(desk, recipients, cap)
  const count = () => phones.shown.size
  const arrived = (share: number) =>
    until(() => count() >= recipients * share, 600, `${share * 100} % are on the phones`)
  const started = performance.now()
  const say = (what: string) =>
    tell(`${Math.round((performance.now() - started) / 1000)} s: ${count()} on the phones, ${what}`)

  const kill = async (what: string) => {
    await desk.killAndRestart()
    say(what)
  }
  await arrived(0.1)
  await kill('killed')
  await arrived(0.2)
  const first = await pauseAWhile(desk, id, count)
  say('paused and resumed')
  await arrived(0.3)
  await desk.call('PUT', '/settings/timezone', { value: 'Asia/Tokyo' })
  say('another time zone')
  await arrived(0.4)
  await kill('killed')
  await arrived(0.5)
  const second = await pauseAWhile(desk, id, count)
  say('paused and resumed')
  await until(async () => (await stateOf(desk, id)) === 'waiting daily_cap', 600, 'the day is full')
  await Bun.sleep(2000)
  const onFirstDay = count()
  say('the day is full')
  // The night passes while the server is off: everything that happened is a day older.
  await kill('killed in the evening')
  await sql`update send_recipient set at = at - interval '1 day'`
  await sql`update send set not_before = now() where not_before is not null`
  say('past midnight')
  await arrived(0.8)
  for (let n = 3; n < kills; n++) await kill('killed')
  await until(async () => (await stateOf(desk, id)) === 'done ', 600, 'the send is done')
  await until(async () => (await unsettled(desk)) === 0, 120, 'every message is settled')
  await Bun.sleep(1000)
  const seconds = (performance.now() - started) / 1000
  phones.stop()
  const [row] = await sql<{ sent: number; total: number; messages: number }[]>`
    select sent, total, (select count(*)::int from message where from_me and body like 'ENVIO-%') as messages from send where id = ${id}`
  const doubled = [...phones.shown.values()].reduce((sum, times) => sum + times - 1, 0)
  return [
    { what: `recipients who got it, of ${recipients}`, value: count(), unit: '', aim: recipients, atLeast: true },
    { what: 'recipients who got it twice', value: doubled, unit: '', aim: 0 },
    { what: 'messages written besides one each', value: (row?.messages ?? 0) - (row?.total ?? 0), unit: '', aim: 0 },
    { what: 'counted as sent by the desk, besides one each', value: (row?.sent ?? 0) - recipients, unit: '', aim: 0 },
    { what: `arrived on the first day, over its limit of ${cap}`, value: onFirstDay - cap, unit: '', aim: 0 },
    { what: 'arrived more than a moment after somebody paused, twice', value: first + second, unit: '', aim: 0 },
    {
      what: `most on the phones within ${WINDOW_MS / 1000} s`,
      value: mostWithin(phones.times),
      unit: '',
      aim: Math.ceil(WINDOW_MS / (paceMs * LEAST)) + 1,
    },
    { what: 'seconds in all', value: seconds, unit: 's' },
  ]
}

function listen({ simulator, baileys }: Desk) {
  const shown = new Map<string, number>()
  const times: number[] = []
  const companies = new Set(baileys.map(({ company }) => company.user))
  const stop = simulator.whatsapp.on(event => {
    if (event.type !== 'message' || companies.has(event.phone)) return
    const mark = /ENVIO-\d+\./.exec(JSON.stringify(event.message.content))?.[0]
    if (!mark) return
    shown.set(mark, (shown.get(mark) ?? 0) + 1)
    times.push(performance.now())
  })
  return { shown, times, stop }
}

async function begin(desk: Desk, recipients: number, cap: number): Promise<number> {
  const { simulator, sql } = desk
  for (let n = 0; n < recipients; n++) {
    const number = `553196${String(n).padStart(7, '0')}`
    simulator.whatsapp.customer({ number, name: `Cliente ${n}`, addressing: n % 2 === 0 ? 'lid' : 'pn' })
    await sql`with c as (insert into contact (name, number) values (${`Cliente ${n}`}, ${number}) returning id)
      insert into contact_identity (kind, value, contact_id) select 'pn', ${number}, id from c`
  }
  await sql`insert into tag (name, color) values ('Todos', '#7a7a7a')`
  await sql`insert into contact_tag (contact_id, tag_id) select c.id, g.id from contact c, tag g`
  await sql`update whatsapp set number_since = now() - interval '30 days'`
  await desk.call('PUT', '/settings/dailyCap', { value: String(cap) })
  const [tag] = await sql<{ id: number }[]>`select id from tag`
  // The number tells whose it is: a message that went to somebody else would be seen as that one's second.
  const answer = await desk.call('POST', '/envioMassa', {
    mensagem: 'ENVIO-{{number}}. Oi, {{name}}',
    tagsIds: String(tag?.id),
    whatsappId: desk.baileys[0]?.whatsappId,
  })
  const send: { id: number } = await answer.json()
  if (answer.status !== 201) throw new Error(`The send was refused: ${answer.status} ${JSON.stringify(send)}`)
  await until(async () => (await stateOf(desk, send.id)) === 'running ', 90, 'the send runs')
  return send.id
}

/** How many came more than a moment after the pause. */
async function pauseAWhile(desk: Desk, id: number, count: () => number): Promise<number> {
  const { call } = desk
  const paused = await call('PUT', `/envioMassa/${id}/pause`)
  if (paused.status !== 200) throw new Error(`It was not paused: ${paused.status}`)
  // One may be on its way.
  await until(async () => (await unsettled(desk)) === 0, 60, 'what was on its way arrived')
  await Bun.sleep(500)
  const before = count()
  await Bun.sleep(2000)
  const after = count()
  await call('PUT', `/envioMassa/${id}/resume`)
  return after - before
}

async function stateOf({ sql }: Desk, id: number): Promise<string> {
  const [row] = await sql<
    { state: string }[]
  >`select state || ' ' || coalesce(state_reason, '') as state from send where id = ${id}`
  return row?.state ?? ''
}

async function unsettled({ sql }: Desk): Promise<number> {
  const [row] = await sql<
    { n: number }[]
  >`select count(*)::int as n from outbox where state in ('queued', 'sending', 'unknown')`
  return row?.n ?? -1
}

function mostWithin(times: readonly number[]): number {
  let [most, from] = [0, 0]
  for (const [at, time] of times.entries()) {
    while (time - (times[from] ?? time) > WINDOW_MS) from++
    most = Math.max(most, at - from + 1)
  }
  return most
}
