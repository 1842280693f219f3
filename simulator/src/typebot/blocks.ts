// The blocks of a flow as Typebot's viewer answers them: bubbles, inputs and actions, each with an id of its own.

export type Json = Readonly<Record<string, unknown>>
export type FlowBlock =
  | { readonly kind: 'bubble'; readonly json: Json }
  | { readonly kind: 'input'; readonly json: Json }
  | { readonly kind: 'action'; readonly json: Json }

/** What a flow is: it yields blocks and is given the customer's answer at each input, and at each action that waits for one. */
export type Flow = (variables: Readonly<Record<string, string>>) => Generator<FlowBlock, void, string | undefined>

/** A piece of text in Typebot's editor. */
export type Piece = string | Json

/** A paragraph of pieces. */
export function createParagraph(...pieces: readonly Piece[]): Json {
  return { type: 'p', children: pieces.map(piece => (typeof piece === 'string' ? { text: piece } : piece)) }
}

/** A text of paragraphs; a text alone is one with its lines as paragraphs. */
export function sayText(...paragraphs: readonly (string | Json)[]): FlowBlock {
  const richText = paragraphs.flatMap(each =>
    typeof each === 'string' ? each.split('\n').map(line => createParagraph(line)) : [each],
  )
  return createBubble('text', { type: 'richText', richText })
}

export function show(type: 'image' | 'audio' | 'video' | 'embed' | 'custom-embed', content: Json): FlowBlock {
  return createBubble(type, content)
}

/** Any bubble, also one that nobody knows. */
export function createBubble(type: string, content: Json): FlowBlock {
  return { kind: 'bubble', json: { id: makeName('bloco'), type, content } }
}

/** An input; `items` for choices, pictures and cards. */
export function ask(type: string, options: Json = {}, items?: readonly Json[]): FlowBlock {
  return { kind: 'input', json: { id: makeName('pergunta'), type, options, ...(items && { items }) } }
}

export function askChoices(...contents: readonly string[]): FlowBlock {
  return ask('choice input', {}, createItems(contents))
}

export function createItems(contents: readonly string[]): Json[] {
  return contents.map(content => ({ id: makeName('opcao'), content }))
}

/** Something that the visitor's page does; `stops`: the flow goes on when it is called again. */
export function performAction(type: string, more: Json = {}, stops = false): FlowBlock {
  return { kind: 'action', json: { type, ...more, ...(stops && { expectsDedicatedReply: true }) } }
}

export function wait(seconds: number, stops = false): FlowBlock {
  return performAction('wait', { wait: { secondsToWaitFor: seconds } }, stops)
}

let count = 0

function makeName(base: string): string {
  return `${base}${++count}`
}
