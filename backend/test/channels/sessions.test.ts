// The library's own Signal sessions between a linked device and a customer's phone, with what we put around them.
import { describe, expect, test } from 'bun:test'
import {
  addTransactionCapability,
  type BinaryNode,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeWAMessage,
  generateRegistrationId,
  generateSignalPubKey,
  initAuthCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
} from '@whiskeysockets/baileys'
import { Envelopes, persistBeforeReceipt } from '../../src/messaging/channels/baileys/before-receipt.ts'
import { createLibraryLogger, silenceSignal } from '../../src/messaging/channels/baileys/library-logger.ts'

silenceSignal()

const COMPANY = '100000000000001:1@lid'
const CUSTOMER = '200000000000002@lid'
const log = createLibraryLogger({ info() {}, warn() {}, error() {} }, 1)

/** Keys in memory that can be made to take a while, as a database does: two who use a session at once meet. */
class Keys {
  private readonly values = new Map<string, unknown>()
  private slow: Promise<void> = Promise.resolve()

  /** Does one step after the other, each as far as it comes without an answer of the store. */
  async holdWhile(...steps: (() => unknown)[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.slow = promise
    for (const step of steps) {
      step()
      await aWhile()
    }
    resolve()
  }

  async get<T extends keyof SignalDataTypeMap>(
    type: T,
    ids: string[],
  ): Promise<{ [id: string]: SignalDataTypeMap[T] }> {
    await this.slow
    const found: { [id: string]: SignalDataTypeMap[T] } = {}
    for (const id of ids) {
      const value = this.values.get(`${type}/${id}`)
      if (isThere<SignalDataTypeMap[T]>(value)) found[id] = value
    }
    return found
  }

  set(data: SignalDataSet): void {
    for (const [type, byId] of Object.entries(data))
      for (const [id, value] of Object.entries(byId ?? {})) this.values.set(`${type}/${id}`, value)
  }
}

async function aWhile(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(next => setImmediate(next))
}

function isThere<T>(value: unknown): value is T {
  return value !== undefined && value !== null
}

type Repository = ReturnType<typeof DEFAULT_CONNECTION_CONFIG.makeSignalRepository>
type Desk = Parameters<typeof persistBeforeReceipt>[2]

/** A device or phone with its own keys, and what others need to write to it first. */
function party(desk?: Desk) {
  const creds = { ...initAuthCreds(), registrationId: generateRegistrationId() }
  const stored = new Keys()
  const keys = addTransactionCapability(stored, log, { maxCommitRetries: 1, delayBetweenTriesMs: 1 })
  const envelopes = new Envelopes()
  const make = desk
    ? persistBeforeReceipt(envelopes, () => ({ id: '55311@s.whatsapp.net', lid: COMPANY }), desk)
    : DEFAULT_CONNECTION_CONFIG.makeSignalRepository
  const repository: Repository = make({ creds, keys }, log, async () => [])
  let nextPreKey = 1
  return {
    keys,
    stored,
    envelopes,
    repository,
    async bundle() {
      const keyId = nextPreKey++
      const pair = Curve.generateKeyPair()
      await keys.set({ 'pre-key': { [String(keyId)]: pair } })
      const { signedPreKey } = creds
      return {
        registrationId: creds.registrationId,
        identityKey: generateSignalPubKey(creds.signedIdentityKey.public),
        signedPreKey: {
          keyId: signedPreKey.keyId,
          publicKey: generateSignalPubKey(signedPreKey.keyPair.public),
          signature: signedPreKey.signature,
        },
        preKey: { keyId, publicKey: generateSignalPubKey(pair.public) },
      }
    },
  }
}

/** A customer who has written to the company once, and the company's device with a desk behind it. */
async function conversation({ answered = true } = {}) {
  const taken: string[] = []
  const confirmed: (string | undefined)[] = []
  const desk = { refuses: false, knows: true, taken, confirmed }
  const device = party({
    async take(message) {
      if (desk.refuses) throw new Error('The line was cut')
      taken.push(message.key.id ?? '')
    },
    knows: async () => desk.knows,
    confirm: async ({ attrs }) => void confirmed.push(attrs.id),
  })
  const phone = party()
  await phone.repository.injectE2ESession({ jid: COMPANY, session: await device.bundle() })

  async function write(id: string) {
    const data = encodeWAMessage({ conversation: id })
    const { type, ciphertext } = await phone.repository.encryptMessage({ jid: COMPANY, data })
    const attrs = { id, from: CUSTOMER, t: '1700000000', type: 'text', addressing_mode: 'lid' }
    const stanza: BinaryNode = {
      tag: 'message',
      attrs,
      content: [{ tag: 'enc', attrs: { type }, content: ciphertext }],
    }
    device.envelopes.note(stanza)
    return { jid: CUSTOMER, type, ciphertext }
  }
  const open = (sealed: Awaited<ReturnType<typeof write>>) => device.repository.decryptMessage(sealed)
  const answer = () =>
    device.repository.encryptMessage({ jid: CUSTOMER, data: encodeWAMessage({ conversation: 'Resposta' }) })
  const reads = async (sealed: Awaited<ReturnType<typeof answer>>) =>
    phone.repository.decryptMessage({ jid: COMPANY, ...sealed })

  await open(await write('FIRST'))
  if (answered) await reads(await answer())
  return { desk, device, phone, write, open, answer, reads }
}

describe('a session', () => {
  /** As the library sends: it encrypts and passes on in one transaction, which fails when the line is cut. Meanwhile a message is opened. */
  async function openWhileSending(it: Awaited<ReturnType<typeof conversation>>, line: 'holds' | 'is cut') {
    const message = await it.write('SECOND')
    const send = async () => {
      await it.answer()
      await aWhile()
      if (line === 'is cut') throw new Error('Connection Closed')
    }
    const work: Promise<unknown>[] = []
    await it.device.stored.holdWhile(
      () => work.push(it.device.keys.transaction(send, 'everything we send')),
      () => work.push(it.open(message)),
    )
    const [sent, opened] = (await Promise.allSettled(work)).map(({ status }) => status)
    return { message, sent, opened }
  }

  test('does not move on with an answer sent while a message is opened and refused', async () => {
    const it = await conversation()
    it.desk.refuses = true
    const { message, ...ends } = await openWhileSending(it, 'holds')
    expect(ends).toEqual({ sent: 'fulfilled', opened: 'rejected' })
    it.desk.refuses = false
    await it.open(message)
    expect(it.desk.taken).toEqual(['FIRST', 'SECOND'])
  })

  test('does not go back with a send that fails while a message is opened', async () => {
    const it = await conversation()
    const { message, ...ends } = await openWhileSending(it, 'is cut')
    expect(ends).toEqual({ sent: 'rejected', opened: 'fulfilled' })
    await expect(it.open(message)).rejects.toThrow()
    await it.reads(await it.answer())
    await it.open(await it.write('THIRD'))
    expect(it.desk.taken).toEqual(['FIRST', 'SECOND', 'THIRD'])
  })

  test('just begun is not spoilt by messages still on their way in an older one', async () => {
    const it = await conversation()
    const onItsWay = await it.write('SECOND')
    await it.device.repository.injectE2ESession({ jid: CUSTOMER, session: await it.phone.bundle() })
    await it.open(onItsWay)
    await it.reads(await it.answer())
    await it.open(await it.write('THIRD'))
    expect(it.desk.taken).toEqual(['FIRST', 'SECOND', 'THIRD'])
  })
})

describe('a message whose key was used', () => {
  async function again(stored: boolean) {
    const it = await conversation({ answered: false })
    it.desk.knows = stored
    const message = await it.write('SECOND')
    await it.open(message)
    const why = await it.open(message).catch((error: Error) => error.message)
    return [why, it.desk.confirmed.length]
  }

  test('and that is stored is a repeat, in the words the library drops it for; its receipt goes out, for it may never have', async () => {
    expect(await again(true)).toEqual(['Key used already or never filled', 1])
  })

  test('and that is not stored has to come again', async () => {
    expect(await again(false)).toEqual(['The key was used, but the message is not here', 0])
  })
})
