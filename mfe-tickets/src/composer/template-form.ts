// A message template with its holes: which there are, how it reads once they are filled, and how it goes out in Meta's form. Pure.
import type { ChosenTemplate, MessageTemplate } from '@balcao/contract'

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
  readonly buttons: readonly { readonly text: string; readonly url: string; readonly given: object }[]
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
      wordsIn(button.url).map(word => ({
        key: `button.${index}.${word}`,
        part: 'button',
        word,
        example: '',
        button: button.text,
      })),
    )
  })
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

/** As `POST /meta/templates` takes it. `file` is the upload for the header. */
export function chosenTemplate(
  template: MessageTemplate,
  values: ReadonlyMap<string, string>,
  file: string | null,
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
    ...(header && file ? [{ type: 'header', parameters: [{ type: header, [header]: { uploadId: file } }] }] : []),
    ...(headerHoles.length > 0 ? [{ type: 'header', parameters: headerHoles.map(textOf) }] : []),
    ...(bodyHoles.length > 0 ? [{ type: 'body', parameters: bodyHoles.map(textOf) }] : []),
    ...holes
      .filter(hole => hole.part === 'button')
      .map(hole => ({
        type: 'button',
        sub_type: 'url',
        index: hole.key.split('.')[1] ?? '0',
        parameters: [textOf(hole)],
      })),
  ]
  const { id, name, language } = template
  return { id, name, language, components: filledIn(template, values), parameters }
}

function partsOf({ components }: MessageTemplate): Part[] {
  return components.filter(isRecord).map(given => ({
    type: String(given.type).toUpperCase(),
    text: textIn(given, 'text'),
    format: textIn(given, 'format'),
    buttons: (Array.isArray(given.buttons) ? given.buttons.filter(isRecord) : []).map(button => ({
      text: textIn(button, 'text'),
      url: textIn(button, 'url'),
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
