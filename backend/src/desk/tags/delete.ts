// Deleting a tag (spec 3 §2). From many contacts it goes in short transactions; a process that is killed leaves the rest to a job.
import { LOG_SOURCES, Profile } from '@balcao/contract'
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import type { Tx } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import { createValidator } from '../../platform/http/validate.ts'
import { enqueueJob } from '../../platform/worker/enqueue.ts'
import type { JobKind } from '../../platform/worker/kind.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { getLogSource, runWithLogSource } from '../../policy/log/source.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { publishContactEvents } from '../contacts/present.ts'
import { store } from './store.ts'
import { tags } from './table.ts'
import { removeFromMost, removeFromRest } from './tagged-contacts.ts'

/** Throws `ERR_NO_TAG_FOUND`. */
export async function deleteTag(parts: Parts, session: Pick<Session, 'viewer'>, id: number): Promise<void> {
  await removeFromMost(parts, id, tx => putOffRest(tx, session, id))
  return store.remove(parts, session, async tx => {
    const changed = await removeFromRest(tx, id)
    const [row] = await tx.delete(tags).where(eq(tags.id, id)).returning()
    await publishContactEvents(tx, changed)
    return row
  })
}

/** A deletion that has not gone on for so long is left by the process that began it. */
const SILENCE_S = 60

/** With each piece anew: a tag on a part of its contacts looks as if people had taken it from the others. */
async function putOffRest(tx: Tx, { viewer }: Pick<Session, 'viewer'>, id: number): Promise<void> {
  await tx.update(tags).set({ isBeingDeleted: true }).where(eq(tags.id, id))
  const payload = { tagId: id, viewer, source: getLogSource() }
  await enqueueJob(tx, 'remove-tag', { payload, key: `remove-tag:${id}`, attempts: 25, inSeconds: SILENCE_S })
}

/** Goes on with a tag whose deletion was begun, as whoever began it. */
export function removeTagJob(parts: Parts): JobKind {
  async function work(payload: unknown): Promise<void> {
    const { tagId, viewer, source } = toRemoval(payload)
    await runWithLogSource(source, () => deleteTag(parts, { viewer }, tagId)).catch(error => {
      const isDone = error instanceof AppError && error.code === 'ERR_NO_TAG_FOUND'
      if (!isDone) throw error
    })
  }
  return { kind: 'remove-tag', crew: 'long', work }
}

const toRemoval = createValidator(
  Type.Object({
    tagId: Type.Integer(),
    viewer: Type.Object({ id: Type.Integer(), profile: Profile, queueIds: Type.Array(Type.Integer()) }),
    source: Type.Enum(LOG_SOURCES),
  }),
)
