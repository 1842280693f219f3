// Messages written as a desk writes them: fifty come or go, those of before are sent, delivered and read, and people read what came. What
// that adds to table and indexes, and to the log of Postgres, is what a message costs that has lived.
import type postgres from 'postgres'
import type { Figure } from './benchmark.ts'

const BATCHES = 500
const BATCH = 50
const MESSAGES = BATCHES * BATCH
/** As autovacuum does, once a fifth of a table of a hundred thousand rows is dead. */
const TIDIED_UP_EVERY = 250

/** Ways to know what changed since: an index on the last change, or a row beside each change, as live events are. */
const TRACKS: Readonly<Record<string, string>> = {
  btree: trackBy('new.changed_at = clock_timestamp();', 'create index on message (changed_at, id);'),
  brin: trackBy('new.changed_at = clock_timestamp();', 'create index on message using brin (changed_at);'),
  log: trackBy(`insert into live_event (audience, payload) values ('{"to":"everyone"}', to_jsonb(new)::text);`),
}

function trackBy(act: string, index = ''): string {
  return `alter table message add column changed_at timestamptz; ${index}
    create function track() returns trigger language plpgsql as $$ begin ${act} return new; end $$;
    create trigger track before insert or update on message for each row execute function track();
    alter table message enable always trigger track;`
}

/** Writes 25,000 messages in two thousand tickets that are live, and says what that cost. */
export async function measureLivedMessages(sql: postgres.Sql, track: string): Promise<Figure[]> {
  const way = TRACKS[track]
  if (way) await sql.unsafe(way)
  // What follows a message elsewhere is no part of what it takes here.
  await sql.unsafe(
    `set session_replication_role = replica; alter table message set (autovacuum_enabled = false); ${PROCEDURE}`,
  )
  const read = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [row] = await sql<{ bytes: number; log: number; written: number; inPlace: number }[]>`
      select pg_total_relation_size('message')::float8 as bytes, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as log,
        n_tup_upd::int as written, n_tup_hot_upd::int as "inPlace" from pg_stat_user_tables where relname = 'message'`
    if (!row) throw new Error('Postgres does not say what was written')
    return row
  }
  await sql`checkpoint`
  const before = await read()
  for (let first = 1; first <= BATCHES; first += TIDIED_UP_EVERY) {
    await sql`call write_as_desk(${first}, ${first + TIDIED_UP_EVERY - 1})`
    await sql`vacuum message`
  }
  const after = await read()
  const share = (after.inPlace - before.inPlace) / (after.written - before.written)
  return [
    { label: 'a further message that lived', value: (after.bytes - before.bytes) / MESSAGES, unit: 'bytes' },
    { label: 'the log of Postgres, for each', value: (after.log - before.log) / MESSAGES, unit: 'bytes' },
    { label: 'further writes that touch no index', value: share * 100, unit: '%', aim: 50, atLeast: true },
  ]
}

/** One message in three is ours: sent after one further batch, delivered after three, read after eight; those of customers are read after twelve. */
const PROCEDURE = `
create procedure write_as_desk(first int, last int) language plpgsql as $$
declare
  b int;
  base bigint := (select max(id) from message) - (first - 1) * ${BATCH};
begin
  for b in first..last loop
    insert into message (ticket_id, contact_id, whatsapp_id, seq, at, provider_id, chat, from_me, author_id, body, state, read)
    select t.id, t.contact_id, t.whatsapp_id, 100000 + b * ${BATCH} + k, date_trunc('second', now()), '3EB0' || upper(substr(md5('lived' || b || '-' || k), 1, 18)),
      (5531900000000 + t.contact_id) || '@s.whatsapp.net', k % 3 = 2, t.contact_id, s.body, case when k % 3 = 2 then 'queued' else 'received' end, k % 3 = 2
    from generate_series(1, ${BATCH}) k join ticket t on t.id = 98001 + (b * 1009 + k / 3 * 31) % 2000 join message s on s.id = 1 + (b * 7919 + k * 104729) % 400000;
    commit;
    update message set state = 'sent', sent_at = now(), version = version + 1
    where from_me and id > base + (b - 2) * ${BATCH} and id <= base + (b - 1) * ${BATCH}; commit;
    update message set state = 'delivered', delivered_at = now(), version = version + 1
    where from_me and id > base + (b - 4) * ${BATCH} and id <= base + (b - 3) * ${BATCH}; commit;
    update message set state = 'read', read_at = now(), version = version + 1
    where from_me and id > base + (b - 9) * ${BATCH} and id <= base + (b - 8) * ${BATCH}; commit;
    update message set read = true, version = version + 1
    where not from_me and id > base + (b - 13) * ${BATCH} and id <= base + (b - 12) * ${BATCH}; commit;
  end loop;
end $$;`
