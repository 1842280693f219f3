// What begins by the clock goes on when the clock is put right. graphile-worker notes when a crontab line was last begun, and begins it only
// later than that: an hour in which some machine's clock was ahead would be one without pauses that end, sends and backups.
import type pg from 'pg'

const LOOK_MS = 60_000
/** So much the clock may be put back at once before the lines are begun anew: they wait for an instant that is ahead. */
const JUMP_MS = 90_000

/** By the database's clock, nothing was begun later than now. */
export async function pullCrontabsBack(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update graphile_worker._private_known_crontabs set last_execution = date_trunc('minute', now())
      where last_execution > now() + interval '1 minute'`,
  )
}

/** Looks every minute, not by the clock itself; `jumped` when this machine's was put back. Gives what ends it. */
export function watchClock(
  pool: pg.Pool,
  { jumped, failed }: { readonly jumped: () => void; readonly failed: (error: unknown) => void },
  lookMs = LOOK_MS,
): () => void {
  let [wall, steady] = [Date.now(), performance.now()]
  const timer = setInterval(() => {
    const [nowWall, nowSteady] = [Date.now(), performance.now()]
    const isBack = nowWall - wall < nowSteady - steady - JUMP_MS
    ;[wall, steady] = [nowWall, nowSteady]
    if (isBack) jumped()
    pullCrontabsBack(pool).catch(failed)
  }, lookMs)
  return () => clearInterval(timer)
}
