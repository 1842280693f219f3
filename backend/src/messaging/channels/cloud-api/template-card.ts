// A template as a customer got it → its card. What is told of one are the words of its parts, what they were filled with, or both:
// everything that can be shown of it is.
import { beginningOf, type CardButton, type CardOf } from '@balcao/contract'
import { cardLink, cardPhone, cardText, MOST_BUTTONS } from '../shared/cards.ts'
import { isRecord, namedIn, number, records, text } from '../shared/json.ts'

type Fields = Record<string, unknown>

/** A file on top of a template: Meta's own, or one that lies somewhere and is only opened. */
interface HeaderFile {
  readonly part: Fields
  readonly mime: string
}

export interface TemplateShown {
  readonly card: CardOf<'actions'>
  readonly file: HeaderFile | null
}

export function templateCard(template: Fields): TemplateShown {
  const components = records(template.components)
  const { file, ...own } = leafOf(components)
  const cards = ofKind(components, 'carousel').flatMap(one =>
    records(one.cards).map(card => leafOf(records(card.components))),
  )
  const footer = cardText(ofKind(components, 'footer').map(filled).find(Boolean))
  // Of most that are told by a name alone nothing else is known.
  const words = own.text || cards.length > 0 ? own.text : (cardText(template.name) ?? '')
  return {
    file,
    card: {
      kind: 'actions',
      ...own,
      text: words,
      ...(footer && { footer }),
      ...(cards.length > 0 && {
        cards: cards.slice(0, MOST_BUTTONS).map(({ file: _, ...card }) => card),
      }),
    },
  }
}

function leafOf(components: readonly Fields[]) {
  const headers = ofKind(components, 'header')
  const file =
    headers
      .flatMap(header => records(header.parameters))
      .map(fileOf)
      .find(Boolean) ?? null
  const link = file && !text(file.part.id) ? cardLink(file.part.link) : undefined
  const title = cardText(headers.map(filled).find(Boolean), 200)
  const body = cardText(ofKind(components, 'body').map(filled).find(Boolean))
  const opened = link ? [{ text: cardText(file?.part.filename, 200) ?? beginningOf(link, 200), link }] : []
  const buttons = [...opened, ...buttonsOf(components)].slice(0, MOST_BUTTONS)
  return { text: body ?? '', buttons, ...(title && { header: title }), file: file && text(file.part.id) ? file : null }
}

function ofKind(components: readonly Fields[], kind: string): Fields[] {
  return components.filter(one => kindOf(one) === kind)
}

function kindOf({ type }: Fields): string {
  return (text(type) ?? '').toLowerCase()
}

const MOST_HOLES = 100
const HOLE = /\{\{ ?(\w{1,60}) ?\}\}/g

/** The words of a part with its holes filled, or what it was filled with. */
function filled(part: Fields): string | undefined {
  const given = records(part.parameters).slice(0, MOST_HOLES)
  const values = given.map(valueIn)
  const words = cardText(part.text)
  if (!words) return values.filter(Boolean).join('\n') || undefined
  const named = (name: string) => given.findIndex(one => one.parameter_name === name)
  return words.replace(HOLE, (hole, name) => values[named(name) < 0 ? Number(name) - 1 : named(name)] ?? hole)
}

function valueIn(parameter: Fields): string | undefined {
  const inner = parameter[kindOf(parameter)]
  if (!isRecord(inner)) return cardText(parameter.text)
  const place = [cardText(inner.name, 200), cardText(inner.address, 200)].filter(Boolean).join(', ')
  return cardText(inner.fallback_value) ?? (place || undefined)
}

/** What Meta takes on top of a template: a picture, a film, or a PDF. */
const MIMES: Readonly<Record<string, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  document: 'application/pdf',
}

function fileOf(parameter: Fields): HeaderFile | undefined {
  const kind = kindOf(parameter)
  const [part, mime] = [parameter[kind], namedIn(MIMES, kind)]
  return mime && isRecord(part) ? { part, mime: text(part.mime_type) ?? mime } : undefined
}

/** Buttons in their order, as they are called where that is told, with what they were filled with. */
function buttonsOf(components: readonly Fields[]): CardButton[] {
  const drawn = ofKind(components, 'buttons')
    .flatMap(one => records(one.buttons))
    .slice(0, MOST_BUTTONS)
  const sent = ofKind(components, 'button').slice(0, MOST_BUTTONS)
  const places =
    drawn.length > 0 ? drawn.map((button, at) => ({ button, at })) : sent.map(button => ({ button, at: -1 }))
  return places.flatMap(({ button, at }) => {
    const filling = at < 0 ? button : sent.find((one, nth) => placeOf(one, nth) === at)
    return buttonOf(button, records(filling?.parameters))
  })
}

function placeOf({ index }: Fields, nth: number): number {
  const place = number(index)
  return Number.isNaN(place) ? nth : place
}

function buttonOf(button: Fields, parameters: readonly Fields[]): CardButton[] {
  const [first = {}] = parameters
  const value = cardText(first.text, 500)
  const copy = cardText(first.coupon_code, 500)
  const url = text(button.url)?.replace(HOLE, hole => (value ? encodeURI(value.toWellFormed()) : hole))
  const link = cardLink(url) ?? cardPhone(button.phone_number)
  const called = cardText(button.text, 200) ?? copy ?? link ?? value ?? cardText(first.payload, 200)
  return called ? [{ text: beginningOf(called, 200), ...(copy && { copy }), ...(link && { link }) }] : []
}
