// Calls with files, with progress: fetch cannot tell how much of a body has gone out.
import { ApiError, createOfflineError, type PreparedCall, toApiError } from '@balcao/client'
import type { EndpointKey, PathParams, QueryParams, ResponseBody } from '@balcao/contract'
import { prepare, withToken } from './client.ts'

interface UploadOptions<K extends EndpointKey> {
  readonly params?: PathParams<K>
  readonly query?: QueryParams<K>
  /** A form with files, or one file as it is. */
  readonly body: FormData | Blob
  /** From 0 to 1. */
  readonly onProgress?: (part: number) => void
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends a form or a file and tells how far it is, for as long as bytes move. Errors as `api`.
 *
 * @example await upload('POST /messages/:ticketId', { params: { ticketId }, body: form, onProgress: setPart })
 */
export async function upload<K extends EndpointKey>(key: K, options: UploadOptions<K>): Promise<ResponseBody<K>> {
  const request = prepare(key, options)
  return (await withToken(key, token => sendFile(request, token, options.onProgress))) as ResponseBody<K>
}

/** Of what does not move for so long no answer comes any more, ms: a server takes its time with a sheet. */
const SILENCE_MS = 60_000

function sendFile(
  request: PreparedCall,
  token: string | null,
  onProgress: ((part: number) => void) | undefined,
): Promise<unknown> {
  const call = new XMLHttpRequest()
  const abort = () => call.abort()
  let silence: ReturnType<typeof setTimeout>
  const awaitMore = () => {
    clearTimeout(silence)
    silence = setTimeout(abort, SILENCE_MS)
  }
  return new Promise((resolve, reject) => {
    call.open(request.method, request.url)
    for (const [name, value] of Object.entries(request.headers)) call.setRequestHeader(name, value)
    if (token) call.setRequestHeader('authorization', `Bearer ${token}`)
    call.upload.onprogress = event => {
      awaitMore()
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    }
    call.onload = () => {
      const body = parseJson(call.responseText)
      if (call.status >= 200 && call.status < 300) resolve(call.status === 204 ? undefined : body)
      else reject(toApiError(call.status, body, call.getResponseHeader('retry-after')))
    }
    call.onerror = () => void toSendError(request.body).then(reject)
    call.onabort = () => reject(request.signal?.aborted ? request.signal.reason : createOfflineError('upload'))
    if (request.signal?.aborted) return call.onabort?.(new ProgressEvent('abort'))
    request.signal?.addEventListener('abort', abort, { once: true })
    awaitMore()
    call.send(request.body as XMLHttpRequestBodyInit)
    // The signal lives as long as the session: what is over would keep its file as long.
  }).finally(() => {
    clearTimeout(silence)
    request.signal?.removeEventListener('abort', abort)
  })
}

/** A browser breaks off in the same way where there is no line and where a file was changed or moved after it was chosen. */
async function toSendError(body: PreparedCall['body']): Promise<ApiError> {
  const parts = body instanceof FormData ? [...body.values()] : [body]
  try {
    for (const part of parts) if (part instanceof Blob) await part.slice(0, 1).arrayBuffer()
    return createOfflineError('upload')
  } catch {
    return new ApiError('FILE_CHANGED', 0, 'the file cannot be read any more')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
