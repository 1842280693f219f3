// Cards of people (.vcf) of any version, as phones, address books and WhatsApp write them, as the rows of a sheet (RFC 6350, and what
// versions 2.1 and 3.0 do otherwise).
import { decodeText } from './decode.ts'

interface TextCell {
  readonly t: 's'
  readonly v: string
}

/** A line as it was meant: what it says, with which parameters. */
interface CardProperty {
  readonly name: string
  readonly parameters: string
  readonly value: string
}

interface Card {
  name: string
  company: string
  readonly numbers: string[]
  readonly emails: string[]
  readonly groups: string[]
}

/** Categories are nobody's tags until somebody says so: the heading is none that we know. */
const HEADS = ['nome', 'empresa', 'numero', 'email', 'categorias']
/** Of what a card may say several times: more than anybody has is somebody's trick. */
const MOST_VALUES = 20
/** What is longer is a picture. */
const LONGEST_LINE = 10_000

/**
 * A heading, then a row a card, of which no more than `most` are read. Several numbers of a card stand in one cell. A card that is not
 * ended counts as far as it goes.
 */
export function readVcards(text: string, most: number): TextCell[][] {
  const rows = [HEADS]
  let card: Card | null = null
  let [inside, isAgent] = [0, false]
  for (const line of unfoldLines(text)) {
    if (rows.length > most) break
    const property = parseProperty(line)
    if (!property) continue
    const { name, value } = property
    const isCard = /^VCARD$/i.test(value.trim())
    if (name === 'BEGIN' && isCard && isAgent) inside++
    else if (name === 'BEGIN' && isCard) {
      if (card) rows.push(toRow(card))
      card = { name: '', company: '', numbers: [], emails: [], groups: [] }
    } else if (name === 'END' && isCard && inside > 0) inside--
    else if (name === 'END' && isCard) {
      if (card) rows.push(toRow(card))
      card = null
    } else if (card && inside === 0) addProperty(card, property)
    // Who speaks for somebody has a card within the card.
    isAgent = name === 'AGENT' && value.trim() === ''
  }
  if (card) rows.push(toRow(card))
  return rows.map(row => row.map(v => ({ t: 's', v })))
}

/** Lines as they were before they were cut to a width: those that go on begin with a blank, or break off with `=` in what is quoted. */
function* unfoldLines(text: string): Generator<string> {
  let parts: string[] = []
  let isQuoted = false
  for (const { 0: next } of text.matchAll(/[^\r\n]+/g)) {
    const last = parts.at(-1) ?? ''
    if (isQuoted && last.endsWith('=') && !/^[A-Z][A-Z-]*[;:]/.test(next)) {
      parts.splice(-1, 1, last.slice(0, -1), next)
    } else if (/^[ \t]/.test(next)) parts.push(next.slice(1))
    else {
      yield parts.join('')
      parts = [next]
      isQuoted = /^[^:]{0,200}QUOTED-PRINTABLE/i.test(next)
    }
  }
  yield parts.join('')
}

/** `item1.TEL;type=CELL;type=pref:+55 31 …`; null for what is none, and for pictures. */
function parseProperty(line: string): CardProperty | null {
  if (line.length > LONGEST_LINE) return null
  const [, name = '', parameters = '', value = ''] =
    /^\s*(?:[\w-]+\.)?([A-Z][\w-]*)((?:;(?:"[^"]*"|[^":;])*)*):(.*)$/is.exec(line) ?? []
  return name === '' ? null : { name: name.toUpperCase(), parameters, value: decodeValue(value, parameters) }
}

function addProperty(card: Card, { name, parameters, value }: CardProperty): void {
  const text = unescapeText(value)
  if (name === 'FN' && text !== '') card.name = text
  else if (name === 'N' && card.name === '') card.name = toName(value)
  else if (name === 'ORG') card.company ||= splitParts(value).join(' ')
  else if (name === 'NICKNAME') card.company ||= text
  else if (name === 'TEL' && !NOT_FOR_TALKING.test(parameters)) add(card.numbers, toNumber(text, parameters))
  else if (name === 'EMAIL') add(card.emails, text.replace(/^mailto:/i, ''))
  // Google puts everybody in it.
  else if (name === 'CATEGORIES')
    for (const one of text.split(',')) if (one.trim() !== 'myContacts') add(card.groups, one)
}

const NOT_FOR_TALKING = /\b(?:FAX|PAGER|MODEM|BBS|TEXTPHONE)\b/i

function add(values: string[], value: string): void {
  if (value.trim() !== '' && values.length < MOST_VALUES) values.push(value.trim())
}

/** What WhatsApp shares says beside the number as it is shown the one it means. */
function toNumber(text: string, parameters: string): string {
  const waId = /;waid=(\d{8,15})(?:;|$)/i.exec(parameters)?.[1]
  return waId ? `+${waId}` : text
}

/** `Souza;Ana;Maria;;` is the name of Ana Maria Souza. */
function toName(value: string): string {
  const [family = '', givenName = '', more = ''] = splitParts(value)
  return [givenName, more, family].filter(part => part !== '').join(' ')
}

function splitParts(value: string): string[] {
  return value.split(/(?<!\\);/).map(unescapeText)
}

function unescapeText(text: string): string {
  return text
    .replace(/\\n/gi, ' ')
    .replace(/\\([,;:\\])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Which characters the octets are is seen from them: many phones say another set than they write. */
function decodeValue(value: string, parameters: string): string {
  if (!/QUOTED-PRINTABLE/i.test(parameters)) return value
  const octets = value
    .replace(/[^\0-\x7f]+/g, letters => Buffer.from(letters).toString('latin1'))
    .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\0', '')
  return decodeText(Buffer.from(octets, 'latin1'))
}

function toRow({ name, company, numbers, emails, groups }: Card): string[] {
  return [name, company, numbers.join(' ::: '), emails[0] ?? '', groups.join('; ')]
}
