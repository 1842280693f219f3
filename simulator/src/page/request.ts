// Reading what the page sends: every field is looked at before it is used.
import { ActionError, type LineFile } from './line.ts'
import type { Network, PhoneFile, SendRequestBody } from './model.ts'

const LONGEST_TEXT = 65_536

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readText(body: unknown, key: string, optional = false): string {
  const found = isRecord(body) ? body[key] : undefined
  if (typeof found === 'string' && (found || optional)) return found.slice(0, LONGEST_TEXT)
  if (optional) return ''
  throw new ActionError(`Falta ${key}.`)
}

export function readFlag(body: unknown, key: string): boolean {
  const found = isRecord(body) ? body[key] : undefined
  if (typeof found === 'boolean') return found
  throw new ActionError(`Falta ${key}.`)
}

export function readNetwork(body: unknown): Network {
  const network = readText(body, 'network')
  if (network === 'normal' || network === 'slow' || network === 'off') return network
  throw new ActionError('A rede é normal, slow ou off.')
}

export function readSending(body: unknown): SendRequestBody {
  const type = readText(body, 'type')
  const fields = isRecord(body) ? body : {}
  switch (type) {
    case 'text': {
      const quote = readText(body, 'quote', true)
      return { type, text: readText(body, 'text'), ...(quote ? { quote } : {}) }
    }
    case 'location': {
      const [name, address] = [readText(body, 'name', true), readText(body, 'address', true)]
      const { latitude, longitude } = fields
      if (typeof latitude !== 'number' || typeof longitude !== 'number') throw new ActionError('Falta o lugar.')
      return { type, latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) }
    }
    case 'contacts': {
      const cards = Array.isArray(fields.contacts) ? fields.contacts : []
      if (cards.length === 0) throw new ActionError('Falta o contato.')
      return { type, contacts: cards.map(card => ({ name: readText(card, 'name'), phone: readText(card, 'phone') })) }
    }
    case 'sample': {
      const name = readText(body, 'sample')
      const sample = (['cart', 'pix', 'ad'] as const).find(one => one === name)
      if (!sample) throw new ActionError(`Um telefone não envia ${name}.`)
      return { type, sample }
    }
    case 'option': {
      const by = readText(body, 'by')
      if (by !== 'button' && by !== 'button_reply' && by !== 'list_reply') throw new ActionError('Que botão é esse?')
      return { type, by, of: readText(body, 'of'), id: readText(body, 'id'), title: readText(body, 'title') }
    }
    default:
      throw new ActionError(`Um telefone não envia ${type}.`)
  }
}

const KINDS = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const

/** The facts beside a file. Its type comes here: a form's own type is guessed from the name. */
export function readFacts(body: unknown): PhoneFile & Omit<LineFile, 'bytes'> {
  const wanted = readText(body, 'kind')
  const kind = KINDS.find(one => one === wanted)
  if (!kind) throw new ActionError(`Um telefone não envia ${wanted}.`)
  const [caption, name] = [readText(body, 'caption', true), readText(body, 'name', true)]
  const seconds = isRecord(body) && typeof body.seconds === 'number' ? body.seconds : undefined
  return {
    kind,
    mime: readText(body, 'mime', true) || 'application/octet-stream',
    ...(caption ? { caption } : {}),
    ...(name ? { name } : {}),
    ...(seconds === undefined ? {} : { seconds }),
    ...(isRecord(body) && body.better === true ? { better: true } : {}),
  }
}
