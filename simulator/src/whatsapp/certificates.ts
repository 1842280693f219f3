/** The keys a client checks: the Noise certificate chain of the websocket and the TLS certificate of the media host. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Curve, type KeyPair, proto } from '@whiskeysockets/baileys'
import { generate } from 'selfsigned'

export interface CertificateChain {
  /** Public root key in hex: what `SIMULATOR_WA_ROOT` carries. */
  root: string
  staticKey: KeyPair
  encoded: Uint8Array
}

const Details = proto.CertChain.NoiseCertificate.Details

/** One root for every world of a process, so that a client which trusts one of them trusts them all. */
const root = Curve.generateKeyPair()

/** Root signs intermediate signs leaf, as the real host does, with a root of our own. */
export function makeCertificateChain(): CertificateChain {
  const intermediate = Curve.generateKeyPair()
  const staticKey = Curve.generateKeyPair()
  const intermediateDetails = Details.encode({ serial: 1, issuerSerial: 0, key: intermediate.public }).finish()
  const leafDetails = Details.encode({ serial: 2, issuerSerial: 1, key: staticKey.public }).finish()
  const encoded = proto.CertChain.encode({
    intermediate: { details: intermediateDetails, signature: Curve.sign(root.private, intermediateDetails) },
    leaf: { details: leafDetails, signature: Curve.sign(intermediate.private, leafDetails) },
  }).finish()
  return { root: Buffer.from(root.public).toString('hex'), staticKey, encoded }
}

export interface TlsCertificate {
  key: string
  cert: string
  /** Where the certificate lies, for `NODE_EXTRA_CA_CERTS`. */
  path: string
}

let certificate: Promise<TlsCertificate> | undefined

/** The media host's certificate: made once in a process and gone with it. */
export function getTlsCertificate(): Promise<TlsCertificate> {
  certificate ??= makeTlsCertificate()
  return certificate
}

/** In plain JavaScript, so no openssl is needed on the machine. */
async function makeTlsCertificate(): Promise<TlsCertificate> {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, keyCertSign: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  const folder = mkdtempSync(join(tmpdir(), 'balcao-simulator-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'media-host.pem')
  writeFileSync(path, made.cert)
  return { key: made.private, cert: made.cert, path }
}
