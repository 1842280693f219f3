// One chat of one phone, whatever network carries it. The page and its calls know only this.
import type { Bubble, PhoneFile, SampleMessage, SendRequestBody, Typing } from './model.ts'

export interface LineFile {
  bytes: Uint8Array
  mime: string
  name?: string
}

/** A file as it comes from the page. */
export type UploadedFile = PhoneFile & LineFile

export interface PhoneLine {
  readonly id: string
  readonly name: string
  /** As people read it. */
  readonly number: string
  readonly subtitle: string
  readonly canCall: boolean
  readonly canEdit: boolean
  /** The owner blocked this number: nothing from it arrives any more. */
  readonly blocked: boolean
  /** What of the samples this network carries. */
  readonly samples: readonly SampleMessage[]
  /** The newest messages, oldest first. */
  bubbles(limit: number): Bubble[]
  unread(): number
  typing(): Typing | undefined
  file(id: string): Promise<LineFile | undefined>
  send(sending: SendRequestBody): Promise<unknown>
  sendFile(file: UploadedFile): Promise<unknown>
  edit(id: string, text: string): Promise<unknown>
  remove(id: string): Promise<unknown>
  react(id: string, emoji: string): Promise<unknown>
  read(): void
  played(id: string): void
  showTyping(state: Typing | 'paused'): void
  call(video: boolean): void
  block(on: boolean): void
}

/** What the page asks for cannot be done; the text is for the person in front of it. */
export class ActionError extends Error {}

/** As WhatsApp: who blocked somebody has to take that back before writing. */
export function refuseIfBlocked(line: PhoneLine): void {
  if (line.blocked) throw new ActionError(`Desbloqueie ${line.name} para escrever.`)
}

const KIND_NAMES: Record<Bubble['kind'] | 'reaction', [one: string, many: string]> = {
  text: ['texto', 'textos'],
  image: ['foto', 'fotos'],
  video: ['vídeo', 'vídeos'],
  audio: ['áudio', 'áudios'],
  voice: ['áudio', 'áudios'],
  document: ['documento', 'documentos'],
  sticker: ['figurinha', 'figurinhas'],
  location: ['local', 'locais'],
  contacts: ['contato', 'contatos'],
  call: ['chamada', 'chamadas'],
  poll: ['enquete', 'enquetes'],
  card: ['cartão', 'cartões'],
  reaction: ['reação', 'reações'],
  unknown: ['mensagem', 'mensagens'],
}

/** A kind of message as a word in a sentence: 'enviou foto', 'enviou 3 fotos'. */
export function nameKind(kind: Bubble['kind'] | 'reaction', many = false): string {
  return KIND_NAMES[kind][many ? 1 : 0]
}

/** One line of words for a message: in lists, quotes and previews. */
export function formatPreview(bubble: Bubble | undefined): string {
  if (!bubble) return ''
  if (bubble.deleted) return 'Mensagem apagada'
  const name = nameKind(bubble.kind)
  return (
    bubble.text?.replace(/\*([^*\n]+)\*/g, '$1') ||
    bubble.file?.name ||
    bubble.contacts?.[0]?.name ||
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  )
}
