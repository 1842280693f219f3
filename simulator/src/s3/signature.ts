// Signatures of Amazon's kind, version 4, as a store checks them: in the header `Authorization`, or in a signed address.
import { createHash, createHmac } from 'node:crypto'

export interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** As much of a request as is signed. */
export interface SignedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
}

interface SignatureClaim {
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
  readonly at: string
  readonly payload: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const CLOCKS_APART_MS = 15 * 60_000

/** What is wrong with a signature, by the store's own code; null when it is right at this time. */
export function findSignatureFault(keys: Keys, request: SignedRequest, now: Date): string | null {
  const claim = parseAddressClaim(request.url) ?? parseHeaderClaim(request.headers)
  if (!claim) return 'AccessDenied'
  const [accessKeyId, day = '', region = '', service = '', end] = claim.credential.split('/')
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId'
  if (service !== 's3' || end !== 'aws4_request' || !claim.at.startsWith(day)) return 'SignatureDoesNotMatch'
  const seconds = Number(request.url.searchParams.get('X-Amz-Expires') ?? '0')
  const age = now.getTime() - parseTime(claim.at)
  if (seconds > 0 ? age > seconds * 1000 : Math.abs(age) > CLOCKS_APART_MS) return 'RequestTimeTooSkewed'
  const scope = `${day}/${region}/s3/aws4_request`
  const canonical = [
    request.method,
    request.url.pathname,
    canonicalizeQuery(request.url),
    ...canonicalizeHeaders(request.headers, claim.signedHeaders),
    '',
    claim.signedHeaders,
    claim.payload,
  ].join('\n')
  const words = [ALGORITHM, claim.at, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (from, part) => createHmac('sha256', from).update(part).digest(),
    `AWS4${keys.secretAccessKey}`,
  )
  const right = createHmac('sha256', key).update(words).digest('hex')
  return right === claim.signature ? null : 'SignatureDoesNotMatch'
}

/** Whether the body is what its signature says; a body that was not signed is anything. */
export function isPayloadMatch(headers: Headers, body: Uint8Array): boolean {
  const digest = headers.get('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD'
  return digest === 'UNSIGNED-PAYLOAD' || digest === createHash('sha256').update(body).digest('hex')
}

function parseAddressClaim({ searchParams: params }: URL): SignatureClaim | null {
  const signature = params.get('X-Amz-Signature')
  if (signature === null || params.get('X-Amz-Algorithm') !== ALGORITHM) return null
  return {
    signature,
    credential: params.get('X-Amz-Credential') ?? '',
    signedHeaders: params.get('X-Amz-SignedHeaders') ?? '',
    at: params.get('X-Amz-Date') ?? '',
    payload: 'UNSIGNED-PAYLOAD',
  }
}

function parseHeaderClaim(headers: Headers): SignatureClaim | null {
  const header = headers.get('authorization') ?? ''
  const part = (name: string) => new RegExp(`[ ,]${name}=([^, ]+)`).exec(header)?.[1] ?? ''
  if (!header.startsWith(`${ALGORITHM} `)) return null
  return {
    credential: part('Credential'),
    signedHeaders: part('SignedHeaders'),
    signature: part('Signature'),
    at: headers.get('x-amz-date') ?? '',
    payload: headers.get('x-amz-content-sha256') ?? '',
  }
}

function canonicalizeQuery(url: URL): string {
  return [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
    .sort()
    .join('&')
}

function canonicalizeHeaders(headers: Headers, signed: string): string[] {
  return signed.split(';').map(name => `${name}:${(headers.get(name) ?? '').trim().replace(/ +/g, ' ')}`)
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** '20261123T170000Z' in ms. */
function parseTime(at: string): number {
  return Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}
