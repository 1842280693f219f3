// Reading what the page sends: every field is looked at before it is used.
import { CannotDo, type LineFile } from './line.ts'
import type { FileFacts, Network, Sending } from './model.ts'

const LONGEST_TEXT = 65_536

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textIn(body: unknown, key: string, optional = false): string {
  const found = isRecord(body) ? body[key] : undefined
  if (typeof found === 'string' && (found || optional)) return found.slice(0, LONGEST_TEXT)
  if (optional) return ''
  throw new CannotDo(`Falta ${key}.`)
}

export function flagIn(body: unknown, key: string): boolean {
  const found = isRecord(body) ? body[key] : undefined
  if (typeof found === 'boolean') return found
  throw new CannotDo(`Falta ${key}.`)
}

export function networkIn(body: unknown): Network {
  const network = textIn(body, 'network')
  if (network === 'normal' || network === 'slow' || network === 'off') return network
  throw new CannotDo('A rede é normal, slow ou off.')
}

export function readSending(body: unknown): Sending {
  const type = textIn(body, 'type')
  const given = isRecord(body) ? body : {}
  switch (type) {
    case 'text': {
      const quote = textIn(body, 'quote', true)
      return { type, text: textIn(body, 'text'), ...(quote ? { quote } : {}) }
    }
    case 'location': {
      const [name, address] = [textIn(body, 'name', true), textIn(body, 'address', true)]
      const { latitude, longitude } = given
      if (typeof latitude !== 'number' || typeof longitude !== 'number') throw new CannotDo('Falta o lugar.')
      return { type, latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) }
    }
    case 'contacts': {
      const cards = Array.isArray(given.contacts) ? given.contacts : []
      if (cards.length === 0) throw new CannotDo('Falta o contato.')
      return { type, contacts: cards.map(card => ({ name: textIn(card, 'name'), phone: textIn(card, 'phone') })) }
    }
    case 'sample': {
      const asked = textIn(body, 'sample')
      const sample = (['cart', 'pix', 'ad'] as const).find(one => one === asked)
      if (!sample) throw new CannotDo(`Um telefone não envia ${asked}.`)
      return { type, sample }
    }
    case 'option': {
      const by = textIn(body, 'by')
      if (by !== 'button' && by !== 'button_reply' && by !== 'list_reply') throw new CannotDo('Que botão é esse?')
      return { type, by, of: textIn(body, 'of'), id: textIn(body, 'id'), title: textIn(body, 'title') }
    }
    default:
      throw new CannotDo(`Um telefone não envia ${type}.`)
  }
}

const KINDS = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const

/** The facts beside a file. Its type comes here: a form's own type is guessed from the name. */
export function readFacts(body: unknown): FileFacts & Omit<LineFile, 'bytes'> {
  const asked = textIn(body, 'kind')
  const kind = KINDS.find(one => one === asked)
  if (!kind) throw new CannotDo(`Um telefone não envia ${asked}.`)
  const [caption, name] = [textIn(body, 'caption', true), textIn(body, 'name', true)]
  const seconds = isRecord(body) && typeof body.seconds === 'number' ? body.seconds : undefined
  return {
    kind,
    mime: textIn(body, 'mime', true) || 'application/octet-stream',
    ...(caption ? { caption } : {}),
    ...(name ? { name } : {}),
    ...(seconds === undefined ? {} : { seconds }),
    ...(isRecord(body) && body.better === true ? { better: true } : {}),
  }
}
