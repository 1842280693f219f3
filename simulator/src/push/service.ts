// A push service and the browsers behind it: what arrives is checked and opened as a browser does it (RFC 8030, 8188, 8291, 8292).

/** What a browser got. */
export interface PushMessage {
  readonly text: string
  readonly topic: string | null
  readonly urgency: string | null
  readonly ttl: number
  /** The claims of the sender's token, whose signature was right. */
  readonly sender: { readonly aud: string; readonly sub: string; readonly exp: number }
}

/** A browser with a subscription. */
export interface PushBrowser {
  /** As `PushSubscription.toJSON()` gives it. */
  readonly subscription: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
  /** Opened messages, oldest first. */
  readonly messages: readonly PushMessage[]
  /** Answers the next requests with this status; `for` of them, or all. */
  refuse(status: number, times?: number): void
  /** How many requests came, refused ones too. */
  readonly requests: number
}

export interface PushService {
  /** Origin of its endpoints. */
  readonly url: string
  device(): Promise<PushBrowser>
  stop(): Promise<void>
}

/**
 * Starts one.
 * @example
 * const phone = await (await startPushService()).device()
 * // register phone.subscription, then
 * phone.messages.at(-1)?.text
 */
export async function startPushService(): Promise<PushService> {
  const devices = new Map<string, Device>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const device = devices.get(new URL(request.url).pathname)
      return device ? new Response(null, { status: await device.take(request) }) : new Response(null, { status: 404 })
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    async device() {
      const path = `/send/${crypto.randomUUID()}`
      const device = await Device.make(url + path)
      devices.set(path, device)
      return device
    },
    stop: () => server.stop(true),
  }
}

class Device implements PushBrowser {
  readonly messages: PushMessage[] = []
  requests = 0
  #refusal: { status: number; times: number } | undefined

  private constructor(
    readonly subscription: PushBrowser['subscription'],
    private readonly keys: CryptoKeyPair,
    private readonly publicKey: Uint8Array<ArrayBuffer>,
    private readonly auth: Uint8Array<ArrayBuffer>,
  ) {}

  static async make(endpoint: string): Promise<Device> {
    const keys = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
    const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', keys.publicKey))
    const auth = crypto.getRandomValues(new Uint8Array(16))
    return new Device(
      { endpoint, keys: { p256dh: encodeBase64Url(publicKey), auth: encodeBase64Url(auth) } },
      keys,
      publicKey,
      auth,
    )
  }

  refuse(status: number, times = Number.POSITIVE_INFINITY): void {
    this.#refusal = { status, times }
  }

  /** The status a push service answers. */
  async take(request: Request): Promise<number> {
    this.requests++
    if (this.#refusal && this.#refusal.times-- > 0) return this.#refusal.status
    if (request.method !== 'POST' || request.headers.get('content-encoding') !== 'aes128gcm') return 400
    const sender = await parseSender(request)
    if (!sender) return 403
    const body = new Uint8Array(await request.arrayBuffer())
    if (body.length > 4096) return 413
    this.messages.push({
      text: await this.open(body),
      topic: request.headers.get('topic'),
      urgency: request.headers.get('urgency'),
      ttl: Number(request.headers.get('ttl')),
      sender,
    })
    return 201
  }

  /** RFC 8291 §3.4: one record, its keys from both sides' keys and the secret of the subscription. */
  private async open(body: Uint8Array<ArrayBuffer>): Promise<string> {
    const salt = body.slice(0, 16)
    const length = body[20] ?? 0
    const theirs = body.slice(21, 21 + length)
    const record = body.slice(21 + length)
    const peer = await crypto.subtle.importKey('raw', theirs, { name: 'ECDH', namedCurve: 'P-256' }, false, [])
    const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: peer }, this.keys.privateKey, 256)
    const info = concatBytes(encodeUtf8('WebPush: info\0'), this.publicKey, theirs)
    const secret = await deriveHkdf(new Uint8Array(shared), this.auth, info, 32)
    const key = await deriveHkdf(secret, salt, encodeUtf8('Content-Encoding: aes128gcm\0'), 16)
    const iv = await deriveHkdf(secret, salt, encodeUtf8('Content-Encoding: nonce\0'), 12)
    const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
    const padded = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, aes, record))
    const end = padded.findLastIndex(byte => byte !== 0)
    if (padded[end] !== 2) throw new Error('The record has no end')
    return new TextDecoder().decode(padded.slice(0, end))
  }
}

/** The claims of `authorization: vapid t=…, k=…` when the signature is right and they are for us and of now. */
async function parseSender(request: Request): Promise<PushMessage['sender'] | null> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(request.headers.get('authorization') ?? '') ?? []
  const [head = '', payload = '', signature = ''] = token.split('.')
  const curve = { name: 'ECDSA', namedCurve: 'P-256' }
  const publicKey = await crypto.subtle.importKey('raw', decodeBase64(key), curve, false, ['verify'])
  const signed = encodeUtf8(`${head}.${payload}`)
  const right = await crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    publicKey,
    decodeBase64(signature),
    signed,
  )
  const claims: PushMessage['sender'] = JSON.parse(new TextDecoder().decode(decodeBase64(payload)))
  const fits = claims.aud === new URL(request.url).origin && claims.exp * 1000 > Date.now()
  return right && fits ? claims : null
}

async function deriveHkdf(
  secret: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8))
}

function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}

function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text))
}

function encodeBase64Url(data: Uint8Array): string {
  return Buffer.from(data).toString('base64url')
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}
