// What a store that speaks S3 answers, once it knows who asks.
import { createHash } from 'node:crypto'
import { createRefusal } from './refusal.ts'

export interface BucketAddress {
  readonly bucket: string
  readonly objects: Map<string, Uint8Array>
  /** Parts that are not an object yet, by their upload. */
  readonly uploads: Map<string, Map<number, Uint8Array>>
  /** So many objects are given with one byte changed. */
  changed: number
}

export interface StoreRequest {
  readonly method: string
  readonly url: URL
  readonly body: Uint8Array
  readonly range: string | null
}

/** Every part but the last has at least this. */
const LEAST_PART = 5 * 1024 * 1024

/** The answer to one request. */
export function answerTo(shelf: BucketAddress, request: StoreRequest): Response {
  const { method, url, body } = request
  const [bucket, ...rest] = decodeURIComponent(url.pathname).slice(1).split('/')
  if (bucket !== shelf.bucket) return createRefusal(404, 'NoSuchBucket')
  const key = rest.join('/')
  const query = url.searchParams
  const upload = query.get('uploadId')
  if (key === '') return method === 'GET' ? list(shelf, query) : createRefusal(405, 'MethodNotAllowed')
  if (method === 'GET' || method === 'HEAD') return answerObject(shelf, key, request)
  if (method === 'POST' && query.has('uploads')) return begin(shelf, key)
  if (upload !== null) return answerUpload(shelf, upload, key, request)
  if (method === 'DELETE') {
    shelf.objects.delete(key)
    return new Response(null, { status: 204 })
  }
  if (method !== 'PUT') return createRefusal(405, 'MethodNotAllowed')
  shelf.objects.set(key, body)
  return new Response(null, { headers: { etag: computeEtag(body) } })
}

function answerObject(shelf: BucketAddress, key: string, { method, range }: StoreRequest): Response {
  const object = shelf.objects.get(key)
  if (!object) return createRefusal(404, 'NoSuchKey')
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = Math.min(to ? Number(to) : object.length - 1, object.length - 1)
  if (from !== undefined && start > end) return createRefusal(416, 'InvalidRange')
  const bytes = object.slice(start, end + 1)
  if (method === 'GET' && shelf.changed > 0) {
    shelf.changed--
    bytes[0] = (bytes[0] ?? 0) ^ 1
  }
  const headers = new Headers({
    etag: computeEtag(object),
    'last-modified': new Date(0).toUTCString(),
    'accept-ranges': 'bytes',
  })
  if (from !== undefined) headers.set('content-range', `bytes ${start}-${end}/${object.length}`)
  if (method === 'HEAD') headers.set('content-length', String(object.length))
  return new Response(method === 'HEAD' ? null : bytes, { status: from === undefined ? 200 : 206, headers })
}

function begin(shelf: BucketAddress, key: string): Response {
  const upload = crypto.randomUUID()
  shelf.uploads.set(upload, new Map())
  return createXmlResponse(
    `<InitiateMultipartUploadResult><Bucket>${shelf.bucket}</Bucket><Key>${key}</Key><UploadId>${upload}</UploadId></InitiateMultipartUploadResult>`,
  )
}

function answerUpload(
  shelf: BucketAddress,
  upload: string,
  key: string,
  { method, url, body }: StoreRequest,
): Response {
  const parts = shelf.uploads.get(upload)
  if (!parts) return createRefusal(404, 'NoSuchUpload')
  if (method === 'DELETE') {
    shelf.uploads.delete(upload)
    return new Response(null, { status: 204 })
  }
  if (method === 'PUT') {
    parts.set(Number(url.searchParams.get('partNumber')), body)
    return new Response(null, { headers: { etag: computeEtag(body) } })
  }
  const named = [...new TextDecoder().decode(body).matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, part]) =>
    Number(part),
  )
  const pieces = named.flatMap(part => parts.get(part) ?? [])
  if (pieces.length !== named.length || named.length === 0) return createRefusal(400, 'InvalidPart')
  if (pieces.slice(0, -1).some(piece => piece.length < LEAST_PART)) return createRefusal(400, 'EntityTooSmall')
  const whole = new Uint8Array(Buffer.concat(pieces))
  shelf.objects.set(key, whole)
  shelf.uploads.delete(upload)
  return createXmlResponse(
    `<CompleteMultipartUploadResult><Bucket>${shelf.bucket}</Bucket><Key>${key}</Key><ETag>${computeEtag(whole)}</ETag></CompleteMultipartUploadResult>`,
  )
}

/** All keys at once, as many as there are. */
function list({ bucket, objects }: BucketAddress, query: URLSearchParams): Response {
  const prefix = query.get('prefix') ?? ''
  const found = [...objects].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1))
  const contents = found.map(
    ([key, bytes]) =>
      `<Contents><Key>${key}</Key><LastModified>${new Date(0).toISOString()}</LastModified><ETag>${computeEtag(bytes)}</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  )
  return createXmlResponse(
    `<ListBucketResult><Name>${bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${found.length}</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`,
  )
}

function createXmlResponse(text: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`, {
    headers: { 'content-type': 'application/xml' },
  })
}

function computeEtag(bytes: Uint8Array): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}
