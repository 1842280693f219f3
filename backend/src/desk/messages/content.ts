// What a message of ours says and brings: as it stands in the conversation, and as the channel is handed it.
import type { Menu } from '@balcao/contract'
import type { ForwardMark, QuoteRef } from '../../platform/channel/driver.ts'
import type { FileToSend } from '../media/table.ts'
import { toMessageFileColumns } from '../media/to-send.ts'
import { renderMemberNames } from './member-names.ts'
import type { NamedMember } from './table.ts'

/** Whom a text names, and their addresses, as the channel wants them. */
export interface NamedMembers {
  readonly members: readonly NamedMember[]
  readonly mentions: readonly string[]
}

export interface MessageContent {
  /** A text, or what stands under the file. */
  readonly body: string
  readonly file?: FileToSend | null | undefined
  readonly quote?: QuoteRef | null
  readonly forward?: ForwardMark
  readonly menu?: Menu | undefined
  /** Of a text that names members of a group. */
  readonly members?: NamedMembers | undefined
}

/** The columns of the message, and what goes out. */
export function toContentColumns({ body, file, quote, forward, menu, members }: MessageContent) {
  const more = { ...(quote && { quote }), ...(forward && { forward }) }
  if (!file) {
    const payload = {
      type: 'text',
      text: body,
      ...(menu && { menu }),
      ...(members && { mentions: members.mentions }),
      ...more,
    } as const
    return { ...nameInText(body, members?.members ?? []), forward, mediaType: 'chat', payload } as const
  }
  const { mediaId, mediaType, mime, name, voice, seconds, waveform } = file
  const sound = { ...(voice && { voice }), ...(seconds && { seconds }), ...(voice && waveform && { waveform }) }
  const caption = body.trim() === '' ? {} : { caption: body }
  const payload = { type: 'media', media: mediaType, mediaId, mime, name, ...caption, ...sound, ...more } as const
  return { body, forward, ...toMessageFileColumns(file), payload }
}

function nameInText(text: string, members: readonly NamedMember[]) {
  if (members.length === 0) return { body: text }
  return { body: renderMemberNames(text, members), memberMentions: { text, members } }
}

/** A text and files as the messages they become: the text under the first file, but behind recordings, which take none. */
export function toMessageContents(text: string, files: readonly FileToSend[]): MessageContent[] {
  const isCaption = files.length > 0 && files[0]?.mediaType !== 'audio'
  const brought = files.map((file, at) => ({ body: at === 0 && isCaption ? text : '', file }))
  return isCaption || text.trim() === '' ? brought : [...brought, { body: text }]
}
