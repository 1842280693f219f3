// "O que aconteceu": events of both networks as short Portuguese sentences; the same thing again within moments is counted.
import type { GraphEntry } from '../graph/content.ts'
import type { GraphEvent } from '../graph/graph.ts'
import type { PhoneMessage, WorldEvent } from '../whatsapp/index.ts'
import { nameKind } from './line.ts'
import type { Bubble, WorldNotice } from './model.ts'

const SAME_WITHIN_MS = 2500
const KEPT = 200

interface EventText {
  actor: string
  one: string
  /** With `$n` where the count belongs. */
  many?: string
}

export class WorldNotices {
  readonly list: WorldNotice[] = []
  private readonly tell: (happening: WorldNotice) => void
  private last: { key: string; at: number; count: number; happening: WorldNotice } | undefined
  private lastId = 0

  constructor(tell: (happening: WorldNotice) => void) {
    this.tell = tell
  }

  add({ actor, one, many }: EventText, at = new Date()): void {
    const key = `${actor}/${one}`
    if (many && this.last?.key === key && at.getTime() - this.last.at < SAME_WITHIN_MS) {
      this.last.count++
      this.last.at = at.getTime()
      this.last.happening.action = many.replace('$n', String(this.last.count))
      this.last.happening.at = at.toISOString()
      this.tell(this.last.happening)
      return
    }
    const happening = { id: ++this.lastId, at: at.toISOString(), actor, action: one }
    this.last = { key, at: at.getTime(), count: 1, happening }
    this.list.unshift(happening)
    this.list.length = Math.min(this.list.length, KEPT)
    this.tell(happening)
  }
}

/** Who an account belongs to, in one or two words. */
export type Namer = (account: string) => string

/** Titles people use before a name and businesses before theirs: nobody calls them by it in a list. */
const TITLES = /^(dona|seu|sr\.?|sra\.?|padaria|distribuidora|mercearia|oficina|farmácia|loja)\s+/i

export function shortenName(name: string): string {
  const rest = name.replace(TITLES, '').split(' · ')[0] ?? name
  const words = rest.split(' ')
  return words.length > 2 || /^(são|santa|santo|do|da)$/i.test(words[0] ?? '')
    ? words.slice(0, 2).join(' ')
    : (words[0] ?? name)
}

export function describeWhatsAppEvent(event: WorldEvent, name: Namer): EventText | undefined {
  switch (event.type) {
    case 'message':
      return event.message.fromMe && event.message.content.type !== 'call'
        ? describeSent(name(event.phone), event.message.content.type)
        : undefined
    case 'changed':
      return describeChange(event.message, event.phone, name)
    case 'tick':
      if (event.tick === 'failed') return { actor: name(event.phone), one: 'mensagem não saiu' }
      if (event.tick === 'read')
        return { actor: name(event.by ?? event.chat), one: 'leu 1 mensagem', many: 'leu $n mensagens' }
      return undefined
    case 'qr':
      return { actor: 'Balcão', one: 'mostra um código QR' }
    case 'pairing-code':
      return { actor: 'Balcão', one: 'mostra um código de 8 caracteres' }
    case 'linked':
      return { actor: name(event.company), one: 'conectou um aparelho' }
    case 'online':
      return {
        actor: 'Balcão',
        one: event.replayed > 0 ? `voltou e recebeu ${event.replayed} atrasadas` : `conectado a ${name(event.company)}`,
      }
    case 'offline':
      return { actor: 'Balcão', one: `saiu do ar em ${name(event.company)}` }
    case 'logged-out':
      return {
        actor: name(event.company),
        one: event.by === 'phone' ? 'desconectou um aparelho' : 'foi desconectado pelo Balcão',
      }
    case 'refused':
      return { actor: name(event.company), one: `mensagem recusada (${event.code})` }
    case 'call':
      return event.state === 'ringing' ? undefined : { actor: name(event.from), one: CALLS[event.state] }
    default:
      return undefined
  }
}

const CALLS = { missed: 'ligou e ninguém atendeu', rejected: 'teve a chamada recusada', ended: 'encerrou a chamada' }

export function describeGraphEvent(event: GraphEvent): EventText | undefined {
  const business = shortenName(event.business.name)
  switch (event.type) {
    case 'message': {
      const actor = event.entry.from === 'customer' ? shortenName(event.customer.name) : business
      const { type } = event.entry.content
      if (type === 'edit') return { actor, one: 'editou uma mensagem' }
      return type === 'revoke' ? { actor, one: 'apagou uma mensagem' } : describeSent(actor, getEntryKind(event.entry))
    }
    case 'status': {
      const read = event.entry.status === 'read'
      if (event.entry.status === 'failed')
        return { actor: business, one: `mensagem não saiu (${event.entry.error ?? ''})` }
      if (!read) return undefined
      const reader = event.entry.from === 'business' ? shortenName(event.customer.name) : business
      return { actor: reader, one: 'leu 1 mensagem', many: 'leu $n mensagens' }
    }
    case 'refused':
      return { actor: business, one: `envio recusado (${event.code})` }
    case 'webhook':
      return event.result.outcome === 'retrying'
        ? { actor: 'Meta', one: 'aviso não aceito, repete já já', many: '$n avisos não aceitos' }
        : undefined
    default:
      return undefined
  }
}

function describeSent(actor: string, kind: Bubble['kind'] | 'reaction'): EventText {
  return { actor, one: `enviou ${nameKind(kind)}`, many: `enviou $n ${nameKind(kind, true)}` }
}

const seen = new WeakMap<PhoneMessage, { text: string; reactions: Record<string, string> }>()

/** Every phone in the chat tells of the change: only the one whose owner made it counts. */
function describeChange(message: PhoneMessage, viewer: string, name: Namer): EventText | undefined {
  const actor = name(viewer)
  const before = seen.get(message)
  const text = message.content.type === 'text' ? message.content.text : ''
  const reactions = { ...message.reactions }
  seen.set(message, { text, reactions })
  if (reactions[viewer] !== before?.reactions[viewer])
    return { actor, one: reactions[viewer] ? 'reagiu a uma mensagem' : 'tirou a reação' }
  if (viewer !== message.from || JSON.stringify(reactions) !== JSON.stringify(before?.reactions ?? {})) return undefined
  if (message.revoked) return { actor, one: 'apagou uma mensagem' }
  return message.edited ? { actor, one: 'editou uma mensagem' } : undefined
}

function getEntryKind({ content }: GraphEntry): Bubble['kind'] | 'reaction' {
  switch (content.type) {
    case 'image':
    case 'audio':
    case 'video':
    case 'document':
    case 'sticker':
    case 'location':
    case 'contacts':
    case 'reaction':
      return content.type
    case 'raw':
    case 'unsupported':
    case 'user_changed_number':
      return 'unknown'
    default:
      return 'text'
  }
}
