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
import { whileOpening } from './auth-store.ts'
import { plainJid, type Self } from './peers.ts'

type MakeRepository = SocketConfig['makeSignalRepository']
type Take = (message: WAMessage, replay: boolean) => Promise<void>

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

/**
 * A Signal repository that gives every decrypted message to `take` inside the Signal transaction. If `take` fails, the
 * session does not move on and no receipt goes out, so WhatsApp sends the message again; if the process dies after
 * `take`, it comes again and is known.
 *
 * The library knows a transaction by its async context. Whatever `take` sets off (an answer, a subscription) must not run in
 * that context: its key writes would join a transaction that is over by then, and be lost. So `take` runs outside of it.
 */
export function repositoryThatTellsFirst(
  envelopes: Envelopes,
  self: () => Self | undefined,
  take: Take,
): MakeRepository {
  return (auth, logger, findLids) => {
    const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, findLids)
    const { decryptMessage, decryptGroupMessage } = repository
    const outside = AsyncLocalStorage.snapshot()
    const tell = async (ciphertext: Uint8Array, plain: Uint8Array) => {
      const me = self()
      const stanza = envelopes.of(ciphertext)
      const message = stanza && me && opened(stanza, plain, me)
      if (message) await outside(() => take(message, Boolean(stanza.attrs.offline)))
      return plain
    }
    const { keys } = auth
    const together = <T>(work: () => Promise<T>, jid: string) =>
      whileOpening(() => (hasTransactions(keys) ? keys.transaction(work, jid) : work()))
    return Object.assign(repository, {
      decryptMessage: (sealed: Parameters<typeof decryptMessage>[0]) =>
        together(async () => tell(sealed.ciphertext, await decryptMessage.call(repository, sealed)), sealed.jid),
      decryptGroupMessage: (sealed: Parameters<typeof decryptGroupMessage>[0]) =>
        together(async () => tell(sealed.msg, await decryptGroupMessage.call(repository, sealed)), sealed.group),
    })
  }
}

/** The message as the library will make it a moment later; undefined for what devices say among themselves. */
function opened(stanza: BinaryNode, plain: Uint8Array, self: Self): WAMessage | undefined {
  if (stanza.attrs.category === 'peer') return undefined
  const { fullMessage } = decodeMessageNode(stanza, self.id, self.lid ?? '')
  const decoded = proto.Message.decode(unpadRandomMax16(plain))
  const message = { ...fullMessage, message: decoded.deviceSentMessage?.message ?? decoded }
  cleanMessage(message, plainJid(self.id), self.lid ? plainJid(self.lid) : '')
  return message
}

function hasTransactions(keys: object): keys is SignalKeyStoreWithTransaction {
  return 'transaction' in keys
}
