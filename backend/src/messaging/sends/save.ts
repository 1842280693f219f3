// Beginning a mass send, looking at it before, and changing what it still says (spec 3 §2 "Mass sends", decisions §15).
import {
  type ChosenTemplate,
  LIMITS,
  LIVE_SEND_STATES,
  type MassSend,
  type QueryParams,
  type RequestBody,
  type ResponseBody,
  SCHEDULE_MIMES,
  type SendPreview,
  validateMassSend,
} from '@balcao/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { claimUpload, type FileOwner } from '../../desk/media/claim.ts'
import type { ReceivedFile } from '../../desk/media/store.ts'
import type { FileToSend } from '../../desk/media/table.ts'
import { storeFiles } from '../../desk/media/to-send.ts'
import { claimTemplateFiles } from '../../desk/messages/templates.ts'
import { tags } from '../../desk/tags/table.ts'
import type { Db, Tx } from '../../platform/database/client.ts'
import { AppError, createValidationError } from '../../platform/http/errors.ts'
import { parsePageBounds, toPage } from '../../platform/http/paging.ts'
import { createOnce, toComparableContent } from '../../policy/kit/made-once.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { checkSends, checkSpeaking } from './access.ts'
import { publishSendUpdates } from './events.ts'
import { parseSendBody, type SendInput } from './form.ts'
import { getPace } from './list.ts'
import { loadSends } from './present.ts'
import { countReached, listExcluded, previewSend } from './preview.ts'
import { findSendConnection, type SendConnection } from './quota.ts'
import { enqueueRecipientSnapshot } from './snapshot-recipients.ts'
import { sends } from './table.ts'

const PAGE = 40

/** What it would come to. Throws `ERR_NO_PERMISSION`, `ERR_NO_WAPP_FOUND`, `ERR_VALIDATION` for ids that are none. */
export async function previewMassSend(
  { db, config }: Parts,
  session: Session,
  body: RequestBody<'POST /envioMassa/preview'>,
): Promise<SendPreview> {
  checkSends(session)
  const input = parseSendBody(body)
  const connection = await requireSendConnection(db, input.whatsappId)
  const { recipients, onlyWorkingHours } = input
  const request = {
    body: input.mensagem,
    recipients,
    exclusions: toExclusionRules(input, connection),
    onlyWorkingHours,
  }
  return previewSend(db, session.settings, connection, config.sendPaceMs, request)
}

/** Whom it would leave out, and why. The same refusals. */
export async function previewExcluded(
  { db }: Parts,
  session: Session,
  body: RequestBody<'POST /envioMassa/preview/excluded'>,
  query: QueryParams<'POST /envioMassa/preview/excluded'>,
): Promise<ResponseBody<'POST /envioMassa/preview/excluded'>> {
  checkSends(session)
  const input = parseSendBody(body)
  const exclusions = toExclusionRules(input, await requireSendConnection(db, input.whatsappId))
  const bounds = parsePageBounds(query, query.limit ?? PAGE, PAGE)
  const reason = query.reason ?? null
  const rows = await listExcluded(db, input.recipients, exclusions, bounds, reason)
  const { excluded } = await countReached(db, input.recipients, exclusions)
  const { ids, ...page } = toPage(
    rows.map(({ contact: { id } }) => ({ id })),
    bounds.limit,
  )
  const count = excluded.reduce((sum, one) => (reason === null || one.reason === reason ? sum + one.count : sum), 0)
  return { contacts: rows.slice(0, ids.length), count, ...page }
}

/**
 * Begins a send: whom it is for is settled in moments, then it runs. The same `clientId` again gives the same send. Throws
 * `ERR_NO_PERMISSION`, `ERR_VALIDATION` (also where nobody is left to send to, and where it is another one by now), `ERR_NO_WAPP_FOUND`, and as storing its file does.
 */
export async function addSend(parts: Parts, session: Session, input: SendInput): Promise<MassSend> {
  checkSends(session)
  // What has begun already was sent by a connection that may be gone by now.
  const connection = (await begunBefore(parts, session, input))
    ? null
    : await requireSendConnection(parts.db, input.whatsappId)
  if (connection) await check(parts.db, input, connection)
  const file = connection && input.file ? await storeFormFile(parts, session, input.file) : null
  const form = { clientId: input.clientId, content: toComparableContent(input) }
  const send = await createOnce(parts, session, 'send', form, make, again)
  await enqueueRecipientSnapshot(parts)
  return send

  async function make(tx: Tx) {
    if (!connection) return begun(tx)
    const { mensagem: body, recipients, onlyWorkingHours, onlyWhoWrote, clientId } = input
    const template = input.template && (await claimTemplate(tx, session, input.template, { owner: 'send' }))
    const [row] = await tx
      .insert(sends)
      .values({
        ...{ body, file, recipients, template, onlyWorkingHours, onlyWhoWrote, clientId },
        dueAt: sql`now()`,
        whatsappId: connection.id,
        userId: session.viewer.id,
      })
      .onConflictDoNothing()
      .returning({ id: sends.id })
    if (!row) return begun(tx)
    if (file) await claimUpload(tx, session.viewer.id, file.mediaId, { owner: 'send' })
    await writeLog(tx, { action: 'send.create', userId: session.viewer.id, entityId: row.id })
    await publishSendUpdates(tx, [row.id], 'create')
    return shown(parts, tx, session, row.id)
  }

  /** Longer ago than forms are compared. */
  async function begun(tx: Tx) {
    return (await begunBefore({ ...parts, db: tx }, session, input)) ?? gone()
  }

  /** Some may have it already: it is not made another one behind their backs. */
  async function again(id: number, isSame: boolean) {
    if (!isSame) throw createValidationError('send', [{ path: 'mensagem', code: 'begunBefore' }])
    return shown(parts, parts.db, session, id)
  }
}

