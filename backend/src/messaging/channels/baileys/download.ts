// Files: fetched, decrypted and streamed; one that the server dropped is uploaded again by the phone, once.
import { DEF_MEDIA_HOST, downloadContentFromMessage, type proto } from '@whiskeysockets/baileys'
import { ChannelError, type MediaHandle } from '../../../platform/channel/driver.ts'
import { toReadableStream } from '../shared/readable-stream.ts'
import { verifyFileStream } from '../shared/verify-file.ts'
import { findMessageFile, type MessageFile } from './files.ts'
import type { Socket } from './link.ts'
import { isPlain, type PlainMessage, toProtoMessage } from './plain-message.ts'
import { getDisconnectCode } from './reconnect.ts'

const GONE = new Set([403, 404, 410])

/** Throws `ChannelError`: `no_file` when it cannot be had any more, `not_connected` when only a new upload would help. */
export async function download(
  media: MediaHandle,
  sock: Socket | null,
  server: string | null,
): Promise<ReadableStream<Uint8Array>> {
  const { handle } = media
  const found = findMessageFile(toProtoMessage(handle))
  if (!found || !isPlain(handle)) throw new ChannelError('no_file', 'This message has no file')
  if (found.still) return new Blob([new Uint8Array(found.still)]).stream()
  try {
    return await stream(found, server)
  } catch (error) {
    if (!GONE.has(getDisconnectCode(error)))
      throw new ChannelError(String(getDisconnectCode(error) || 'network'), 'The file did not come')
  }
  if (!sock) throw new ChannelError('not_connected', 'The phone has to upload this file again')
  return stream(await uploadedAgain(sock, handle, found), server)
}

async function uploadedAgain(sock: Socket, handle: PlainMessage, found: MessageFile): Promise<MessageFile> {
  // By itself: the library does not know every card with a file at its head.
  const message: proto.IMessage = { [found.field]: found.file }
  try {
    // The library looks for the new upload on the host it learned last.
    await sock.refreshMediaConn(false)
    const renewed = await sock.updateMediaMessage({ key: handle.key, message })
    return findMessageFile(renewed.message) ?? found
  } catch {
    throw new ChannelError('no_file', 'The phone does not have this file any more')
  }
}

async function stream(found: MessageFile, server: string | null): Promise<ReadableStream<Uint8Array>> {
  const url = resolveDownloadUrl(found.file, server)
  if (!url) throw new ChannelError('no_file', 'This message has no file')
  const source = await downloadContentFromMessage({ mediaKey: found.file.mediaKey, url }, found.type)
  const hash = found.file.fileSha256
  const sha256 = hash?.length ? Buffer.from(hash).toString('base64') : undefined
  return verifyFileStream(
    toReadableStream(source, error => source.destroy(error)),
    { sha256 },
  )
}

/** What a message says of where its file lies. */
type Downloadable = Parameters<typeof downloadContentFromMessage>[0]

/**
 * Where a file lies: on a host of WhatsApp, or of the server that stands in for it. Host and path are the sender's words, and
 * whatever else they name would be asked from inside this machine's network. The path goes to the host named, otherwise to WhatsApp's own.
 */
export function resolveDownloadUrl({ directPath, url }: Downloadable, server: string | null): string | null {
  const named = URL.parse(url ?? '')
  const isTheirs = named !== null && isMediaHost(named, server)
  if (!directPath) return isTheirs ? named.href : null
  const base = `https://${isTheirs ? named.host : DEF_MEDIA_HOST}`
  const whole = directPath.startsWith('/') ? URL.parse(`${base}${directPath}`) : null
  return whole?.origin === base ? whole.href : null
}

function isMediaHost({ protocol, hostname }: URL, server: string | null): boolean {
  const stands = server === null ? null : new URL(server).hostname
  if (stands !== null && (hostname === stands || (isHere(hostname) && isHere(stands)))) return true
  return protocol === 'https:' && /(^|\.)whatsapp\.net$/.test(hostname)
}

function isHere(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}
