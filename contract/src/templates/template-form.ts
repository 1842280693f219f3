// A message template with its holes: which there are, how it reads once they are filled, and how it goes out in Meta's form. Pure.
import type { ChosenTemplate, MessageTemplate } from './template.ts'

export interface TemplateParameter {
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

export type HeaderFileKind = 'image' | 'video' | 'document'

interface TemplatePart {
  readonly type: string
  readonly text: string
  readonly format: string
  readonly buttons: readonly {
    readonly type: string
    readonly text: string
    readonly url: string
    readonly code: string
    readonly source: object
  }[]
  readonly examples: readonly string[]
  readonly source: object
}

/** What has to be filled in, in reading order. */
export function extractTemplateParameters(template: MessageTemplate): TemplateParameter[] {
  return parseTemplateParts(template).flatMap((part): TemplateParameter[] => {
    const place = part.type === 'HEADER' ? 'header' : 'body'
    if (part.type === 'HEADER' || part.type === 'BODY')
      return listPlaceholders(part.text).map((word, at) => ({
        key: `${place}.${word}`,
        part: place,
        word,
        example: part.examples[at] ?? '',
        button: null,
      }))
    return part.buttons.flatMap((button, index) =>
      (button.type === COPIES ? [CODE] : listPlaceholders(button.url)).map(word => ({
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
export type UnsupportedPart = 'carousel' | 'offer' | 'catalog' | 'location' | 'login'

const LOCATION: UnsupportedPart = 'location'
const CATALOG: UnsupportedPart = 'catalog'
const PARTS: Readonly<Record<string, UnsupportedPart>> = { CAROUSEL: 'carousel', LIMITED_TIME_OFFER: 'offer' }
const BUTTONS: Readonly<Record<string, UnsupportedPart>> = {
  SPM: 'catalog',
  MPM: 'catalog',
  CATALOG: 'catalog',
  OTP: 'login',
}

/** What it wants that nobody can fill in here; null: it can be sent. */
export function findUnsupportedPart(template: MessageTemplate): UnsupportedPart | null {
  const found = parseTemplateParts(template).flatMap(({ type, format, buttons }) => [
    PARTS[type],
    type === 'HEADER' && format.toUpperCase() === 'LOCATION' ? LOCATION : undefined,
    type === 'HEADER' && format.toUpperCase() === 'PRODUCT' ? CATALOG : undefined,
    ...buttons.map(button => BUTTONS[button.type]),
  ])
  return found.find(reason => reason !== undefined) ?? null
}

/** The kind of file its header asks for, if any. */
export function getHeaderFileKind(template: MessageTemplate): HeaderFileKind | null {
  const format = parseTemplateParts(template)
    .find(part => part.type === 'HEADER')
    ?.format.toLowerCase()
  return format === 'image' || format === 'video' || format === 'document' ? format : null
}

/** The template with what is known so far: what is still empty keeps its braces. */
export function fillTemplate(template: MessageTemplate, values: ReadonlyMap<string, string>): unknown[] {
  return parseTemplateParts(template).map(({ type, text, buttons, source }) => {
    const place = type === 'HEADER' ? 'header' : 'body'
    const words = text === '' ? {} : { text: fill(text, word => values.get(`${place}.${word}`)) }
    if (buttons.length === 0) return { ...source, ...words }
    const filled = buttons.map(({ url, source: button }, index) => {
      if (url === '') return button
      return {
        ...button,
        url: fill(url, word => encodeURIComponent(values.get(`button.${index}.${word}`)?.trim() ?? '')),
      }
    })
    return { ...source, ...words, buttons: filled }
  })
}

/** A file that was chosen before and is kept with its template. */
export interface StoredHeaderFile {
  readonly mediaId: string
  readonly name: string
  readonly mime: string
}

/** As `POST /meta/templates` takes it. `file` is the upload for the header, or the one it had. */
export function toChosenTemplate(
  template: MessageTemplate,
  values: ReadonlyMap<string, string>,
  file: string | StoredHeaderFile | null,
): ChosenTemplate {
  const named = template.parameterFormat === 'NAMED'
  const textOf = (hole: TemplateParameter) => ({
    type: 'text',
    text: values.get(hole.key) ?? '',
    ...(named && hole.part !== 'button' ? { parameter_name: hole.word } : {}),
  })
  const holes = extractTemplateParameters(template)
  const header = getHeaderFileKind(template)
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
  return { id, name, language, components: fillTemplate(template, values), parameters }
}

/** What was filled in when it was chosen: the way back from `toChosenTemplate`. */
export function parseChosenTemplate(
  template: MessageTemplate,
  { parameters = [] }: ChosenTemplate,
): { readonly values: ReadonlyMap<string, string>; readonly file: StoredHeaderFile | null } {
  const params = parameters.filter(isRecord).map(one => ({
    type: readText(one, 'type'),
    index: readText(one, 'index'),
    parameters: Array.isArray(one.parameters) ? one.parameters.filter(isRecord) : [],
  }))
  const kind = getHeaderFileKind(template)
  const header = params.flatMap(({ parameters }) => parameters.map(one => one[kind ?? ''])).find(isRecord)
  const texts = (place: string, index: string) =>
    params
      .filter(one => one.type === place && one.index === index)
      .flatMap(one => one.parameters)
      .filter(one => 'text' in one || 'coupon_code' in one)
      .map(one => readText(one, 'text') || readText(one, 'coupon_code'))
  const places = Map.groupBy(extractTemplateParameters(template), ({ part, key }) =>
    part === 'button' ? `button.${key.split('.')[1]}` : part,
  )
  const values = [...places].flatMap(([place, holes]) => {
    const [part = '', index = ''] = place.split('.')
    const sentence = texts(part, index)
    return holes.map(({ key }, at) => [key, sentence[at] ?? ''] as const)
  })
  const file = header && {
    mediaId: readText(header, 'mediaId'),
    name: readText(header, 'name'),
    mime: readText(header, 'mime'),
  }
  return { values: new Map(values), file: file?.mediaId ? file : null }
}

function parseTemplateParts({ components }: MessageTemplate): TemplatePart[] {
  return components.filter(isRecord).map(component => ({
    type: String(component.type).toUpperCase(),
    text: readText(component, 'text'),
    format: readText(component, 'format'),
    buttons: (Array.isArray(component.buttons) ? component.buttons.filter(isRecord) : []).map(button => ({
      type: readText(button, 'type').toUpperCase(),
      text: readText(button, 'text'),
      url: readText(button, 'url'),
      code: [button.example].flat().find(one => typeof one === 'string') ?? '',
      source: button,
    })),
    examples: listTemplateExamples(component.example),
    source: component,
  }))
}

/** Meta nests examples by kind of part: `body_text: [[…]]`, `header_text: […]`, `…_named_params: [{ example }]`. */
function listTemplateExamples(example: unknown): string[] {
  if (!isRecord(example)) return []
  const listed = Object.values(example).find(Array.isArray) ?? []
  const flat: unknown[] = listed.flat()
  return flat.map(each => (typeof each === 'string' ? each : isRecord(each) ? readText(each, 'example') : ''))
}

function listPlaceholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(match => match[1] ?? ''))]
}

function fill(text: string, fillWord: (word: string) => string | undefined): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, word: string) => fillWord(word)?.trim() || whole)
}

function readText(record: Readonly<Record<string, unknown>>, key: string): string {
  const value = record[key]
  return typeof value === 'string' ? value : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The words of its body, for the list. */
export function getTemplateBody(template: MessageTemplate): string {
  return parseTemplateParts(template).find(part => part.type === 'BODY')?.text ?? ''
}
