// Files: fetched, decrypted and streamed; one that the server dropped is uploaded again by the phone, once.
import type { Readable } from 'node:stream'
import {
  downloadContentFromMessage,
  type MediaType,
  normalizeMessageContent,
  type proto,
} from '@whiskeysockets/baileys'
import { ChannelError, type MediaHandle } from '../driver.ts'
import type { Socket } from './link.ts'
import { isPlain, messageOf, type PlainMessage } from './plain.ts'
import { codeOf } from './reconnect.ts'

const GONE = new Set([403, 404, 410])

/** Throws `ChannelError`: `no_file` when it cannot be had any more, `not_connected` when only a new upload would help. */
export async function download(media: MediaHandle, sock: Socket | null): Promise<ReadableStream<Uint8Array>> {
  const { handle } = media
  const message = messageOf(handle)
  if (!message || !isPlain(handle)) throw new ChannelError('no_file', 'This message has no file')
  try {
    return await stream(message)
  } catch (error) {
    if (!GONE.has(codeOf(error))) throw new ChannelError(String(codeOf(error) || 'network'), 'The file did not come')
  }
  if (!sock) throw new ChannelError('not_connected', 'The phone has to upload this file again')
  return stream(await uploadedAgain(sock, handle, message))
}

async function uploadedAgain(sock: Socket, handle: PlainMessage, message: proto.IMessage): Promise<proto.IMessage> {
  try {
    // The library looks for the new upload on the host it learned last.
    await sock.refreshMediaConn(false)
    const renewed = await sock.updateMediaMessage({ key: handle.key, message })
    return renewed.message ?? message
  } catch {
    throw new ChannelError('no_file', 'The phone does not have this file any more')
  }
}

async function stream(message: proto.IMessage): Promise<ReadableStream<Uint8Array>> {
  const found = fileOf(message)
  if (!found) throw new ChannelError('no_file', 'This message has no file')
  return webStream(await downloadContentFromMessage(found.file, found.type))
}

const SILENCE_MS = 60_000

/** Pulled as it is read; a source that falls silent is given up, for a broken download does not end by itself. */
function webStream(source: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const timer = setTimeout(() => source.destroy(new ChannelError('timeout', 'The file stopped coming')), SILENCE_MS)
      try {
        const next = await chunks.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      } catch (error) {
        controller.error(error)
      } finally {
        clearTimeout(timer)
      }
    },
    cancel() {
      source.destroy()
    },
  })
}

function fileOf(
  message: proto.IMessage,
): { type: MediaType; file: Parameters<typeof downloadContentFromMessage>[0] } | null {
  const content = normalizeMessageContent(message)
  if (!content) return null
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = content
  if (imageMessage) return { type: 'image', file: imageMessage }
  if (videoMessage) return { type: 'video', file: videoMessage }
  if (ptvMessage) return { type: 'ptv', file: ptvMessage }
  if (audioMessage) return { type: 'audio', file: audioMessage }
  if (documentMessage) return { type: 'document', file: documentMessage }
  return stickerMessage ? { type: 'sticker', file: stickerMessage } : null
}
