// A clock of the past for a database and for this process: `now()`, `clock_timestamp()` and `Date` are that far behind, so that what the
// product does by itself stands where it would stand had it been done then. For a process that does nothing else.
import type postgres from 'postgres'

export interface PastClock {
  /** Moves on to an instant; never back. */
  moveTo(instant: number): Promise<void>
}

const RealDate = Date
/** Milliseconds that everybody's clock is ahead of the real one; negative. */
let offset = 0

/** Sessions that are opened from now on find these functions before those of Postgres; columns are given their defaults anew. */
export async function installPastClock(sql: postgres.Sql, start: number): Promise<PastClock> {
  await sql.unsafe(FUNCTIONS)
  await setClock(start)
  globalThis.Date = createPastDate()
  return {
    async moveTo(instant) {
      if (instant > RealDate.now() + offset) await setClock(instant)
    },
  }

  async function setClock(instant: number): Promise<void> {
    offset = instant - RealDate.now()
    await sql`update past.clock set ahead = ${offset}::float8 * interval '1 millisecond'`
  }
}

function createPastDate(): DateConstructor {
  return new Proxy(RealDate, {
    construct: (target, args: readonly unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [RealDate.now() + offset] : args, newTarget),
    get: (target, key, receiver) =>
      key === 'now' ? () => RealDate.now() + offset : Reflect.get(target, key, receiver),
  })
}

const FUNCTIONS = `
create schema past;
create table past.clock (ahead interval not null);
insert into past.clock values (interval '0');
create function past.now() returns timestamptz language sql stable as $$ select pg_catalog.now() + ahead from past.clock $$;
create function past.clock_timestamp() returns timestamptz language sql volatile as $$ select pg_catalog.clock_timestamp() + ahead from past.clock $$;
do $$
declare
  one record;
begin
  execute format('alter database %I set search_path to past, pg_catalog, public', current_database());
  for one in
    select c.oid::regclass as "table", a.attname as "column", pg_get_expr(d.adbin, d.adrelid) as value
    from pg_attrdef d join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
    where c.relnamespace = 'public'::regnamespace and a.attgenerated = '' and pg_get_expr(d.adbin, d.adrelid) ~ '(now|clock_timestamp)\\(\\)'
  loop
    execute format('alter table %s alter column %I set default %s', one."table", one."column",
      regexp_replace(one.value, '(now|clock_timestamp)\\(\\)', 'past.\\1()'));
  end loop;
end $$`
