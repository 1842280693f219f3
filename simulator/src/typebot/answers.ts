// What an input of Typebot takes for an answer: ids, values and exact texts, numbers, dates in English. It asks again what it does not take.
import type { Json } from './blocks.ts'

export interface Reply {
  readonly text: string
  readonly replyId: string | undefined
  readonly files: readonly string[]
  readonly isAudio: boolean
}

/** What the flow goes on with; null: the answer is not taken. */
export function acceptAnswer(input: Json, reply: Reply | null): string | null {
  const options: Json = isRecord(input.options) ? input.options : {}
  if (input.type === 'file input') return acceptFiles(options, reply)
  if (reply === null) return null
  const { text } = reply
  switch (input.type) {
    case 'choice input':
    case 'picture choice input':
      return options.isMultipleChoice === true ? acceptSeveral(input, text) : acceptItem(input, reply)
    case 'cards':
      return acceptPath(input, text)
    case 'number input':
      return /^-?\d+(\.\d+)?$/.test(text) ? text : null
    case 'email input':
      return /^[^\s@]+@[^\s@]+\.\w+$/.test(text) ? text : null
    case 'url input':
      return /^(https?:\/\/)?[\w-]+(\.[\w-]+)+\S*$/.test(text) ? text : null
    case 'phone number input':
      return acceptPhone(options, text)
    case 'date input':
      return acceptDate(options, text)
    case 'time input':
      return /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : null
    // As the engine does: negatives and empty ones, too.
    case 'rating input':
      return Number(text) <= Number(options.length ?? 10) ? text : null
    default:
      return acceptText(options, reply)
  }
}

function acceptText(options: Json, { text, files, isAudio }: Reply): string | null {
  if (isAudio) return isOn(options.audioClip) ? (files[0] ?? null) : null
  if (files.length > 0 && !isOn(options.attachments)) return null
  return [text, ...files].filter(Boolean).join(' ')
}

function isOn(option: unknown): boolean {
  return isRecord(option) && option.isEnabled === true
}

function listItems({ items }: Json): Json[] {
  return Array.isArray(items) ? items.filter(isRecord) : []
}

const listItemWords = (item: Json) =>
  [item.id, item.value, item.content, item.title].filter(word => typeof word === 'string')

function acceptItem(input: Json, { text, replyId }: Reply): string | null {
  const found = listItems(input).find(item => item.id === replyId || listItemWords(item).includes(text))
  return found ? String(found.value ?? found.content ?? found.title ?? found.id) : null
}

/** Whole words: ids, texts or numbers. */
function acceptSeveral(input: Json, text: string): string | null {
  const parts = text.split(',').map(part => part.trim())
  const found = parts.map(part =>
    listItems(input).find((item, at) => listItemWords(item).includes(part) || String(at + 1) === part),
  )
  return found.includes(undefined)
    ? null
    : found.map(item => String(item?.content ?? item?.title ?? item?.id)).join(', ')
}

function acceptPath(input: Json, text: string): string | null {
  const paths = listItems(input).flatMap(card => (Array.isArray(card.paths) ? card.paths.filter(isRecord) : []))
  return paths.some(path => path.id === text) ? text : null
}

function acceptPhone({ defaultCountryCode }: Json, text: string): string | null {
  if (/^\+\d{8,15}$/.test(text)) return text
  return defaultCountryCode === undefined || !/^[\d\s()-]{8,}$/.test(text) ? null : text.replace(/\D/g, '')
}

function acceptDate({ format, hasTime, isRange }: Json, text: string): string | null {
  const isDayFirst = /^d/.test(String(format ?? 'dd/MM/yyyy'))
  const ends = isRange === true ? text.split(' to ') : [text]
  const isDate = (end: string) => {
    const found = /^(\d\d)\/(\d\d)\/(\d{4})( \d\d:\d\d)?$/.exec(end)
    if (!found || (hasTime === true) !== (found[4] !== undefined)) return false
    const [day, month] = isDayFirst ? [found[1], found[2]] : [found[2], found[1]]
    return Number(month) <= 12 && Number(day) <= 31
  }
  return ends.length === (isRange === true ? 2 : 1) && ends.every(isDate) ? text : null
}

function acceptFiles({ isRequired }: Json, reply: Reply | null): string | null {
  if (reply === null) return isRequired === false ? '' : null
  const urls = reply.text.split(', ')
  const isFile = (url: string) => URL.canParse(url) && /\.\w{2,5}$/.test(new URL(url).pathname)
  return urls.every(isFile) ? reply.text : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
