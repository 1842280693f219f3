// What the desk sends → what the child is asked for.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DriverHost, Outgoing, SendResult } from '../../../platform/channel/driver.ts'
import { readVcard } from '../../../platform/channel/vcard.ts'
import { convertFile } from '../shared/convert-file.ts'
import { toWebRef, toWid } from './peers.ts'
import type { SendCommand } from './protocol.ts'

export type WebOutgoing = Extract<Outgoing, { type: 'text' | 'media' | 'location' | 'contacts' }>

/** The command for a message, and what is to be put away when it is done. Throws `ChannelError` where a file is gone. */
export async function buildSendCommand(
  to: string,
  message: WebOutgoing,
  host: Pick<DriverHost, 'openMedia'>,
): Promise<{ command: SendCommand; done: () => Promise<void> }> {
  const { quote, forward } = message
  const base = {
    c: 'send' as const,
    to: toWid(to),
    ...(quote && { quote: toWebRef(quote) }),
    ...(forward && { forward }),
  }
  const nothing = async () => {}
  switch (message.type) {
    case 'text': {
      const mentions = message.mentions?.map(toWid)
      return {
        command: { ...base, kind: 'text', text: message.text, ...(mentions?.length && { mentions }) },
        done: nothing,
      }
    }
    case 'location':
      return {
        command: {
          ...base,
          kind: 'location',
          lat: message.lat,
          lng: message.lng,
          ...(message.name && { name: message.name }),
        },
        done: nothing,
      }
    case 'contacts': {
      const cards = message.vcards.map(vcard => ({ name: readVcard(vcard).name, vcard }))
      return { command: { ...base, kind: 'contacts', cards }, done: nothing }
    }
    case 'media': {
      const { as, content, mime, name, voice, loops } = await convertFile('wwebjs', host, message)
      const { caption } = message
      const media = {
        ...base,
        kind: 'media' as const,
        name,
        mime,
        as: as === 'application' ? ('document' as const) : voice ? ('voice' as const) : as,
        ...(loops && { loops }),
        ...(caption && { caption }),
      }
      if ('path' in content) return { command: { ...media, path: content.path }, done: nothing }
      const folder = await mkdtemp(join(tmpdir(), 'balcao-made-'))
      const path = join(folder, 'made')
      await writeFile(path, content.bytes)
      return { command: { ...media, path }, done: () => rm(folder, { recursive: true, force: true }) }
    }
  }
}

export const NOT_CONNECTED: SendResult = {
  ok: false,
  outcome: 'retry',
  code: 'not_connected',
  text: 'The connection is not open',
  afterMs: 5000,
}

export const NO_TEMPLATES: SendResult = {
  ok: false,
  outcome: 'refused',
  code: 'not_supported',
  text: 'Templates belong to the official API',
}
