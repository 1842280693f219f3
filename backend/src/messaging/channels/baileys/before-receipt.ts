// The library confirms a message to WhatsApp before anybody saw it. Here the message reaches the desk, committed, in the
// moment it is decrypted: before its receipt, and before the key that opened it is used up.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type BinaryNode,
  cleanMessage,
  DEFAULT_CONNECTION_CONFIG,
  decodeMessageNode,
  proto,
  type SignalKeyStoreWithTransaction,
  type SocketConfig,
  unpadRandomMax16,
  type WAMessage,
} from '@whiskeysockets/baileys'
import { type ArrivalTurn, getArrivalTurn, isOpenedBesideOthers } from './arrival-turns.ts'
import { runWhileOpening } from './auth-store.ts'
import { normalizeJid, type PairedAccount } from './peers.ts'
import { preserveOtherSessions } from './sessions.ts'
import { createTurnQueue } from './turn-queue.ts'

type MakeRepository = SocketConfig['makeSignalRepository']

/** Knows which stanza a ciphertext came in; the library hands on the very same bytes. */
export class Envelopes {
  private readonly stanzas = new WeakMap<Uint8Array, BinaryNode>()

  note(stanza: BinaryNode): void {
    if (!Array.isArray(stanza.content)) return
    for (const { tag, content } of stanza.content)
      if (tag === 'enc' && content instanceof Uint8Array) this.stanzas.set(content, stanza)
  }

  of(ciphertext: Uint8Array): BinaryNode | undefined {
    return this.stanzas.get(ciphertext)
  }
}

/** What the desk has to do with a message that is being opened. */
export interface ReceiptHooks {
  /**
   * Resolves once it is committed. `bytes` is all that came, also what the library's definitions do not know. Through `hand` it is told after
   * what came before.
   */
  take(message: WAMessage, replay: boolean, bytes: Uint8Array, hand: ArrivalTurn['hand']): Promise<void>
  /** Whether a message with this id is stored. */
  knows(id: string): Promise<boolean>
  /** Sends the receipt of a message that was stored before. */
  confirm(stanza: BinaryNode): Promise<void>
}

/** Outside of every transaction: the library knows one by its async context. */
const outside = AsyncLocalStorage.snapshot()

/** libsignal queues its work by address, for the whole process, and runs what waits in the context of what went before. So nothing waits there. */
const atLibsignal = createTurnQueue()

/**
 * A Signal repository that gives every decrypted message to the desk inside the Signal transaction. If the desk fails, the
 * session does not move on and no receipt goes out, so WhatsApp sends the message again; if the process dies after
 * `take`, it comes again and is known.
 *
 * Whatever `take` sets off (an answer, a subscription) must not run in the transaction's context: its key writes would join
 * a transaction that is over by then, and be lost. So `take` runs outside of it.
 *
 * For the same reason a session is used by one at a time, each in a transaction of its own. The library encrypts inside the
 * transaction of the whole send, beside a decryption with the same person: a session moved on with a send before the message was
 * stored, or went back when the send failed.
 */
export function persistBeforeReceipt(
  envelopes: Envelopes,
  self: () => PairedAccount | undefined,
  desk: ReceiptHooks,
): MakeRepository {
  return (auth, logger, findLids) => {
    const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, findLids)
    const { decryptMessage, decryptGroupMessage, encryptMessage, injectE2ESession } = repository
    const { keys } = auth
    const atSession = createTurnQueue()
    const transaction = <T>(work: () => Promise<T>, name: string) =>
      hasTransactions(keys) ? keys.transaction(work, name) : work()

    const alone = async <T>(jid: string, work: (address: string) => Promise<T>, entered = () => {}) => {
      const address = repository.jidToSignalProtocolAddress((await repository.lidMapping.getLIDForPN(jid)) ?? jid)
      const done = atSession(address, () => transaction(() => work(address), address))
      entered()
      return done
    }

    const tell = async (ciphertext: Uint8Array, plain: Uint8Array, { hand }: ArrivalTurn) => {
      const me = self()
      const stanza = envelopes.of(ciphertext)
      if (!stanza || !me || stanza.attrs.category === 'peer') return plain
      const bytes = unpadRandomMax16(plain)
      const message = opened(stanza, bytes, me)
      await outside(() => desk.take(message, Boolean(stanza.attrs.offline), bytes, hand))
      return plain
    }

    /**
     * The library drops a message whose key was used, for it must have been received before. Where it was not, it has to come again; where it
     * was, the process may have died before its receipt.
     */
    const unlessStored = async (ciphertext: Uint8Array, error: unknown): Promise<never> => {
      const stanza = envelopes.of(ciphertext)
      const { id, category } = stanza?.attrs ?? {}
      const used = error instanceof Error && error.message === KEY_USED
      if (used && stanza && id && category !== 'peer') {
        if (!(await outside(() => desk.knows(id)))) throw new Error('The key was used, but the message is not here')
        await outside(() => desk.confirm(stanza))
      }
      throw error
    }

    return Object.assign(repository, {
      decryptMessage(sealed: Parameters<typeof decryptMessage>[0]) {
        const { jid, type, ciphertext } = sealed
        const decrypt = async (address: string) => {
          const open = () => atLibsignal(address, () => decryptMessage.call(repository, sealed))
          return type === 'msg' ? preserveOtherSessions(keys, address, open) : open()
        }
        const open = (address: string) => decrypt(address).catch(error => unlessStored(ciphertext, error))
        const turn = getArrivalTurn()
        const openInTurn = async () => {
          const isBesideOthers = isOpenedBesideOthers(envelopes.of(ciphertext))
          await turn.begin(isBesideOthers)
          const entered = isBesideOthers ? turn.enter : undefined
          return alone(jid, async address => tell(ciphertext, await open(address), turn), entered)
        }
        return outside(() => runWhileOpening(openInTurn))
      },
      decryptGroupMessage(sealed: Parameters<typeof decryptGroupMessage>[0]) {
        const open = () => decryptGroupMessage.call(repository, sealed)
        const turn = getArrivalTurn()
        return runWhileOpening(async () => {
          await turn.begin(false)
          return transaction(async () => tell(sealed.msg, await open(), turn), sealed.group)
        })
      },
      encryptMessage(plain: Parameters<typeof encryptMessage>[0]) {
        const seal = (address: string) => atLibsignal(address, () => encryptMessage.call(repository, plain))
        return outside(() => alone(plain.jid, seal))
      },
      injectE2ESession(fresh: Parameters<typeof injectE2ESession>[0]) {
        const begin = (address: string) => atLibsignal(address, () => injectE2ESession.call(repository, fresh))
        return outside(() => alone(fresh.jid, begin))
      },
    })
  }
}

/** libsignal's words for a key that is gone. */
const KEY_USED = 'Key used already or never filled'

/** The message as the library will make it a moment later. */
function opened(stanza: BinaryNode, bytes: Uint8Array, self: PairedAccount): WAMessage {
  const { fullMessage } = decodeMessageNode(stanza, self.id, self.lid ?? '')
  const decoded = proto.Message.decode(bytes)
  const inner = decoded.deviceSentMessage?.message
  // Of what our own phone sends the secret may stand outside.
  if (inner) inner.messageContextInfo ??= decoded.messageContextInfo ?? null
  const message = { ...fullMessage, message: inner ?? decoded }
  cleanMessage(message, normalizeJid(self.id), self.lid ? normalizeJid(self.lid) : '')
  return message
}

function hasTransactions(keys: object): keys is SignalKeyStoreWithTransaction {
  return 'transaction' in keys
}
