// A template as a customer got it → its card. What is told of one are the words of its parts, what they were filled with, or both:
// everything that can be shown of it is.
import { type CardButton, type MessageCardByKind, truncateText } from '@balcao/contract'
import { MOST_BUTTONS, toCardLink, toCardPhone, toCardText } from '../shared/cards.ts'
import { isRecord, lookUp, toNumber, toRecords, toText } from '../shared/json.ts'

type Fields = Record<string, unknown>

/** A file on top of a template: Meta's own, or one that lies somewhere and is only opened. */
interface HeaderFile {
  readonly part: Fields
  readonly mime: string
}

export interface RenderedTemplate {
  readonly card: MessageCardByKind<'actions'>
  readonly file: HeaderFile | null
}

export function toTemplateCard(template: Fields): RenderedTemplate {
  const components = toRecords(template.components)
  const { file, ...own } = toLeaf(components)
  const cards = ofKind(components, 'carousel').flatMap(one =>
    toRecords(one.cards).map(card => toLeaf(toRecords(card.components))),
  )
  const footer = toCardText(ofKind(components, 'footer').map(filled).find(Boolean))
  // Of most that are told by a name alone nothing else is known.
  const words = own.text || cards.length > 0 ? own.text : (toCardText(template.name) ?? '')
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

function toLeaf(components: readonly Fields[]) {
  const headers = ofKind(components, 'header')
  const file =
    headers
      .flatMap(header => toRecords(header.parameters))
      .map(readHeaderFile)
      .find(Boolean) ?? null
  const link = file && !toText(file.part.id) ? toCardLink(file.part.link) : undefined
  const title = toCardText(headers.map(filled).find(Boolean), 200)
  const body = toCardText(ofKind(components, 'body').map(filled).find(Boolean))
  const opened = link ? [{ text: toCardText(file?.part.filename, 200) ?? truncateText(link, 200), link }] : []
  const buttons = [...opened, ...toButtons(components)].slice(0, MOST_BUTTONS)
  return {
    text: body ?? '',
    buttons,
    ...(title && { header: title }),
    file: file && toText(file.part.id) ? file : null,
  }
}

function ofKind(components: readonly Fields[], kind: string): Fields[] {
  return components.filter(one => readKind(one) === kind)
}

function readKind({ type }: Fields): string {
  return (toText(type) ?? '').toLowerCase()
}

const MOST_HOLES = 100
const HOLE = /\{\{ ?(\w{1,60}) ?\}\}/g

/** The words of a part with its holes filled, or what it was filled with. */
function filled(part: Fields): string | undefined {
  const parameters = toRecords(part.parameters).slice(0, MOST_HOLES)
  const values = parameters.map(readParameterValue)
  const words = toCardText(part.text)
  if (!words) return values.filter(Boolean).join('\n') || undefined
  const named = (name: string) => parameters.findIndex(one => one.parameter_name === name)
  return words.replace(HOLE, (hole, name) => values[named(name) < 0 ? Number(name) - 1 : named(name)] ?? hole)
}

function readParameterValue(parameter: Fields): string | undefined {
  const inner = parameter[readKind(parameter)]
  if (!isRecord(inner)) return toCardText(parameter.text)
  const place = [toCardText(inner.name, 200), toCardText(inner.address, 200)].filter(Boolean).join(', ')
  return toCardText(inner.fallback_value) ?? (place || undefined)
}

/** What Meta takes on top of a template: a picture, a film, or a PDF. */
const MIMES: Readonly<Record<string, string>> = {
  image: 'image/jpeg',
  video: 'video/mp4',
  document: 'application/pdf',
}

function readHeaderFile(parameter: Fields): HeaderFile | undefined {
  const kind = readKind(parameter)
  const [part, mime] = [parameter[kind], lookUp(MIMES, kind)]
  return mime && isRecord(part) ? { part, mime: toText(part.mime_type) ?? mime } : undefined
}

/** Buttons in their order, as they are called where that is told, with what they were filled with. */
function toButtons(components: readonly Fields[]): CardButton[] {
  const drawn = ofKind(components, 'buttons')
    .flatMap(one => toRecords(one.buttons))
    .slice(0, MOST_BUTTONS)
  const sent = ofKind(components, 'button').slice(0, MOST_BUTTONS)
  const places =
    drawn.length > 0 ? drawn.map((button, at) => ({ button, at })) : sent.map(button => ({ button, at: -1 }))
  return places.flatMap(({ button, at }) => {
    const filling = at < 0 ? button : sent.find((one, nth) => readIndex(one, nth) === at)
    return toButton(button, toRecords(filling?.parameters))
  })
}

function readIndex({ index }: Fields, nth: number): number {
  const place = toNumber(index)
  return Number.isNaN(place) ? nth : place
}

function toButton(button: Fields, parameters: readonly Fields[]): CardButton[] {
  const [first = {}] = parameters
  const value = toCardText(first.text, 500)
  const copy = toCardText(first.coupon_code, 500)
  const url = toText(button.url)?.replace(HOLE, hole => (value ? encodeURI(value.toWellFormed()) : hole))
  const link = toCardLink(url) ?? toCardPhone(button.phone_number)
  const called = toCardText(button.text, 200) ?? copy ?? link ?? value ?? toCardText(first.payload, 200)
  return called ? [{ text: truncateText(called, 200), ...(copy && { copy }), ...(link && { link }) }] : []
}
