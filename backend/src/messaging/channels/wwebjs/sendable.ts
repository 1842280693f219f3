// What is to be sent, as the library takes it.
import { readFile } from 'node:fs/promises'
import wweb from 'whatsapp-web.js'
import type { SendCommand } from './protocol.ts'

type Sendable = Parameters<wweb.Client['sendMessage']>[1]

/** Reads the file where there is one. */
export async function toSendable(
  command: SendCommand,
): Promise<{ content: Sendable; options: wweb.MessageSendOptions }> {
  switch (command.kind) {
    case 'text':
      return {
        content: command.text,
        options: { parseVCards: false, ...(command.mentions?.length && { mentions: [...command.mentions] }) },
      }
    case 'media': {
      const { path, mime, name, caption, as, loops } = command
      const content = new wweb.MessageMedia(mime, (await readFile(path)).toString('base64'), name)
      return {
        content,
        options: {
          ...(caption && { caption }),
          ...(loops && { sendVideoAsGif: true }),
          ...(as === 'voice' && { sendAudioAsVoice: true }),
          ...(as === 'document' && { sendMediaAsDocument: true }),
          ...(as === 'sticker' && { sendMediaAsSticker: true }),
        },
      }
    }
    case 'location':
      return {
        content: new wweb.Location(command.lat, command.lng, command.name ? { name: command.name } : {}),
        options: {},
      }
    case 'contacts': {
      const [first] = command.cards
      if (first && command.cards.length === 1) return { content: first.vcard, options: { parseVCards: true } }
      // The library makes several cards of contacts the phone knows only.
      const vcardList = command.cards.map(({ name, vcard }) => ({ displayName: name, vcard }))
      return { content: '', options: { extra: { type: 'multi_vcard', vcardList, body: null } } }
    }
  }
}
