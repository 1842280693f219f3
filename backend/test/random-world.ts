// A year of a company, by chance: tickets with pauses, transfers, surveys, reopenings and the bot, groups, ratings and messages, written as
// the desk writes them, with every trigger, but at instants of the past. The same seed gives the same year.
import type { TicketStatus } from '@balcao/contract'
import type { Db } from '../src/platform/database/client.ts'
import { getSql } from '../src/platform/database/raw.ts'
import { toJsonbText } from '../src/platform/database/storable.ts'
import { makeConnection, makeContact, makePerson, makeQueue } from './desk-world.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface RandomDeskInput {
  readonly tickets: number
  /** Tickets are opened from here on, and nothing happens after the end. */
  readonly from: Date
  readonly until: Date
  readonly contacts?: number
  /** Done now and then while it goes on: days are folded, or the calendar changes. */
  readonly meanwhile?: (made: number) => Promise<void>
}

export interface RandomDesk {
  readonly queues: readonly number[]
  /** Signed in by their names: Marina is an administrator, Tiago a manager of the first two queues, the others are attendants. */
  readonly people: readonly number[]
  readonly contacts: readonly number[]
  readonly connections: readonly number[]
  /** What was done to each ticket, by its id: the periods it must have. */
  readonly diary: ReadonlyMap<number, readonly Period[]>
}

export interface Period {
  readonly status: TicketStatus
  readonly queue: number | null
  readonly user: number | null
  readonly begun: string
  readonly ended: string | null
}

export const PEOPLE = ['Marina', 'Tiago', 'Rafael', 'Bruna', 'Carlos', 'Helena'] as const
const HOUR = 3_600_000

/** Makes the company and lives its tickets. The calendar must be laid already for what happens to be counted as it happens. */
export async function makeRandomDesk(db: Db, random: SeededRandom, input: RandomDeskInput): Promise<RandomDesk> {
  const queues = [await makeQueue(db, 'Financeiro'), await makeQueue(db, 'Comercial'), await makeQueue(db, 'Suporte')]
  const connections = [await makeConnection(db, 'Loja Centro'), await makeConnection(db, 'Oficial', 'cloud_api')]
  const people: number[] = []
  for (const name of PEOPLE)
    people.push(
      await makePerson(db, {
        name,
        profile: name === 'Marina' ? 'admin' : name === 'Tiago' ? 'gerente' : 'user',
        queueIds: name === 'Tiago' ? queues.slice(0, 2) : queues,
      }),
    )
  const contacts: number[] = []
  for (let n = 0; n < (input.contacts ?? Math.ceil(input.tickets / 6)); n++)
    contacts.push(await makeContact(db, `Cliente ${n}`, n % 12 === 5))
  await makeClock(db)
  const diary = new Map<number, readonly Period[]>()
  const world = { queues, people, contacts, connections, diary }
  for (let made = 0; made < input.tickets; made++) {
    const life = aLife(random, world, input)
    const id = await live(db, life)
    if (id !== null) diary.set(id, life.periods)
    await input.meanwhile?.(made + 1)
  }
  return world
}

type Now = Pick<Period, 'status' | 'queue' | 'user'>
type Step = { readonly at: string } & (
  | (Now & { readonly kind: 'change' })
  | { readonly kind: 'rate'; readonly rate: number; readonly queue: number | null; readonly user: number | null }
  | { readonly kind: 'say'; readonly mine: boolean }
)

interface Life {
  readonly contact: number
  readonly connection: number
  readonly first: Now & { readonly at: string }
  readonly steps: readonly Step[]
  readonly periods: readonly Period[]
}

/** What may come after what; what stands there oftener comes oftener. `open` after `open` is a transfer. */
const NEXT: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = {
  pending: ['open', 'open', 'open', 'open', 'pending', 'closed', 'bot'],
  open: ['closed', 'closed', 'nps', 'nps', 'paused', 'open', 'pending'],
  paused: ['open', 'open', 'closed', 'pending'],
  bot: ['pending', 'pending', 'closed', 'open'],
  nps: ['closed', 'closed', 'pending', 'open'],
  closed: ['open', 'pending'],
}

/** One ticket from its opening on; most are closed in the end, some once more. */
function aLife(random: SeededRandom, world: Omit<RandomDesk, 'diary'>, { from, until }: RandomDeskInput): Life {
  const { chance, pick, upTo } = random
  const queue = () => (chance(0.15) ? null : pick(world.queues))
  const first = pick(['pending', 'pending', 'pending', 'bot', 'open'] as const)
  let now: Now = { status: first, queue: queue(), user: first === 'open' ? pick(world.people) : null }
  const begins = onTheDot(random, from.getTime() + upTo((until.getTime() - from.getTime()) / 1000) * 1000 + upTo(1000))
  let at = begins
  const steps: Step[] = []
  const periods: Period[] = [periodOf(now, at)]
  for (let left = 2 + upTo(9); left > 0; left--) {
    const isClosed = now.status === 'closed'
    if (isClosed && !chance(0.35)) break
    const then = Math.max(at, onTheDot(random, at + pauseOf(random, isClosed)))
    if (then > until.getTime()) break
    at = then
    const status = pick(NEXT[now.status])
    const next: Now = {
      status,
      queue: chance(0.75) ? now.queue : queue(),
      user:
        status === 'open'
          ? pick(world.people)
          : status === 'bot' || (status === 'pending' && chance(0.9))
            ? null
            : now.user,
    }
    if (chance(0.3)) steps.push({ kind: 'say', at: instant(at), mine: chance(0.5) })
    // A survey is answered before it is closed, by who was resolved by somebody.
    if (now.status === 'nps' && now.user !== null && chance(0.7))
      steps.push({ kind: 'rate', at: instant(at), rate: 1 + upTo(5), queue: now.queue, user: now.user })
    steps.push({ kind: 'change', at: instant(at), ...next })
    goOn(periods, next, at)
    now = next
  }
  // At the end hardly anybody is still there: of a contact there is one live ticket at the most, and the clock ends surveys and bots.
  at = Math.min(until.getTime(), at + pauseOf(random, false))
  if (now.status !== 'closed' && (now.status === 'nps' || now.status === 'bot' || chance(0.92))) {
    const closed: Now = { ...now, status: 'closed' }
    steps.push({ kind: 'change', at: instant(at), ...closed })
    goOn(periods, closed, at)
  }
  const contact = upTo(world.contacts.length)
  // Some contacts come again and again.
  return {
    contact: world.contacts[chance(0.3) ? Math.floor(contact / 10) : contact] ?? 0,
    connection: pick(world.connections),
    first: { ...(periods[0] ?? periodOf(now, begins)), at: instant(begins) },
    steps,
    periods,
  }
}

