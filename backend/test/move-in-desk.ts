// A desk that another one moves into: an administrator, a connection that answers for what comes, and moves that are waited for.
import type { MoveIn } from '@balcao/contract'
import { refreshCalendar } from '../src/insight/figures/calendar.ts'
import { loadMoveInState } from '../src/operations/move-in/state.ts'
import { startDeskServer } from './desk-server.ts'
import { makeConnection, makePerson } from './desk-world.ts'
import { waitUntil } from './until.ts'

const UNDER_WAY = new Set<MoveIn['state']>(['reading', 'writing', 'fetching', 'undoing'])

/** Starts one. `asker` is Marina's session, `here` what a command of a move is given. */
export async function startMoveInDesk(env: Record<string, string> = {}) {
  const server = await startDeskServer(env)
  const { db, config } = server
  const marinaId = await makePerson(db, { name: 'Marina', profile: 'admin' })
  await makeConnection(db, 'Loja Centro')
  await db.$client`update whatsapp set is_default = true`
  await refreshCalendar(db, new Date())
  const here = { db, config }

  /** The move once it stands still. */
  async function settle(id: number): Promise<MoveIn> {
    const isAtRest = async () => !UNDER_WAY.has((await loadMoveInState(here, id)).state)
    await waitUntil('the move stands still', isAtRest)
    return loadMoveInState(here, id)
  }

  const asker = { viewer: { id: marinaId, profile: 'admin' as const, queueIds: [] } }
  return { ...server, sql: db.$client, here, asker, marinaId, settle }
}
