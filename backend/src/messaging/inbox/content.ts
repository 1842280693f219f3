// What a message says, as the row that keeps it, and the card that stands for one nobody can read yet.

import type { InboundMessage } from '../../platform/channel/driver.ts'
import { UNREADABLE } from '../../platform/channel/driver.ts'
import type { Named } from './batch.ts'
import { toStoredQuote } from './quotes.ts'

export function isCard(event: InboundMessage): boolean {
  return event.mediaType === 'unknown' && event.body === UNREADABLE
}

/** What a message says, as the row that keeps it. */
export function toMessageColumns(event: Named<InboundMessage>) {
  const { body, memberMentions, mediaType, media, details, secret, forward, raw } = event
  return {
    // NUL cannot be stored; everything else a person can send can be.
    body: body.replaceAll('\u0000', ''),
    member_mentions: memberMentions ?? null,
    media_type: mediaType,
    media: media
      ? {
          state: 'pending',
          name: media.name ?? '',
          mime: media.mime,
          size: media.size ?? null,
          seconds: media.seconds ?? null,
          width: media.width ?? null,
          height: media.height ?? null,
          voice: media.voice ?? false,
          waveform: media.waveform ?? null,
          error: null,
        }
      : null,
    details: details ?? null,
    secret: secret ?? null,
    quote: toStoredQuote(event),
    forward: forward ?? null,
    raw: { event: raw ?? null, ...(media ? { handle: media } : {}) },
  }
}
