// What the composer makes of the text in it: comments, signature and the {{…}} words (spec 1 §5). Pure.
import { fillBraces } from '@balcao/contract/kit/braces'
import { isComment, stripCommentPrefix } from '@balcao/contract/messages/comments'

export interface PlaceholderValues {
  readonly name: string
  readonly number: string
  readonly queue: string
  readonly user: string
  readonly date: string
  readonly time: string
  /** Hour of the day in the company's time zone, for {{ms}}. */
  readonly hour: number
  readonly greetings: { readonly morning: string; readonly afternoon: string; readonly night: string }
}

/** Greeting by hour: morning 6 to 12, afternoon 13 to 18, otherwise night (spec 1 §5). */
export function chooseGreeting(hour: number, greetings: PlaceholderValues['greetings']): string {
  if (hour >= 6 && hour <= 12) return greetings.morning
  return hour >= 13 && hour <= 18 ? greetings.afternoon : greetings.night
}

/** The words in double braces, in the order they are offered. */
export const WORDS = ['name', 'ms', 'user', 'queue', 'number', 'date', 'time'] as const
export type Word = (typeof WORDS)[number]

/** What each word stands for now. */
export function toWordValues(words: PlaceholderValues): Record<Word, string> {
  const { name, number, queue, user, date, time } = words
  return { name, number, queue, user, date, time, ms: chooseGreeting(words.hour, words.greetings) }
}

/** The beginning of a word in braces right before the caret, as `na` in `Oi {{na|`; null where none is being written. */
export function findWordBefore(text: string, caret: number): string | null {
  const found = /\{\{\s*(\w*)$/u.exec(text.slice(0, caret))
  return found ? (found[1] ?? '') : null
}

/** What is written of a name behind an `@` right before the caret, as `mar` in `veja @mar|`; null where none is being written. */
export function findNameBefore(text: string, caret: number): string | null {
  return /(?:^|[\s(])@([^\n@]{0,60})$/u.exec(text.slice(0, caret))?.[1] ?? null
}

/** Fills {{name}}, {{number}}, {{queue}}, {{user}}, {{ms}}, {{date}} and {{time}}; other braces stay as they are. */
export function fillWords(text: string, words: PlaceholderValues): string {
  return fillBraces(text, toWordValues(words))
}

/** A field of a quick answer that is still to be filled in, as `[[valor]]`. */
export interface Blank {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** The blanks of a text, in their order. */
export function listBlanks(text: string): readonly Blank[] {
  return [...text.matchAll(/\[\[([^[\]\n]{1,40})\]\]/gu)].map(({ 0: whole, 1: name = '', index }) => {
    return { name, from: index, to: index + whole.length }
  })
}

/** Whether there is anything to send: empty and whitespace-only text is not, nor a comment without words. */
export function isSendable(text: string): boolean {
  return (isComment(text) ? stripCommentPrefix(text) : text).trim() !== ''
}

/** What the prefix `/` looks for among the quick answers; null when the text is not such a search. */
export function parseQuickSearch(text: string): string | null {
  const found = /^\/(\S*)$/u.exec(text)
  return found ? (found[1] ?? '') : null
}

/** The body that goes out: signed in bold above the text, comments never. */
export function composeBody(text: string, signAs: string | null): string {
  const body = text.trim()
  if (isComment(body) || !signAs || body === '') return body
  return `*${signAs}:*\n${body}`
}

/** The name customers read: the first one. */
export function getSignature(name: string): string {
  return name.trim().split(/\s+/)[0] ?? ''
}

export interface SignedText {
  readonly author: string | null
  readonly body: string
}

/** Takes the signature off a body of ours, so the author line shows it and the text does not repeat it. */
export function splitSignature(body: string): SignedText {
  const found = /^\*([^*\n]{1,80}):\*\n([\s\S]*)$/u.exec(body)
  return found ? { author: found[1] ?? null, body: found[2] ?? '' } : { author: null, body }
}

/** What a message says, without the signature of whoever of us wrote it. */
export function getUnsignedText({ fromMe, body }: { readonly fromMe: boolean; readonly body: string }): string {
  return (fromMe ? splitSignature(body).body : body).trim()
}
