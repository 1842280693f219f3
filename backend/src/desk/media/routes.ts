// Files for browsers: only to who may see what they belong to, with ranges, and never run as a page (docs/decisions/0226 for our own PDFs).
import { MESSAGE_FILE } from '@balcao/contract/api/examples'
import { formatContentDisposition } from '../../platform/http/disposition.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Route } from '../../policy/kit/serve.ts'
import { isFromProgram, loadProgramSession } from '../../policy/sessions/api-caller.ts'
import { authenticateForFiles } from '../../policy/sessions/authenticate.ts'
import { canReadMedia, isLinkAllowed, isShown } from './access.ts'
import { ensureLocalFile, ensureLocalThumb, readBucketRange } from './bucket-files.ts'
import { toMediaKind } from './file-type.ts'
import { isMediaLink } from './links.ts'
import { createMediaStorage, type ReadStorage, toReadStorage } from './storage.ts'
import { findMedia } from './store.ts'
import type { MediaRow } from './table.ts'

export function mediaRoutes(): Route[] {
  const answer: Route['answer'] = async ({ request, params, address }, parts) => {
    const { id = '' } = params
    const isLink = await isMediaLink(parts.config, request.url, id)
    const program =
      !isLink && isFromProgram(request) ? await loadProgramSession(parts, request, address, MESSAGE_FILE, true) : null
    const session = isLink || program ? null : await authenticateForFiles(parts, request)
    const place = toReadStorage(createMediaStorage(parts))
    const file = await findMedia(place, id)
    const mayHave =
      file &&
      (program
        ? await isShown(parts.db, program, id)
        : session
          ? await canReadMedia(parts, session, file)
          : await isLinkAllowed(parts, file))
    if (!mayHave) throw new AppError('ERR_NO_FILE_FOUND')
    const small = new URL(request.url).searchParams.get('thumb') === '1'
    const tag = `"${id}${small ? '.thumb' : ''}"`
    if (!isLink && request.headers.get('if-none-match') === tag)
      return new Response(null, { status: 304, headers: buildCacheHeaders(tag) })
    const thumb = small ? await ensureLocalThumb(place, file) : null
    if (thumb !== null)
      return fileAnswer(request, Bun.file(thumb), {
        mime: 'image/webp',
        name: 'thumb.webp',
        inline: true,
        policy: SEALED,
        tag: isLink ? null : tag,
      })
    const { mime, name } = file
    const policy = isOwnPdf(file) ? READABLE : SEALED
    const shown = { mime, name, inline: inlineAllowed(mime), policy, tag: isLink ? null : `"${id}"` }
    return (
      (await farAnswer(request, place, file, shown)) ??
      fileAnswer(request, Bun.file(await ensureLocalFile(place, file)), shown)
    )
  }
  return [
    { method: 'GET', path: '/media/:id', answer },
    { method: 'HEAD', path: '/media/:id', answer },
    // The same file: its name is for whoever goes by endings.
    { method: 'GET', path: '/media/:id/:name', answer },
    { method: 'HEAD', path: '/media/:id/:name', answer },
  ]
}

/** What a browser shows without running anything in it; everything else is saved, not opened. */
function inlineAllowed(mime: string): boolean {
  return toMediaKind(mime) !== 'application' || mime === 'application/pdf' || mime === 'text/plain'
}

function isPlayed(mime: string): boolean {
  return toMediaKind(mime) === 'video' || toMediaKind(mime) === 'audio'
}

/** What comes from people has no rights at all. Browsers show no PDF under it: they save it. */
const SEALED = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
/** A browser's own reader may show it, and no page may hold it in a frame. */
const READABLE = "frame-ancestors 'none'"

/** One that was drawn here from plain texts: it has nothing in it that runs. */
function isOwnPdf({ owner, mime }: Pick<MediaRow, 'owner' | 'mime'>): boolean {
  return owner === 'job' && mime === 'application/pdf'
}

interface MediaResponse {
  readonly mime: string
  readonly name: string
  readonly inline: boolean
  readonly policy: string
  /** Names the content for a browser that has it. Null: what a link for some minutes opened is not to be opened by its address in the history. */
  readonly tag: string | null
}

/**
 * A range of a large film or recording that is not at hand, as much of it as is fetched at once: a 206 may hold less than was asked for,
 * and players go on from there. Null for everything else.
 */
async function farAnswer(
  request: Request,
  place: ReadStorage,
  file: MediaRow,
  shown: MediaResponse,
): Promise<Response | null> {
  if (request.method !== 'GET' || !isPlayed(file.mime)) return null
  const range = parseRange(request, shown, file.size)
  if (range === null || range === 'unsatisfiable') return null
  const bytes = await readBucketRange(place, file, range)
  if (bytes === null) return null
  const headers = buildHeaders(shown)
  headers.set('content-range', `bytes ${range.start}-${range.start + bytes.length - 1}/${file.size}`)
  return new Response(bytes, { status: 206, headers })
}

async function fileAnswer(request: Request, file: Bun.BunFile, shown: MediaResponse): Promise<Response> {
  if (!(await file.exists())) throw new AppError('ERR_NO_FILE_FOUND')
  const { size } = file
  const headers = buildHeaders(shown)
  const range = parseRange(request, shown, size)
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`)
    return new Response(null, { status: 416, headers })
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) headers.set('content-range', `bytes ${start}-${end}/${size}`)
  const body = request.method === 'HEAD' ? null : range ? file.slice(start, end + 1) : file
  if (body === null) headers.set('content-length', String(end - start + 1))
  return new Response(body, { status: range ? 206 : 200, headers })
}

/** The browser may keep it for the session that was let in: who comes next, with other cookies, is asked about, whatever lies there. */
function buildCacheHeaders(tag: string | null): Record<string, string> {
  return tag === null
    ? { 'cache-control': 'no-store' }
    : { 'cache-control': 'private, max-age=900', vary: 'Cookie, Authorization', etag: tag }
}

function buildHeaders({ mime, name, inline, policy, tag }: MediaResponse): Headers {
  return new Headers({
    ...buildCacheHeaders(tag),
    'content-type': mime,
    'content-disposition': formatContentDisposition(inline ? 'inline' : 'attachment', name),
    'accept-ranges': 'bytes',
    'content-security-policy': policy,
    'cross-origin-resource-policy': 'same-origin',
  })
}

/** One range of bytes; several at once are answered with the whole file. */
function parseRange(
  { headers }: Request,
  { tag }: MediaResponse,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  // A part of something else is of no use.
  if (headers.has('if-range') && headers.get('if-range') !== tag) return null
  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range') ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1])
  const end = match[1] === '' || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return start > end || start >= size ? 'unsatisfiable' : { start, end }
}
