// The blocks of a flow as Typebot's viewer answers them: bubbles, inputs and actions, each with an id of its own.

export type Json = Readonly<Record<string, unknown>>
export type Block =
  | { readonly kind: 'bubble'; readonly json: Json }
  | { readonly kind: 'input'; readonly json: Json }
  | { readonly kind: 'action'; readonly json: Json }

/** What a flow is: it yields blocks and is given the customer's answer at each input, and at each action that waits for one. */
export type Flow = (variables: Readonly<Record<string, string>>) => Generator<Block, void, string | undefined>

/** A piece of text in Typebot's editor. */
export type Piece = string | Json

/** A paragraph of pieces. */
export function p(...pieces: readonly Piece[]): Json {
  return { type: 'p', children: pieces.map(piece => (typeof piece === 'string' ? { text: piece } : piece)) }
}

/** A text of paragraphs; a text alone is one with its lines as paragraphs. */
export function say(...paragraphs: readonly (string | Json)[]): Block {
  const richText = paragraphs.flatMap(each =>
    typeof each === 'string' ? each.split('\n').map(line => p(line)) : [each],
  )
  return bubble('text', { type: 'richText', richText })
}

export function show(type: 'image' | 'audio' | 'video' | 'embed' | 'custom-embed', content: Json): Block {
  return bubble(type, content)
}

/** Any bubble, also one that nobody knows. */
export function bubble(type: string, content: Json): Block {
  return { kind: 'bubble', json: { id: named('bloco'), type, content } }
}

/** An input; `items` for choices, pictures and cards. */
export function ask(type: string, options: Json = {}, items?: readonly Json[]): Block {
  return { kind: 'input', json: { id: named('pergunta'), type, options, ...(items && { items }) } }
}

export function choices(...contents: readonly string[]): Block {
  return ask('choice input', {}, items(contents))
}

export function items(contents: readonly string[]): Json[] {
  return contents.map(content => ({ id: named('opcao'), content }))
}

/** Something that the visitor's page does; `stops`: the flow goes on when it is called again. */
export function act(type: string, more: Json = {}, stops = false): Block {
  return { kind: 'action', json: { type, ...more, ...(stops && { expectsDedicatedReply: true }) } }
}

export function wait(seconds: number, stops = false): Block {
  return act('wait', { wait: { secondsToWaitFor: seconds } }, stops)
}

let count = 0

function named(what: string): string {
  return `${what}${++count}`
}
