// Bodies that carry more than text: a place, contact cards, a template (spec 1 §2).
import type { MessageCardByKind } from './message-details.ts'
import { toSafeHref } from './whatsapp-text.ts'

export interface SharedLocation {
  readonly image: string | null
  readonly link: string | null
  readonly description: string
}

/**
 * A location body: pipe-separated image, link and optional description.
 * @example parseLocation('data:image/png;base64,AA|https://maps.google.com/?q=1,2|Rua das Acácias, 81')
 */
export function parseLocation(body: string): SharedLocation {
  const [image = '', link = '', ...rest] = body.split('|')
  return {
    image: /^data:image\/(png|jpe?g|webp);base64,[\w+/=\s]+$/.test(image) || /^\/media\//.test(image) ? image : null,
    link: toSafeHref(link.trim()),
    description: rest.join('|').trim(),
  }
}

export interface ContactCard {
  readonly name: string
  readonly number: string | null
  /** The number as it is to be read: a phone may stand there without its country's code. */
  readonly written: string | null
}

/** The cards of a vcard or contact_array body; a card holds a name and a number after `waid=` (spec 1 §2). */
export function parseContactCards(body: string): ContactCard[] {
  const listed = parseJsonCards(body)
  if (listed) return listed
  return body
    .split(/(?=BEGIN:VCARD)/i)
    .filter(part => part.trim() !== '')
    .map(parseContactCard)
}

function parseContactCard(text: string): ContactCard {
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
  const written = field(/TEL[;:]/i)
  const phone = written?.replace(/\D/g, '')
  if (waid) return { name, number: waid, written: `+${waid}` }
  return phone && phone.length >= 5
    ? { name, number: phone, written: written ?? null }
    : { name, number: null, written: null }
}

/** Some channels hand over several cards as a JSON list of names and vcards. */
function parseJsonCards(body: string): ContactCard[] | null {
  if (!/^\s*\[/.test(body)) return null
  try {
    const list: unknown = JSON.parse(body)
    if (!Array.isArray(list)) return null
    return list.map((entry: unknown) => {
      const text =
        typeof entry === 'string' ? entry : isRecord(entry) && typeof entry.vcard === 'string' ? entry.vcard : ''
      const name = isRecord(entry) && typeof entry.displayName === 'string' ? entry.displayName : ''
      const card = parseContactCard(text)
      return { ...card, name: card.name || name }
    })
  } catch {
    return null
  }
}

const HEADERS: Record<string, 'image' | 'video' | 'application'> = {
  IMAGE: 'image',
  VIDEO: 'video',
  DOCUMENT: 'application',
}

/** Header, body, footer and buttons of a template message (spec 1 §3); `file`: a header that is a file and no text. */
export function parseTemplateMessage(data: unknown, fallback: string) {
  const components = isRecord(data) && Array.isArray(data.components) ? data.components.filter(isRecord) : []
  const part = (type: string) => components.find(component => String(component.type).toUpperCase() === type)
  const text = (type: string) => readText(part(type), 'text')
  const listed = components.find(component => Array.isArray(component.buttons))?.buttons
  const buttons = Array.isArray(listed) ? listed.filter(isRecord) : []
  const card: MessageCardByKind<'actions'> = {
    kind: 'actions',
    header: text('HEADER'),
    text: text('BODY') || fallback,
    footer: text('FOOTER'),
    buttons: buttons.map(button => {
      const phone = readText(button, 'phone_number')
      return { text: readText(button, 'text'), link: readText(button, 'url') || (phone && `tel:${phone}`) }
    }),
  }
  return { card, file: HEADERS[readText(part('HEADER'), 'format')] ?? null }
}

/** Where a button of a card leads: a web address or a call; null if neither. */
export function toButtonHref(link: string): string | null {
  if (!/^tel:/i.test(link)) return toSafeHref(link)
  const number = link.slice(4).replace(/[^\d+]/g, '')
  return number === '' ? null : `tel:${number}`
}

function readText(record: Record<string, unknown> | undefined, name: string): string {
  const value = record?.[name]
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** `84 KB`, `1,2 MB`: sizes of files. */
export function formatFileSize(bytes: number, language = 'pt'): string {
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
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
