// One recipient's message: written for this contact, in the live ticket or where it disturbs nobody (decisions §15).
import {
  type ChosenTemplate,
  fillTextPlaceholders,
  getCapabilities,
  type Settings,
  type Viewer,
} from '@balcao/contract'
import type { FileToSend } from '../../desk/media/table.ts'
import { toContentColumns } from '../../desk/messages/content.ts'
import { checkFits } from '../../desk/messages/fits.ts'
import { renderTemplateText } from '../../desk/messages/templates.ts'
import { checkSendable, type MessageRoute, writeMessage } from '../../desk/messages/write.ts'
import { findOrCreateTicket } from '../../desk/tickets/find-or-create.ts'
import type { Outgoing } from '../../platform/channel/driver.ts'
import type { Tx } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'
import { AppError } from '../../platform/http/errors.ts'
import { findViewer } from '../../policy/users/viewer.ts'
import { findSpeakerRefusal } from './access.ts'

/** What is said, and what is filled in. */
interface RecipientMessage {
  readonly body: string
  readonly file: FileToSend | null
  readonly template: ChosenTemplate | null
  readonly user: string | null
  readonly name: string
  readonly number: string | null
}

interface Row extends RecipientMessage {
  readonly userId: number | null
  readonly optedOut: boolean
}

/** What was written, or why this contact is left out: a word of the contract or the code that refused the message. */
export type EnqueueResult = { readonly ticketId: number; readonly messageId: number } | { readonly reason: string }

/** Writes it to a contact that is held; one who may not get it, or wants nothing more since the send began, gets nothing. */
export async function enqueueRecipient(
  tx: Tx,
  whatsappId: number,
  { id, contactId }: { readonly id: number; readonly contactId: number },
  program: Viewer | null,
  settings: Settings,
): Promise<EnqueueResult> {
  const [row] = await getSql(tx)<Row[]>`
    select s.body, s.file, s.template, s.user_id as "userId", coalesce(u.name, d.program->>'name') as user, c.opted_out_at is not null as "optedOut", c.name, c.number
    from send s left join "user" u on u.id = s.user_id left join schedule d on d.id = s.schedule_id join contact c on c.id = ${contactId} where s.id = ${id}`
  if (!row) return { reason: 'merged' }
  if (row.optedOut) return { reason: 'opted_out' }
  const viewer = program ?? (row.userId === null ? null : await findViewer(tx, row.userId))
  const refusal = viewer && (await findSpeakerRefusal(tx, { viewer, settings }, contactId, whatsappId))
  if (refusal) return { reason: refusal }
  const lane = { contactId, whatsappId }
  try {
    const content = await buildRecipientContent(tx, lane, row, settings)
    const ticket = await findOrCreateTicket(tx, { ...lane, queueId: null, userId: null })
    const { id: messageId } = await writeMessage(tx, {
      ticket,
      userId: row.userId,
      authorName: row.userId === null ? (row.user ?? '') : '',
      automatic: true,
      paced: true,
      ...content,
    })
    return { ticketId: ticket.id, messageId }
  } catch (error) {
    if (error instanceof AppError) return { reason: error.code === 'ERR_WINDOW_CLOSED' ? 'window_closed' : error.code }
    throw error
  }
}

/** The words with this contact's filled in, or outside the window the template. Throws as `writeMessage` does. */
export async function buildRecipientContent(
  tx: Tx,
  lane: MessageRoute,
  message: RecipientMessage,
  { timezone }: Settings,
) {
  const { body, file, template, name, number, user } = message
  const words = { name, number: number ?? '', user: user ?? '', queue: '' }
  const fill = (text: string) => fillTextPlaceholders(text, words, timezone, new Date())
  try {
    const content = toContentColumns({ body: fill(body), file })
    checkFits(await checkSendable(tx, lane), content.payload)
    return content
  } catch (error) {
    if (!template || !(error instanceof AppError) || error.code !== 'ERR_WINDOW_CLOSED') throw error
    return templateContent(await checkSendable(tx, lane, true), template, fill)
  }
}

function templateContent(
  kind: Parameters<typeof getCapabilities>[0],
  template: ChosenTemplate,
  fill: (text: string) => string,
) {
  if (!getCapabilities(kind).templates) throw new AppError('ERR_WINDOW_CLOSED')
  const { id, name, language } = template
  const components = fillTemplateValues(template.components ?? [], fill)
  const payload: Outgoing = {
    type: 'template',
    name,
    lang: language,
    components: fillTemplateValues(template.parameters ?? [], fill),
  }
  checkFits(kind, payload)
  const body = renderTemplateText({ name, components })
  return { body, mediaType: 'template', templateData: { id: id ?? name, components }, payload } as const
}

/** Every `text` of a template with its placeholders filled in. */
function fillTemplateValues(values: readonly unknown[], fill: (text: string) => string): unknown[] {
  return values.map(value => filled(value, fill))
}

function filled(value: unknown, fill: (text: string) => string): unknown {
  if (Array.isArray(value)) return fillTemplateValues(value, fill)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === 'text' && typeof inner === 'string' ? fill(inner) : filled(inner, fill),
  ])
  return Object.fromEntries(entries)
}
