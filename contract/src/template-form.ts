// A message template with its holes: which there are, how it reads once they are filled, and how it goes out in Meta's form. Pure.
import type { ChosenTemplate, MessageTemplate } from './entities/template.ts'

export interface Hole {
  /** Where: the same word may stand in header, body and an address. */
  readonly key: string
  readonly part: 'header' | 'body' | 'button'
  /** `1` or `nome`. */
  readonly word: string
  /** What Meta's examiners were shown, as a hint. */
  readonly example: string
  /** Text of the button whose address it completes. */
  readonly button: string | null
}

export type HeaderFile = 'image' | 'video' | 'document'

interface Part {
  readonly type: string
  readonly text: string
  readonly format: string
  readonly buttons: readonly {
    readonly type: string
    readonly text: string
    readonly url: string
    readonly code: string
    readonly given: object
  }[]
  readonly examples: readonly string[]
  readonly given: object
}

/** What has to be filled in, in reading order. */
export function holesOf(template: MessageTemplate): Hole[] {
  return partsOf(template).flatMap((part): Hole[] => {
    const place = part.type === 'HEADER' ? 'header' : 'body'
    if (part.type === 'HEADER' || part.type === 'BODY')
      return wordsIn(part.text).map((word, at) => ({
        key: `${place}.${word}`,
        part: place,
        word,
        example: part.examples[at] ?? '',
        button: null,
      }))
    return part.buttons.flatMap((button, index) =>
      (button.type === COPIES ? [CODE] : wordsIn(button.url)).map(word => ({
        key: `button.${index}.${word}`,
        part: 'button',
        word,
        example: button.code,
        button: button.text,
      })),
    )
  })
}

const COPIES = 'COPY_CODE'
/** The word of what such a button copies; no other can be called so. */
const CODE = '#'

/** Why a template cannot be sent from here. */
export type Unusable = 'carousel' | 'offer' | 'catalog' | 'location' | 'login'

const LOCATION: Unusable = 'location'
const CATALOG: Unusable = 'catalog'
const PARTS: Readonly<Record<string, Unusable>> = { CAROUSEL: 'carousel', LIMITED_TIME_OFFER: 'offer' }
const BUTTONS: Readonly<Record<string, Unusable>> = { SPM: 'catalog', MPM: 'catalog', CATALOG: 'catalog', OTP: 'login' }

/** What it wants that nobody can fill in here; null: it can be sent. */
export function unusableFor(template: MessageTemplate): Unusable | null {
  const found = partsOf(template).flatMap(({ type, format, buttons }) => [
    PARTS[type],
    type === 'HEADER' && format.toUpperCase() === 'LOCATION' ? LOCATION : undefined,
    type === 'HEADER' && format.toUpperCase() === 'PRODUCT' ? CATALOG : undefined,
    ...buttons.map(button => BUTTONS[button.type]),
  ])
  return found.find(reason => reason !== undefined) ?? null
}

/** The kind of file its header asks for, if any. */
export function headerFileOf(template: MessageTemplate): HeaderFile | null {
  const format = partsOf(template)
    .find(part => part.type === 'HEADER')
    ?.format.toLowerCase()
  return format === 'image' || format === 'video' || format === 'document' ? format : null
}

/** The template with what is known so far: what is still empty keeps its braces. */
export function filledIn(template: MessageTemplate, values: ReadonlyMap<string, string>): unknown[] {
  return partsOf(template).map(({ type, text, buttons, given }) => {
    const place = type === 'HEADER' ? 'header' : 'body'
    const words = text === '' ? {} : { text: fill(text, word => values.get(`${place}.${word}`)) }
    if (buttons.length === 0) return { ...given, ...words }
    const filled = buttons.map(({ url, given: button }, index) => {
      if (url === '') return button
      return {
        ...button,
        url: fill(url, word => encodeURIComponent(values.get(`button.${index}.${word}`)?.trim() ?? '')),
      }
    })
    return { ...given, ...words, buttons: filled }
  })
}

/** A file that was chosen before and is kept with its template. */
export interface KeptFile {
  readonly mediaId: string
  readonly name: string
  readonly mime: string
}

