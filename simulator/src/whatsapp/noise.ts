/** The server's side of the Noise XX handshake and the encrypted frames after it. */
import { aesDecryptGCM, aesEncryptGCM, Curve, hkdf, type KeyPair, proto, sha256 } from '@whiskeysockets/baileys'
import type { CertificateChain } from './certificates'

const MODE = Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0')
const HEADER = Buffer.from([87, 65, 6, 3])
const ROUTED_HEADER = Buffer.from('ED')
const NOTHING = Buffer.alloc(0)

export class NoiseServer {
  private hash: Uint8Array = MODE
  private salt: Uint8Array = MODE
  private key: Uint8Array = MODE
  private counter = 0
  private transport: { read: CipherDirection; write: CipherDirection } | undefined
  private rest: Buffer = NOTHING
  private headerSeen = false
  private readonly ephemeral: KeyPair = Curve.generateKeyPair()

  constructor(private readonly chain: CertificateChain) {
    this.authenticate(HEADER)
  }

  /** Cuts what arrived into frames; a frame may arrive in pieces or several at once. */
  *frames(data: Uint8Array): Generator<Buffer> {
    this.rest = this.rest.length ? Buffer.concat([this.rest, data]) : Buffer.from(data)
    if (!this.headerSeen && !this.skipHeader()) return
    while (this.rest.length >= 3) {
      const size = this.rest.readUIntBE(0, 3)
      if (this.rest.length < size + 3) return
      const frame = this.rest.subarray(3, size + 3)
      this.rest = this.rest.subarray(size + 3)
      yield this.transport ? this.transport.read.decrypt(frame) : frame
    }
  }

  /** Answers the client's first frame with our ephemeral key, our static key and its certificates. */
  hello(frame: Uint8Array): Buffer {
    const { clientHello } = proto.HandshakeMessage.decode(frame)
    if (!clientHello?.ephemeral) throw new Error('The first frame is not a client hello')
    this.authenticate(clientHello.ephemeral)
    this.authenticate(this.ephemeral.public)
    this.mix(Curve.sharedKey(this.ephemeral.private, clientHello.ephemeral))
    const staticKey = this.encrypt(this.chain.staticKey.public)
    this.mix(Curve.sharedKey(this.chain.staticKey.private, clientHello.ephemeral))
    const payload = this.encrypt(this.chain.encoded)
    return createFrame(
      proto.HandshakeMessage.encode({
        serverHello: { ephemeral: this.ephemeral.public, static: staticKey, payload },
      }).finish(),
    )
  }

  /** Reads the client's identity and payload; from here on every frame is encrypted. */
  finish(frame: Uint8Array): { clientStatic: Buffer; payload: proto.ClientPayload } {
    const { clientFinish } = proto.HandshakeMessage.decode(frame)
    if (!clientFinish?.static || !clientFinish.payload) throw new Error('The second frame is not a client finish')
    const clientStatic = this.decrypt(clientFinish.static)
    this.mix(Curve.sharedKey(this.ephemeral.private, clientStatic))
    const payload = proto.ClientPayload.decode(this.decrypt(clientFinish.payload))
    const [read, write] = this.derive(NOTHING)
    this.transport = { read: new CipherDirection(read), write: new CipherDirection(write) }
    return { clientStatic, payload }
  }

  encode(data: Uint8Array): Buffer {
    if (!this.transport) throw new Error('The handshake is not finished')
    return createFrame(this.transport.write.encrypt(data))
  }

  private skipHeader(): boolean {
    let start = 0
    if (this.rest.subarray(0, 2).equals(ROUTED_HEADER)) {
      if (this.rest.length < 7) return false
      start = 7 + this.rest.readUIntBE(4, 3)
    }
    if (this.rest.length < start + HEADER.length) return false
    this.rest = this.rest.subarray(start + HEADER.length)
    this.headerSeen = true
    return true
  }

  private authenticate(data: Uint8Array): void {
    this.hash = sha256(Buffer.concat([this.hash, data]))
  }

  private encrypt(data: Uint8Array): Buffer {
    const sealed = aesEncryptGCM(data, this.key, createNonce(this.counter++), this.hash)
    this.authenticate(sealed)
    return sealed
  }

  private decrypt(data: Uint8Array): Buffer {
    const opened = aesDecryptGCM(data, this.key, createNonce(this.counter++), this.hash)
    this.authenticate(data)
    return opened
  }

  private derive(data: Uint8Array): [Uint8Array, Uint8Array] {
    const key = hkdf(Buffer.from(data), 64, { salt: Buffer.from(this.salt), info: '' })
    return [key.subarray(0, 32), key.subarray(32)]
  }

  private mix(data: Uint8Array): void {
    const [salt, key] = this.derive(data)
    this.salt = salt
    this.key = key
    this.counter = 0
  }
}

class CipherDirection {
  private counter = 0
  constructor(private readonly key: Uint8Array) {}

  encrypt(data: Uint8Array): Buffer {
    return aesEncryptGCM(data, this.key, createNonce(this.counter++), NOTHING)
  }

  decrypt(data: Uint8Array): Buffer {
    return aesDecryptGCM(data, this.key, createNonce(this.counter++), NOTHING)
  }
}

function createNonce(counter: number): Buffer {
  const iv = Buffer.alloc(12)
  iv.writeUInt32BE(counter, 8)
  return iv
}

function createFrame(data: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(3 + data.length)
  frame.writeUIntBE(data.length, 0, 3)
  frame.set(data, 3)
  return frame
}
