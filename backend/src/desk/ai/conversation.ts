// A conversation as the AI reads it: one line a message, by who wrote it. Names and numbers on file stay here: it reads of a customer
// and of attendants.
import { getMessageKind, type MediaType, type Message, stripSignature } from '@balcao/contract'
import type { Db } from '../../platform/database/client.ts'
import { getSql } from '../../platform/database/raw.ts'

const MOST_MESSAGES = 200
const MOST_CHARACTERS = 24_000

/** The latest messages of a ticket, oldest first, one line each; as many as fit. Without `comments` nothing internal is among them. */
export async function readConversation(db: Db, ticketId: number, comments = true): Promise<string> {
  const rows = await getSql(db)<Row[]>`
    select m.body, m.from_me as "fromMe", m.media_type as "mediaType", m.transcription, m.user_id as "userId" from message m
    where m.ticket_id = ${ticketId} and not m.is_deleted and m.media_type <> 'system' and (${comments} or m.media_type <> 'comment')
    order by m.at desc nulls last, m.seq desc nulls last limit ${MOST_MESSAGES}`
  const lines: string[] = []
  let left = MOST_CHARACTERS
  for (const row of rows) {
    const line = formatLine(row)
    if (line === null) continue
    left -= line.length
    if (left < 0) break
    lines.unshift(line)
  }
  return lines.join('\n')
}

type Row = Pick<Message, 'body' | 'fromMe' | 'mediaType' | 'transcription' | 'userId'>

function formatLine({ body, fromMe, mediaType, transcription, userId }: Row): string | null {
  if (mediaType === 'comment') return `Comentário interno: ${onOneLine(body)}`
  const speaker = !fromMe ? 'Cliente' : userId === null ? 'Empresa' : 'Atendente'
  const contents = readWords({ body, fromMe, mediaType, transcription })
  const kind = KINDS[mediaType]
  const text = [kind && `[${kind}]`, contents].filter(part => part).join(' ')
  return text === '' ? null : `${speaker}: ${onOneLine(text)}`
}

/** What somebody said in a message: their words or their recording's, never a card, a place or what is paid with. */
export function readWords({ body, fromMe, mediaType, transcription }: Omit<Row, 'userId'>): string {
  const words = (fromMe ? stripSignature(body) : body).trim()
  return (isWorded(mediaType) ? words : '') || (transcription ?? '')
}

/** A line is somebody's words: whoever writes several must not write one for somebody else. */
export function onOneLine(text: string): string {
  return text.replace(/[\s\u0085]+/g, blanks => (/[\n\r\v\f\u0085\u2028\u2029]/.test(blanks) ? ' / ' : blanks))
}

/** Places, contact cards and what is paid with are names and numbers: that one was sent is enough. */
function isWorded(type: MediaType): boolean {
  return getMessageKind(type).body === 'words' && type !== 'payment'
}

const KINDS: Partial<Record<MediaType, string>> = {
  image: 'foto',
  audio: 'áudio',
  video: 'vídeo',
  application: 'documento',
  sticker: 'figurinha',
  location: 'localização',
  vcard: 'contato',
  contact_array: 'contatos',
  order: 'pedido',
  product: 'produto',
  payment: 'pagamento',
  event: 'evento',
  poll: 'enquete',
  form: 'formulário',
  call_log: 'chamada perdida',
}