/** Changes what those hear who still wait, and its hours. Throws also `ERR_NO_SEND_FOUND`, `ERR_INVALID_TRANSITION` when it is over. */
export async function editSend(
  parts: Parts,
  session: Session,
  id: number,
  { mensagem, onlyWorkingHours, version }: RequestBody<'PUT /envioMassa/:id'>,
): Promise<MassSend> {
  await checkSpeaking(parts.db, session, id)
  return change(parts, async tx => {
    const [before] = await tx.select().from(sends).where(eq(sends.id, id)).for('update')
    if (!before) throw new AppError('ERR_NO_SEND_FOUND')
    if (version !== undefined && version < before.version)
      throw new AppError('ERR_CHANGED_MEANWHILE', await shown(parts, tx, session, id))
    if (!LIVE_SEND_STATES.some(state => state === before.state))
      throw new AppError('ERR_INVALID_TRANSITION', { status: before.state })
    const connection = await findSendConnection(tx, before.whatsappId)
    const body = mensagem?.trim() ?? before.body
    const contents = { mensagem: body, hasFile: before.file !== null, hasTemplate: before.template !== null }
    const faults = validateMassSend({ ...before.recipients, ...contents }, connection?.api)
    if (faults.length > 0) throw createValidationError('send', faults)
    await tx
      .update(sends)
      .set({ body, onlyWorkingHours: onlyWorkingHours ?? before.onlyWorkingHours, notBefore: null })
      .where(eq(sends.id, id))
    await writeLog(tx, { action: 'send.update', userId: session.viewer.id, entityId: id })
    await publishSendUpdates(tx, [id])
    return shown(parts, tx, session, id)
  })
}

/** The connection a form means. Throws `ERR_NO_WAPP_FOUND`. */
export async function requireSendConnection(db: Db, whatsappId: number | null): Promise<SendConnection> {
  const connection = await findSendConnection(db, whatsappId)
  if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
  return connection
}

async function check(db: Db, input: SendInput, connection: SendConnection): Promise<void> {
  const { recipients } = input
  const faults = validateMassSend({ ...recipients, ...toContentFlags(input) }, connection.api)
  if (faults.length > 0) throw createValidationError('send', faults)
  const wanted = [...recipients.tagsIds]
  if ((await db.$count(tags, inArray(tags.id, wanted))) < wanted.length)
    throw createValidationError('send', [{ path: 'tagsIds', code: 'tagGone' }])
  const { count } = await countReached(db, recipients, toExclusionRules(input, connection))
  if (count === 0) throw createValidationError('send', [{ path: 'contactsIds', code: 'nobodyLeft' }])
}

function toExclusionRules({ onlyWhoWrote, template }: SendInput, { id: whatsappId }: SendConnection) {
  return { whatsappId, onlyWhoWrote, hasTemplate: template !== null, isConversation: false }
}

/** What the rules ask of its message. */
export function toContentFlags({ mensagem, file, template }: SendInput) {
  return { mensagem, hasFile: file !== null, hasTemplate: template !== null }
}

/** A template with its files, which are the send's from now on; those of the one that was `kept` stay. */
export async function claimTemplate(
  tx: Tx,
  session: Session,
  template: ChosenTemplate,
  of: FileOwner,
  stored: ChosenTemplate | null = null,
): Promise<ChosenTemplate> {
  return {
    ...template,
    parameters: await claimTemplateFiles(tx, session, of, template.parameters ?? [], stored?.parameters),
  }
}

/** The file of a form, stored as an upload of who sends. Throws as storing does. */
export async function storeFormFile(parts: Parts, { viewer }: Session, file: ReceivedFile): Promise<FileToSend | null> {
  const [stored = null] = await storeFiles(parts, viewer.id, [file], LIMITS.scheduleFile)
  if (stored && !SCHEDULE_MIMES.includes(stored.mime))
    throw new AppError('ERR_FILE_TYPE', { name: file.name, type: stored.mime })
  return stored
}

async function begunBefore(
  parts: Pick<Parts, 'config'> & { readonly db: Db | Tx },
  session: Session,
  { clientId }: SendInput,
): Promise<MassSend | undefined> {
  if (clientId === null) return undefined
  const same = and(eq(sends.userId, session.viewer.id), eq(sends.clientId, clientId))
  const [row] = await parts.db.select({ id: sends.id }).from(sends).where(same)
  return row && shown(parts, parts.db, session, row.id)
}

async function shown(parts: Pick<Parts, 'config'>, db: Db | Tx, session: Session, id: number): Promise<MassSend> {
  const [send] = await loadSends(db, [id], getPace(parts, session))
  return send ?? gone()
}

function gone(): never {
  throw new AppError('ERR_NO_SEND_FOUND')
}
