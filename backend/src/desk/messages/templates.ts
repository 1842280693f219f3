// Message templates of the official API: listed for a ticket's connection, sent also outside the 24 hours.
import {
  type ChosenTemplate,
  type ConnectionBrief,
  getCapabilities,
  LIMITS,
  type Message,
  type QueryParams,
  type ResponseBody,
} from '@balcao/contract'
import type { Template } from '../../platform/channel/driver.ts'
import type { Tx } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Parts } from '../../policy/kit/parts.ts'
import { writeLog } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { loadConnections } from '../connections/present.ts'
import { claimUpload, type FileOwner } from '../media/claim.ts'
import { getTicket } from '../tickets/get.ts'
import { toLogReferences } from '../tickets/lock.ts'
import { sendInTicket } from './write.ts'

/** Meta is asked again after this time: while somebody searches and turns pages the list stands still. */
const FRESH_MS = 30_000
const listed = new Map<number, { readonly at: number; readonly templates: Promise<readonly Template[]> }>()

type Query = QueryParams<'GET /meta/templates/:ticketId'>
type Page = ResponseBody<'GET /meta/templates/:ticketId'>

/** Approved templates for a ticket. Throws `ERR_NO_TICKET_FOUND`, `ERR_NO_PERMISSION`. */
export async function listTemplates(
  parts: Parts,
  session: Session,
  ticketId: number,
  query: Query = {},
): Promise<Page> {
  const { whatsapp } = await getTicket(parts.db, session, ticketId)
  return listOfferedTemplates(parts, whatsapp, query)
}

/** Approved templates of a connection. Throws `ERR_NO_WAPP_FOUND`. */
export async function listConnectionTemplates(parts: Parts, whatsappId: number, query: Query): Promise<Page> {
  const [connection] = await loadConnections(parts.db, [whatsappId])
  if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
  return listOfferedTemplates(parts, connection, query)
}

/** By name; none and the reason where the connection has none to offer. */
async function listOfferedTemplates(
  parts: Parts,
  whatsapp: Pick<ConnectionBrief, 'id' | 'api'>,
  { searchParam = '', pageNumber }: Query,
): Promise<Page> {
  const none = { templates: [], hasMore: false, count: 0 }
  if (!getCapabilities(whatsapp.api).templates) return { ...none, reason: 'not_supported' }
  try {
    const words = plain(searchParam).split(/\s+/).filter(Boolean)
    const found = (await loadTemplates(parts, whatsapp.id))
      .filter(template => words.every(word => plain(`${template.name} ${renderTemplateText(template)}`).includes(word)))
      .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    const size = LIMITS.rowsPage
    const page = pageNumber === undefined ? found : found.slice((pageNumber - 1) * size, pageNumber * size)
    const hasMore = pageNumber !== undefined && found.length > pageNumber * size
    return {
      templates: page.map(template => ({ ...template, components: [...template.components] })),
      hasMore,
      count: found.length,
      reason: null,
    }
  } catch (error) {
    parts.log.warn({ err: error, whatsappId: whatsapp.id }, 'templates could not be listed')
    return { ...none, reason: 'unavailable' }
  }
}

function loadTemplates(parts: Parts, whatsappId: number): Promise<readonly Template[]> {
  const known = listed.get(whatsappId)
  if (known && Date.now() - known.at < FRESH_MS) return known.templates
  const templates = parts.supervisor.templates(whatsappId)
  listed.set(whatsappId, { at: Date.now(), templates })
  // A failure is not kept: the next one who asks tries again.
  templates.catch(() => listed.delete(whatsappId))
  return templates
}

interface TemplateRequest {
  readonly ticketId: number
  readonly template: ChosenTemplate
  readonly clientId?: string | undefined
}

/** Sends a template in an open ticket. The same `clientId` again gives the same message. Throws `ERR_VALIDATION`, `ERR_SENDING_WAPP_MSG`, `ERR_NO_FILE_FOUND` (spec 1 §7). */
export async function sendTemplate(
  parts: Parts,
  session: Session,
  { ticketId, template, clientId }: TemplateRequest,
): Promise<Message> {
  const { whatsapp } = await getTicket(parts.db, session, ticketId)
  if (!getCapabilities(whatsapp.api).templates) throw new AppError('ERR_SENDING_WAPP_MSG')
  const { id, name, language, components = [] } = template
  return sendInTicket(parts, session, { ticketId, clientId }, async (tx, ticket) => {
    const parameters = await claimTemplateFiles(tx, session, { ticketId }, template.parameters ?? [])
    return {
      body: renderTemplateText(template),
      mediaType: 'template',
      templateData: { id: id ?? name, components },
      payload: { type: 'template', name, lang: language, components: parameters },
      also: ({ id: messageId }) =>
        writeLog(tx, { action: 'message.template', userId: session.viewer.id, messageId, ...toLogReferences(ticket) }),
    }
  })
}

/**
 * The parameters with each `uploadId` turned into the file of our store that the channel sends along. `kept`: the parameters as they were,
 * whose files may stay. Throws `ERR_NO_FILE_FOUND`.
 */
export async function claimTemplateFiles(
  tx: Tx,
  session: Session,
  of: FileOwner,
  parameters: readonly unknown[],
  stored: readonly unknown[] = [],
): Promise<unknown[]> {
  const files = new Map(collectFiles(stored).map(file => [file.mediaId, file]))
  const claim = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(claim))
    if (typeof value !== 'object' || value === null) return value
    if ('uploadId' in value && typeof value.uploadId === 'string') {
      const mediaId = value.uploadId
      return { mediaId, ...(await claimUpload(tx, session.viewer.id, mediaId, of)) }
    }
    // What the channel would take for a file of our store: only an upload of who sends becomes one.
    if ('mediaId' in value) {
      const file = files.get(String(value.mediaId))
      if (!file) throw new AppError('ERR_NO_FILE_FOUND')
      return file
    }
    const entries = Object.entries(value).map(async ([key, inner]) => [key, await claim(inner)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
  return Promise.all(parameters.map(claim))
}

/** The files of our store that a template names, as `claimTemplateFiles` left them. */
export function listTemplateFiles({ parameters = [] }: Pick<ChosenTemplate, 'parameters'>): string[] {
  return collectFiles(parameters).map(({ mediaId }) => mediaId)
}

function collectFiles(value: unknown): { readonly mediaId: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'mediaId' in value && typeof value.mediaId === 'string' ? [{ ...value, mediaId: value.mediaId }] : []
  return [...own, ...Object.values(value).flatMap(collectFiles)]
}

/** The words of a template, for lists and search. */
export function renderTemplateText({
  name,
  components = [],
}: Pick<ChosenTemplate, 'name'> & { readonly components?: readonly unknown[] }): string {
  const body = components.find(
    (each): each is { text: string } =>
      each !== null &&
      typeof each === 'object' &&
      'type' in each &&
      String(each.type).toUpperCase() === 'BODY' &&
      'text' in each &&
      typeof each.text === 'string',
  )
  return body?.text ?? name
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
}
