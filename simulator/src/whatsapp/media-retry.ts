/** Files leave the media host after a while: a device then asks the phone that sent one to put it there again. */
import { randomBytes } from 'node:crypto'
import { aesEncryptGCM, type BinaryNode, hkdf, proto } from '@whiskeysockets/baileys'
import type { Companion } from './companion'
import { CustomerPhone } from './customer'
import type { MediaRef } from './media'
import { createNode, findChild, toSeconds } from './nodes'
import type { WhatsAppNetwork } from './world'

const { ResultType } = proto.MediaRetryNotification

/** Answers a device's `server-error` receipt, at once or when the phone is on again. */
export function uploadAgain(world: WhatsAppNetwork, companion: Companion, receipt: BinaryNode): void {
  const { id = '' } = receipt.attrs
  const about = findChild(receipt, 'rmr')?.attrs ?? {}
  const phone = about.from_me === 'true' ? companion.company : world.phone(about.participant ?? about.jid)
  const content = phone?.find(id)?.content
  if (!phone || !content || !('media' in content)) return
  const answer = () =>
    companion.push(createRetryAnswer(id, about, content.media, world.media.restore(content.media.path)))
  if (phone instanceof CustomerPhone && !phone.online) phone.inbox.push(answer)
  else answer()
}

function createRetryAnswer(
  id: string,
  about: BinaryNode['attrs'],
  media: MediaRef,
  path: string | undefined,
): BinaryNode {
  const notification = path
    ? { stanzaId: id, directPath: path, result: ResultType.SUCCESS }
    : { stanzaId: id, result: ResultType.NOT_FOUND }
  const plain = proto.MediaRetryNotification.encode(notification).finish()
  const iv = randomBytes(12)
  const key = hkdf(media.key, 32, { info: 'WhatsApp Media Retry Notification' })
  const sealed = aesEncryptGCM(plain, key, iv, Buffer.from(id))
  return createNode('notification', { from: about.jid, type: 'mediaretry', id, t: toSeconds() }, [
    createNode('encrypt', {}, [createNode('enc_p', {}, sealed), createNode('enc_iv', {}, iv)]),
    createNode('rmr', about),
  ])
}