/** As `POST /meta/templates` takes it. `file` is the upload for the header, or the one it had. */
export function chosenTemplate(
  template: MessageTemplate,
  values: ReadonlyMap<string, string>,
  file: string | KeptFile | null,
): ChosenTemplate {
  const named = template.parameterFormat === 'NAMED'
  const textOf = (hole: Hole) => ({
    type: 'text',
    text: values.get(hole.key) ?? '',
    ...(named && hole.part !== 'button' ? { parameter_name: hole.word } : {}),
  })
  const holes = holesOf(template)
  const header = headerFileOf(template)
  const headerHoles = holes.filter(hole => hole.part === 'header')
  const bodyHoles = holes.filter(hole => hole.part === 'body')
  const parameters = [
    ...(header && file
      ? [
          {
            type: 'header',
            parameters: [{ type: header, [header]: typeof file === 'string' ? { uploadId: file } : file }],
          },
        ]
      : []),
    ...(headerHoles.length > 0 ? [{ type: 'header', parameters: headerHoles.map(textOf) }] : []),
    ...(bodyHoles.length > 0 ? [{ type: 'body', parameters: bodyHoles.map(textOf) }] : []),
    ...holes
      .filter(hole => hole.part === 'button')
      .map(hole => ({
        type: 'button',
        sub_type: hole.word === CODE ? 'copy_code' : 'url',
        index: hole.key.split('.')[1] ?? '0',
        parameters: [
          hole.word === CODE ? { type: 'coupon_code', coupon_code: values.get(hole.key)?.trim() ?? '' } : textOf(hole),
        ],
      })),
  ]
  const { id, name, language } = template
  return { id, name, language, components: filledIn(template, values), parameters }
}

/** What was filled in when it was chosen: the way back from `chosenTemplate`. */
export function givenIn(
  template: MessageTemplate,
  { parameters = [] }: ChosenTemplate,
): { readonly values: ReadonlyMap<string, string>; readonly file: KeptFile | null } {
  const given = parameters.filter(isRecord).map(one => ({
    type: textIn(one, 'type'),
    index: textIn(one, 'index'),
    parameters: Array.isArray(one.parameters) ? one.parameters.filter(isRecord) : [],
  }))
  const kind = headerFileOf(template)
  const header = given.flatMap(({ parameters }) => parameters.map(one => one[kind ?? ''])).find(isRecord)
  const texts = (place: string, index: string) =>
    given
      .filter(one => one.type === place && one.index === index)
      .flatMap(one => one.parameters)
      .filter(one => 'text' in one || 'coupon_code' in one)
      .map(one => textIn(one, 'text') || textIn(one, 'coupon_code'))
  const places = Map.groupBy(holesOf(template), ({ part, key }) =>
    part === 'button' ? `button.${key.split('.')[1]}` : part,
  )
  const values = [...places].flatMap(([place, holes]) => {
    const [part = '', index = ''] = place.split('.')
    const said = texts(part, index)
    return holes.map(({ key }, at) => [key, said[at] ?? ''] as const)
  })
  const file = header && {
    mediaId: textIn(header, 'mediaId'),
    name: textIn(header, 'name'),
    mime: textIn(header, 'mime'),
  }
  return { values: new Map(values), file: file?.mediaId ? file : null }
}

function partsOf({ components }: MessageTemplate): Part[] {
  return components.filter(isRecord).map(given => ({
    type: String(given.type).toUpperCase(),
    text: textIn(given, 'text'),
    format: textIn(given, 'format'),
    buttons: (Array.isArray(given.buttons) ? given.buttons.filter(isRecord) : []).map(button => ({
      type: textIn(button, 'type').toUpperCase(),
      text: textIn(button, 'text'),
      url: textIn(button, 'url'),
      code: [button.example].flat().find(one => typeof one === 'string') ?? '',
      given: button,
    })),
    examples: examplesIn(given.example),
    given,
  }))
}

/** Meta nests examples by kind of part: `body_text: [[…]]`, `header_text: […]`, `…_named_params: [{ example }]`. */
function examplesIn(example: unknown): string[] {
  if (!isRecord(example)) return []
  const listed = Object.values(example).find(Array.isArray) ?? []
  const flat: unknown[] = listed.flat()
  return flat.map(each => (typeof each === 'string' ? each : isRecord(each) ? textIn(each, 'example') : ''))
}

function wordsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(match => match[1] ?? ''))]
}

function fill(text: string, given: (word: string) => string | undefined): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, word: string) => given(word)?.trim() || whole)
}

function textIn(record: Readonly<Record<string, unknown>>, key: string): string {
  const value = record[key]
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The words of its body, for the list. */
export function templateBody(template: MessageTemplate): string {
  return partsOf(template).find(part => part.type === 'BODY')?.text ?? ''
}
