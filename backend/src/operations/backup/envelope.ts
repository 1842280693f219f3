// The envelope of a backup: age (https://age-encryption.org/v1), closed by a passphrase or for keys of `age-keygen`. `age -d` opens it, too.
import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'
import { SEALED_BYTES } from './archive.ts'
import { BackupFault } from './fault.ts'
import { type BackupKey, parseKey } from './key.ts'

export const ENVELOPE = 'age-encryption.org/v1'
/** A tenth of a second, and 32 MB: many times what each try costs who guesses. */
const WORK_FACTOR = 15
const TAG_BYTES = 16
const NONCE_BYTES = 16
const MOST_HEADER = 64 * 1024

/** Throws `BACKUP_KEY_SHORT`, `BACKUP_KEY_INVALID`. */
export async function encrypt(bytes: AsyncIterable<Uint8Array>, text: string): Promise<AsyncIterable<Uint8Array>> {
  const key = parseKey(text)
  const encrypter = new Encrypter()
  if ('passphrase' in key) {
    if (key.passphrase.length < SHORTEST) throw new BackupFault('BACKUP_KEY_SHORT')
    encrypter.setScryptWorkFactor(WORK_FACTOR)
    encrypter.setPassphrase(key.passphrase)
  } else
    await takeKeys(async () => {
      for (const recipient of key.recipients) encrypter.addRecipient(recipient)
      for (const identity of key.identities) encrypter.addRecipient(await identityToRecipient(identity))
    })
  return encrypter.encrypt(streamFrom(bytes))
}

const SHORTEST = 16

/** Nothing is read before it is asked for. */
function streamFrom(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

export interface OpenEnvelope {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Known at the end: so many last bytes are not what was sealed, or not all of it. */
  unproven(): number
}

/** Throws `BACKUP_KEY_NEEDED`, `BACKUP_KEY_PUBLIC`, `BACKUP_KEY_WRONG`, `BACKUP_KEY_INVALID`, `BACKUP_CUT`, `BACKUP_DAMAGED`. */
export async function decrypt(source: AsyncIterator<Uint8Array>, text: string | null): Promise<OpenEnvelope> {
  if (text === null) throw new BackupFault('BACKUP_KEY_NEEDED')
  const decrypter = await makeDecrypter(parseKey(text))
  const { first, headerBytes } = await readHeader(source)
  let [sealed, opened] = [first.length - headerBytes - NONCE_BYTES, 0]
  let [isOver, unproven] = [false, 0]
  let trouble: { readonly error: unknown } | undefined
  let goOn = () => {}

  async function* watched(): AsyncGenerator<Uint8Array> {
    yield first
    try {
      for (let next = await source.next(); !next.done; next = await source.next()) {
        sealed += next.value.length
        yield next.value
      }
    } catch (error) {
      trouble = { error }
      throw error
    }
    // The last bytes are only tried at the end, and when they are wrong everything is lost that was opened and not yet read.
    while (opened < Math.floor((sealed - 1) / (SEALED_BYTES + TAG_BYTES)))
      await new Promise<void>(done => (goOn = done))
    isOver = true
  }

  function explain(error: unknown): unknown {
    if (trouble) return trouble.error
    if (error instanceof Error && error.message.startsWith('no identity matched'))
      return new BackupFault('BACKUP_KEY_WRONG')
    if (sealed < 0 && isOver) return new BackupFault('BACKUP_CUT')
    const position = `byte ${headerBytes + NONCE_BYTES + opened * (SEALED_BYTES + TAG_BYTES)}`
    return new BackupFault('BACKUP_DAMAGED', { what: position })
  }

  const plain = await decrypter.decrypt(streamFrom(watched())).catch(error => {
    throw explain(error)
  })
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of plain) {
        opened++
        goOn()
        yield chunk
      }
    } catch (error) {
      if (!isOver) throw explain(error)
      unproven = Math.max(1, sealed - opened * (SEALED_BYTES + TAG_BYTES) - TAG_BYTES)
    }
  }
  return { bytes: bytes(), unproven: () => unproven }
}

async function makeDecrypter(key: BackupKey): Promise<Decrypter> {
  const decrypter = new Decrypter()
  if ('passphrase' in key) decrypter.addPassphrase(key.passphrase)
  else if (key.identities.length === 0) throw new BackupFault('BACKUP_KEY_PUBLIC')
  else
    await takeKeys(async () => {
      for (const identity of key.identities) decrypter.addIdentity(identity)
    })
  return decrypter
}

async function takeKeys(take: () => Promise<void>): Promise<void> {
  // Without the cause, which may quote the key.
  await take().catch(() => {
    throw new BackupFault('BACKUP_KEY_INVALID')
  })
}

/** The first bytes, at least those of the header, which ends with the line of its seal. */
async function readHeader(source: AsyncIterator<Uint8Array>) {
  let first = Buffer.alloc(0)
  for (;;) {
    const seal = first.indexOf('\n--- ')
    const end = seal < 0 ? -1 : first.indexOf('\n', seal + 1)
    if (end >= 0) return { first, headerBytes: end + 1 }
    if (first.length > MOST_HEADER) throw new BackupFault('BACKUP_DAMAGED', { what: 'byte 0' })
    const next = await source.next()
    if (next.done) throw new BackupFault('BACKUP_CUT')
    first = Buffer.concat([first, next.value])
  }
}
