// What a flow asks, as customers of WhatsApp are asked it (decisions-2 §10): choices as menus, everything else as words.
import type { RatingScale } from '@balcao/contract'
import { toRecords, toText } from '../channels/shared/json.ts'
import type { FlowInput } from './protocol.ts'
import type { FlowQuestion } from './table.ts'

/** Something that is said. A file that cannot be had is said as its address. */
export type FlowMessage =
  | { readonly say: 'text'; readonly text: string }
  /** `several`: no button may be pressed, for one takes away the others. */
  | { readonly say: 'menu'; readonly words: string; readonly options: readonly string[]; readonly several: boolean }
  | {
      readonly say: 'file'
      readonly as: 'image' | 'audio' | 'video' | 'document'
      readonly url: string
      readonly caption: string
    }

/** `before`: what the flow said last, where that was a text: a menu stands under it. Null: it cannot be asked on WhatsApp. */
export interface QuestionPlan {
  readonly question: FlowQuestion
  readonly says: (before: string | null) => readonly FlowMessage[]
}

const MOST_ITEMS = 100
const PICK = 'Escolha uma opção e responda com o número dela:'
const PICK_SEVERAL = 'Pode escolher mais de uma: responda com os números, separados por vírgula.'

/** How something is asked; null for what cannot be shown: a payment, what we do not know, a file where we have no address for it. */
export function planQuestion(input: FlowInput, takesFiles: boolean): QuestionPlan | null {
  const { id, type, options } = input
  const question = { id, type, items: [], several: false, options }
  switch (type) {
    case 'choice input':
      return menu(
        input,
        input.items.map(item => toItem(item, toText(item.content) ?? toText(item.value))),
      )
    case 'picture choice input': {
      const items = input.items.map(item => toItem(item, toText(item.title) ?? toText(item.value)))
      return menu(input, items, input.items.flatMap(toPictureMessages))
    }
    case 'cards':
      return menu({ ...input, options: {} }, input.items.flatMap(cardChoices), input.items.flatMap(toPictureMessages))
    case 'rating input':
      return { question, says: () => [{ say: 'text', text: formatRatingHint(options) }] }
    case 'file input':
      return takesFiles ? { question, says: before => hint(before, formatFileHint(options)) } : null
    case 'text input':
    case 'number input':
    case 'email input':
    case 'url input':
    case 'date input':
    case 'time input':
    case 'phone number input':
      return { question, says: before => hint(before, getPlaceholder(options)) }
    default:
      return null
  }
}

/** From which number to which a rating goes, its ends with their names; Typebot itself takes any. */
export function getRatingScale(options: FlowQuestion['options']): RatingScale {
  const number = (value: unknown, otherwise: number) =>
    Number.isInteger(Number(value ?? otherwise)) ? Number(value ?? otherwise) : otherwise
  const { left = '', right = '' } = readLabels(options)
  const [from, to] = [number(options.startsAt, 1), number(options.length, 10)]
  return { from, to, nameOf: rate => (rate === from ? left : rate === to ? right : '') }
}

export function formatRatingHint(options: FlowQuestion['options']): string {
  const { from, to } = getRatingScale(options)
  const { left, right } = readLabels(options)
  const ends = [left && `${from} = ${left}`, right && `${to} = ${right}`].filter(Boolean).join(', ')
  return `Responda com um número de ${from} a ${to}${ends && ` (${ends})`}.`
}

export function formatFileHint(options: FlowQuestion['options']): string {
  return options.isRequired === false ? 'Envie o arquivo por aqui, ou responda *pular*.' : 'Envie o arquivo por aqui.'
}

/** Nothing is asked twice: where the flow said something, that is the question. */
function hint(before: string | null, words: string): FlowMessage[] {
  return before !== null || words === '' ? [] : [{ say: 'text', text: words }]
}

function getPlaceholder(options: FlowQuestion['options']): string {
  return readLabels(options).placeholder ?? ''
}

function readLabels({ labels }: FlowQuestion['options']) {
  const [known = {}] = toRecords([labels])
  return { left: toText(known.left), right: toText(known.right), placeholder: toText(known.placeholder) }
}

type Item = FlowQuestion['items'][number]

function menu(
  { id, type, options }: FlowInput,
  choices: readonly Item[],
  pictures: readonly FlowMessage[] = [],
): QuestionPlan | null {
  if (choices.length === 0 || choices.length > MOST_ITEMS) return null
  const several = options.isMultipleChoice === true
  const items = numbered(choices)
  return {
    question: { id, type, items, several, options: {} },
    says(before) {
      // A question stands above its pictures, and the menu below them.
      const [above, words] = pictures.length > 0 ? [before, PICK] : [null, before ?? PICK]
      return [
        ...(above === null ? [] : [{ say: 'text', text: above } as const]),
        ...pictures,
        {
          say: 'menu',
          words: several ? `${words}\n\n${PICK_SEVERAL}` : words,
          options: items.map(item => item.shown),
          several,
        },
      ]
    },
  }
}

function numbered(items: readonly Item[]): Item[] {
  return items.map((item, at) => (item.shown === '' ? { ...item, shown: `Opção ${at + 1}` } : item))
}

function toItem(item: Record<string, unknown>, words: string | undefined): Item {
  const id = toText(item.id) ?? ''
  return { id, text: words ?? id, shown: words?.replace(/\s+/g, ' ').trim() ?? '' }
}

/** Of a card each of its ways is a choice; Typebot is told the way's id. */
function cardChoices(card: Record<string, unknown>): Item[] {
  const title = toText(card.title) ?? ''
  return toRecords(card.paths).map(path => {
    const id = toText(path.id) ?? ''
    return { id, text: id, shown: [title, toText(path.text) ?? ''].filter(Boolean).join(': ') }
  })
}

function toPictureMessages(item: Record<string, unknown>): FlowMessage[] {
  const title = toText(item.title)?.trim() ?? ''
  const caption = [title && `*${title}*`, toText(item.description)?.trim() ?? ''].filter(Boolean).join('\n')
  const url = toText(item.pictureSrc) ?? toText(item.imageUrl) ?? ''
  if (/^https?:\/\//i.test(url)) return [{ say: 'file', as: 'image', url, caption }]
  return caption === '' ? [] : [{ say: 'text', text: caption }]
}