/** Seconds, hours or days; sometimes nothing at all. */
function pauseOf({ chance, upTo, pick }: SeededRandom, isLong: boolean): number {
  if (!isLong && chance(0.04)) return 0
  return 1 + upTo(isLong ? 240 * HOUR : pick([90_000, 20 * 60_000, 20 * 60_000, 3 * HOUR, 70 * HOUR]))
}

/** Sometimes on the hour or a millisecond before it: there days, shifts and lunches begin and end. */
function onTheDot({ chance, pick }: SeededRandom, at: number): number {
  if (!chance(0.08)) return at
  return Math.ceil(at / (HOUR / 2)) * (HOUR / 2) + pick([-1, 0, 0, 1])
}

function periodOf(now: Now, at: number): Period {
  const { status, queue, user } = now
  return { status, queue, user, begun: instant(at), ended: status === 'closed' ? instant(at) : null }
}

/** A closing is a period without length; nothing is one while the ticket stays closed. */
function goOn(periods: Period[], next: Now, at: number): void {
  const last = periods.at(-1)
  if (!last) return
  if (last.status === next.status && last.queue === next.queue && last.user === next.user) return
  if (last.ended === null) periods[periods.length - 1] = { ...last, ended: instant(at) }
  periods.push(periodOf(next, at))
}

function instant(at: number): string {
  return new Date(at).toISOString()
}

/** Makes it so. Null where the contact has a live ticket there already: then nothing was done. */
async function live(db: Db, { contact, connection, first, steps }: Life): Promise<number | null> {
  const life = toJsonbText({ contact, connection, first, steps })
  return db.$client.begin(async tx => {
    await tx`set local search_path to world, pg_catalog, public`
    // Each step is committed by itself, as the periods are told.
    await tx`set constraints all immediate`
    const [made] = await tx<{ id: number | null }[]>`select world.live(${life}::text::jsonb) as id`
    return made?.id ?? null
  })
}

/** A clock of the past for what is written through `world.live`: triggers find it before Postgres' own. */
async function makeClock(db: Db): Promise<void> {
  const [known] = await getSql(db)`select 1 from pg_namespace where nspname = 'world'`
  if (!known) await db.$client.unsafe(CLOCK)
}

const CLOCK = `
create schema world;
create function world.clock_timestamp() returns timestamptz language sql stable as $$ select current_setting('world.now')::timestamptz $$;
create function world.now() returns timestamptz language sql stable as $$ select current_setting('world.now')::timestamptz $$;
create function world.live(life jsonb) returns integer language plpgsql as $$
declare
  made integer;
  step jsonb;
  said integer := 0;
begin
  perform set_config('world.now', life->'first'->>'at', true);
  insert into ticket (status, contact_id, whatsapp_id, queue_id, user_id, is_group, accepted_at, created_at, updated_at, last_message_at)
  select life->'first'->>'status', c.id, (life->>'connection')::int, (life->'first'->>'queue')::int, (life->'first'->>'user')::int, c.is_group,
    case life->'first'->>'status' when 'open' then now() end, now(), now(), now()
  from contact c where c.id = (life->>'contact')::int returning id into made;
  for step in select value from jsonb_array_elements(life->'steps') loop
    perform set_config('world.now', step->>'at', true);
    if step->>'kind' = 'change' then
      update ticket set status = step->>'status', queue_id = (step->>'queue')::int, user_id = (step->>'user')::int,
        accepted_at = case when step->>'status' = 'open' then coalesce(accepted_at, now()) else accepted_at end,
        closed_at = case when step->>'status' <> 'closed' then null when status = 'closed' then closed_at else now() end,
        updated_at = now(), version = version + 1 where id = made;
    elsif step->>'kind' = 'rate' then
      insert into rating (ticket_id, contact_id, whatsapp_id, queue_id, user_id, rate, at)
      values (made, (life->>'contact')::int, (life->>'connection')::int, (step->>'queue')::int, (step->>'user')::int, (step->>'rate')::int, now());
    else
      said := said + 1;
      insert into message (ticket_id, contact_id, whatsapp_id, seq, at, from_me, user_id, body, state, read)
      values (made, (life->>'contact')::int, (life->>'connection')::int, said, date_trunc('second', now()), (step->>'mine')::boolean,
        case when (step->>'mine')::boolean then (select user_id from ticket where id = made) end, 'Mensagem ' || said,
        case when (step->>'mine')::boolean then 'sent' else 'received' end, true);
      update ticket set message_seq = said, last_message = 'Mensagem ' || said, last_message_at = now() where id = made;
    end if;
  end loop;
  return made;
exception when unique_violation then
  return null;
end $$`
