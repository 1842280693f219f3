// What Typebot's viewer answers, as far as we use it: what is unknown is passed over, what we need is looked at before it is believed.
import { isRecord, lookUp, toRecords, toText } from '../channels/shared/json.ts'
import { parseRichText, type RichTextLine } from './rich-text.ts'

/** `nothing`: it says nothing here, but things may come after it. */
export type FlowBubble =
  | { readonly id: string; readonly type: 'nothing' }
  | { readonly id: string; readonly type: 'text'; readonly lines: readonly RichTextLine[] }
  | { readonly id: string; readonly type: 'image' | 'audio' | 'video' | 'document' | 'link'; readonly url: string }

export interface FlowAction {
  readonly type: string
  /** The bubble it comes after; without one before all of them. */
  readonly after: string | null
  /** The flow goes on only when it is called again. */
  readonly stops: boolean
  readonly url: string | null
  readonly seconds: number
}

export interface FlowInput {
  readonly id: string
  readonly type: string
  readonly items: readonly Record<string, unknown>[]
  readonly options: Readonly<Record<string, unknown>>
}

/** One answer of a flow. `eventful`: it waits for something that happens on a page, which nobody can see here. */
export interface FlowAnswer {
  readonly sessionId: string | null
  readonly bubbles: readonly FlowBubble[]
  readonly input: FlowInput | null
  readonly actions: readonly FlowAction[]
  readonly eventful: boolean
}

/** What a JSON says; null: it is no answer of a flow. */
export function readAnswer(json: unknown): FlowAnswer | null {
  if (!isRecord(json) || !Array.isArray(json.messages)) return null
  const messages = toRecords(json.messages)
  return {
    sessionId: toText(json.sessionId) ?? null,
    bubbles: messages.map(readBubble),
    input: isRecord(json.input) ? readInput(json.input) : null,
    actions: toRecords(json.clientSideActions).map(readAction),
    eventful: messages.some(
      ({ content }) => isRecord(content) && isRecord(content.waitForEvent) && content.waitForEvent.isEnabled === true,
    ),
  }
}

/** A message to a flow. */
export type FlowInputMessage =
  | {
      readonly type: 'text'
      readonly text: string
      readonly attachedFileUrls?: readonly string[]
      readonly metadata?: { readonly replyId: string }
    }
  | { readonly type: 'audio'; readonly url: string }

function readBubble({ id: bubbleId, type, content }: Record<string, unknown>): FlowBubble {
  const id = toText(bubbleId) ?? ''
  const nothing = { id, type: 'nothing' } as const
  if (!isRecord(content)) return nothing
  if (type === 'text') {
    const lines = content.type === 'markdown' ? plainLines(content.markdown) : parseRichText(content.richText)
    return { id, type, lines }
  }
  const url = toText(content.url) ?? ''
  if (type === 'video') return toVideoBubble(id, content.type, url, toText(content.id)) ?? nothing
  if (!isAddress(url)) return nothing
  if (type === 'image') return { id, type: /\.(svg|gif)($|[?#])/i.test(url) ? 'link' : 'image', url }
  if (type === 'audio') return { id, type, url }
  const isEmbed = type === 'embed' || type === 'custom-embed'
  return isEmbed ? { id, type: isDocument(url) ? 'document' : 'link', url } : nothing
}

/** Films of others are links: what they are called there stands for them. */
const FILMS: Readonly<Record<string, (id: string) => string>> = {
  youtube: id => `https://www.youtube.com/watch?v=${id}`,
  vimeo: id => `https://vimeo.com/${id}`,
  tiktok: id => `https://www.tiktok.com/embed/v2/${id}`,
  gumlet: id => `https://play.gumlet.io/embed/${id}`,
}

function toVideoBubble(id: string, kind: unknown, url: string, film: string | undefined): FlowBubble | null {
  if (isAddress(url)) return { id, type: kind === undefined || kind === 'url' ? 'video' : 'link', url }
  const address = film && lookUp(FILMS, kind)?.(encodeURIComponent(film))
  return address ? { id, type: 'link', url: address } : null
}

function readInput({ id, type, items, options }: Record<string, unknown>): FlowInput {
  return {
    id: toText(id) ?? '',
    type: toText(type) ?? '',
    items: toRecords(items),
    options: isRecord(options) ? options : {},
  }
}

function readAction(action: Record<string, unknown>): FlowAction {
  const redirect = isRecord(action.redirect) ? toText(action.redirect.url) : undefined
  const wait = isRecord(action.wait) ? Number(action.wait.secondsToWaitFor) : 0
  return {
    type: toText(action.type) ?? '',
    after: toText(action.lastBubbleBlockId) ?? null,
    stops: action.expectsDedicatedReply === true,
    url: redirect && isAddress(redirect) ? redirect : null,
    seconds: Number.isFinite(wait) && wait > 0 ? wait : 0,
  }
}

function isAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

function isDocument(url: string): boolean {
  return /\.(pdf|docx?|xlsx?|pptx?|odt|ods|csv|txt|zip)$/i.test(new URL(url).pathname)
}

function plainLines(markdown: unknown): RichTextLine[] {
  return typeof markdown === 'string' ? markdown.split('\n').map(plain => ({ plain, shown: plain })) : []
}
