// Bodies that carry more than text: a place and contact cards (spec 1 §2).
import { safeHref } from './whatsapp-text.ts'

export interface SharedLocation {
  readonly image: string | null
  readonly link: string | null
  readonly description: string
}

/**
 * A location body: pipe-separated image, link and optional description.
 * @example locationOf('data:image/png;base64,AA|https://maps.google.com/?q=1,2|Rua das Acácias, 81')
 */
export function locationOf(body: string): SharedLocation {
  const [image = '', link = '', ...rest] = body.split('|')
  return {
    image: /^data:image\/(png|jpe?g|webp);base64,[\w+/=\s]+$/.test(image) || /^\/media\//.test(image) ? image : null,
    link: safeHref(link.trim()),
    description: rest.join('|').trim(),
  }
}

export interface Card {
  readonly name: string
  readonly number: string | null
}

/** The cards of a vcard or contact_array body; a card holds a name and a number after `waid=` (spec 1 §2). */
export function cardsOf(body: string): Card[] {
  const listed = jsonCards(body)
  if (listed) return listed
  return body
    .split(/(?=BEGIN:VCARD)/i)
    .filter(part => part.trim() !== '')
    .map(cardOf)
}

function cardOf(text: string): Card {
  const lines = text.split(/\r?\n/)
  const field = (name: RegExp) =>
    lines
      .find(line => name.test(line))
      ?.replace(/^[^:]*:/, '')
      .trim()
  const name =
    field(/^FN[;:]/i) ||
    field(/^N[;:]/i)
      ?.split(';')
      .filter(Boolean)
      .reverse()
      .join(' ') ||
    ''
  const waid = /waid=(\d{5,20})/i.exec(text)?.[1]
  const phone = field(/TEL[;:]/i)?.replace(/\D/g, '')
  return { name, number: waid ?? (phone && phone.length >= 5 ? phone : null) }
}

/** Some channels hand over several cards as a JSON list of names and vcards. */
function jsonCards(body: string): Card[] | null {
  if (!/^\s*\[/.test(body)) return null
  try {
    const list: unknown = JSON.parse(body)
    if (!Array.isArray(list)) return null
    return list.map((entry: unknown) => {
      const text =
        typeof entry === 'string' ? entry : isRecord(entry) && typeof entry.vcard === 'string' ? entry.vcard : ''
      const name = isRecord(entry) && typeof entry.displayName === 'string' ? entry.displayName : ''
      const card = cardOf(text)
      return { ...card, name: card.name || name }
    })
  } catch {
    return null
  }
}

export interface Template {
  readonly header: string
  /** A header that is a file and no text. */
  readonly media: 'image' | 'video' | 'application' | null
  readonly body: string
  readonly footer: string
  readonly buttons: readonly { readonly text: string; readonly href: string | null }[]
}

const HEADERS: Record<string, Template['media']> = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'application' }

/** Header, body, footer and buttons of a template message (spec 1 §3). */
export function templateOf(data: unknown, fallback: string): Template {
  const components = isRecord(data) && Array.isArray(data.components) ? data.components.filter(isRecord) : []
  const text = (type: string) => {
    const found = components.find(component => String(component.type).toUpperCase() === type)
    return typeof found?.text === 'string' ? found.text : ''
  }
  const listed = components.find(component => Array.isArray(component.buttons))?.buttons
  const buttons = Array.isArray(listed) ? listed.filter(isRecord) : []
  return {
    header: text('HEADER'),
    media:
      HEADERS[String(components.find(component => String(component.type).toUpperCase() === 'HEADER')?.format)] ?? null,
    body: text('BODY') || fallback,
    footer: text('FOOTER'),
    buttons: buttons.map(button => ({
      text: typeof button.text === 'string' ? button.text : '',
      href:
        typeof button.url === 'string'
          ? safeHref(button.url)
          : typeof button.phone_number === 'string'
            ? `tel:${button.phone_number.replace(/[^\d+]/g, '')}`
            : null,
    })),
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** `84 KB`, `1,2 MB`: sizes of files. */
export function fileSize(bytes: number, language = 'pt'): string {
  const units = ['B', 'KB', 'MB', 'GB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const digits = unit > 1 && value < 10 ? 1 : 0
  return `${value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${units[unit]}`
}

/** `0:21`, `12:05`: the length of a recording. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
