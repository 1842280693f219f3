/** A phone's own Signal keys and sessions: Baileys' repository over a store in memory, made when first needed. */
import {
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  generateRegistrationId,
  generateSignalPubKey,
  initAuthCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
} from '@whiskeysockets/baileys'
import pino from 'pino'
import type { KeyBundle } from './key-bundle'

export type Ciphertext = { type: 'pkmsg' | 'msg'; ciphertext: Uint8Array }

export class SignalStack {
  private readonly creds = { ...initAuthCreds(), registrationId: generateRegistrationId() }
  private readonly keys = new MemoryKeys()
  private readonly repository: SignalRepositoryWithLIDStore
  private readonly knows = new Set<string>()
  private nextPreKey = 1
  private turn: Promise<unknown> = Promise.resolve()

  /** @param lid this phone's own address, `…@lid` */
  constructor(private readonly lid: string) {
    this.repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
      { creds: this.creds, keys: this.keys },
      pino({ level: 'silent' }),
      async () => [],
    )
  }

  get identity(): { public: Uint8Array; private: Uint8Array } {
    return this.creds.signedIdentityKey
  }

  /** A bundle for somebody who wants to write to this phone, with a one-time key that exists only from now on. */
  bundle(): KeyBundle {
    const id = this.nextPreKey++
    const pair = Curve.generateKeyPair()
    this.keys.put('pre-key', String(id), pair)
    const { signedPreKey } = this.creds
    return {
      registrationId: this.creds.registrationId,
      identity: this.creds.signedIdentityKey.public,
      signedPreKey: {
        id: signedPreKey.keyId,
        key: signedPreKey.keyPair.public,
        signature: signedPreKey.signature,
      },
      preKey: { id, key: pair.public },
    }
  }

  /** Encrypts for one device; `bundle` is asked for when there is no session yet. */
  encrypt(device: string, data: Uint8Array, bundle: () => KeyBundle | undefined): Promise<Ciphertext> {
    return this.inTurn(async () => {
      if (!this.knows.has(device)) {
        const keys = bundle()
        if (!keys) throw new Error(`No keys for ${device}`)
        await this.repository.injectE2ESession({ jid: device, session: createSession(keys) })
        this.knows.add(device)
      }
      return this.repository.encryptMessage({ jid: device, data })
    })
  }

  /** Forgets the session with a device: the next message starts a fresh one. */
  forget(device: string): Promise<void> {
    return this.inTurn(async () => {
      this.knows.delete(device)
      await this.repository.deleteSession([device])
    })
  }

  decrypt(device: string, type: 'pkmsg' | 'msg', ciphertext: Uint8Array): Promise<Uint8Array> {
    return this.inTurn(async () => {
      const plain = await this.repository.decryptMessage({ jid: device, type, ciphertext })
      this.knows.add(device)
      return plain
    })
  }

  encryptForGroup(group: string, data: Uint8Array): Promise<{ ciphertext: Uint8Array; senderKey: Uint8Array }> {
    return this.inTurn(async () => {
      const made = await this.repository.encryptGroupMessage({ group, meId: this.lid, data })
      return { ciphertext: made.ciphertext, senderKey: made.senderKeyDistributionMessage }
    })
  }

  learnSenderKey(group: string, device: string, senderKey: Uint8Array): Promise<void> {
    return this.inTurn(() =>
      this.repository.processSenderKeyDistributionMessage({
        authorJid: device,
        item: { groupId: group, axolotlSenderKeyDistributionMessage: senderKey },
      }),
    )
  }

  decryptFromGroup(group: string, device: string, ciphertext: Uint8Array): Promise<Uint8Array> {
    return this.inTurn(() => this.repository.decryptGroupMessage({ group, authorJid: device, msg: ciphertext }))
  }

  /** Ratchets must not be turned by two at once. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work, work)
    this.turn = done.catch(() => undefined)
    return done
  }
}

function createSession(keys: KeyBundle) {
  const { signedPreKey, preKey } = keys
  const session = {
    registrationId: keys.registrationId,
    identityKey: generateSignalPubKey(keys.identity),
    signedPreKey: {
      keyId: signedPreKey.id,
      publicKey: generateSignalPubKey(signedPreKey.key),
      signature: signedPreKey.signature,
    },
  }
  return preKey ? { ...session, preKey: { keyId: preKey.id, publicKey: generateSignalPubKey(preKey.key) } } : session
}

class MemoryKeys implements SignalKeyStoreWithTransaction {
  private readonly values = new Map<string, unknown>()

  put<T extends keyof SignalDataTypeMap>(type: T, id: string, value: SignalDataTypeMap[T]): void {
    this.values.set(`${type}/${id}`, value)
  }

  get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]): { [id: string]: SignalDataTypeMap[T] } {
    const found: { [id: string]: SignalDataTypeMap[T] } = {}
    for (const id of ids) {
      const value = this.values.get(`${type}/${id}`)
      if (isOfType<SignalDataTypeMap[T]>(value)) found[id] = value
    }
    return found
  }

  set(data: SignalDataSet): void {
    for (const [type, entries] of Object.entries(data)) {
      for (const [id, value] of Object.entries(entries ?? {})) {
        if (value === null || value === undefined) this.values.delete(`${type}/${id}`)
        else this.values.set(`${type}/${id}`, value)
      }
    }
  }

  isInTransaction(): boolean {
    return false
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }
}

/** What was put under a type has that type: the map is private to this file. */
function isOfType<T>(value: unknown): value is T {
  return value !== undefined
}
