// What the stand-in makes of a request: a summary that counts and quotes, a transcription chosen by the length of the recording.

export interface AudioFile {
  readonly name: string
  readonly bytes: number
}

export interface ChatRequest {
  readonly text: string
  /** Of the system, which the text must not change. */
  readonly instructions: string
  /** Whether the answer is wanted piece by piece. */
  readonly stream: boolean
}

/** What is asked, in either form; null for what no endpoint of this kind takes. */
export async function parseAiRequest(path: string, request: Request): Promise<ChatRequest | AudioFile | null> {
  if (request.method !== 'POST') return null
  if (path === '/v1/chat/completions') {
    const body: unknown = await request.json()
    const messages = readField(body, 'messages')
    const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined
    const text = readField(last, 'content')
    if (typeof readField(body, 'model') !== 'string' || typeof text !== 'string') return null
    const instructions = String(readField(Array.isArray(messages) ? messages[0] : undefined, 'content') ?? '')
    return { text, instructions, stream: readField(body, 'stream') === true }
  }
  if (path !== '/v1/audio/transcriptions') return null
  const form = await request.formData()
  const file = form.get('file')
  return file instanceof File && typeof form.get('model') === 'string' ? { name: file.name, bytes: file.size } : null
}

/** Counts who said how much and quotes the customer's last words. */
export function answerSummary(text: string): Response {
  const lines = listLines(text).filter(line => line.trim() !== '')
  const customer = lines.filter(line => line.startsWith('Cliente: '))
  const last = customer.at(-1)?.slice('Cliente: '.length) ?? ''
  const parts = [
    `O cliente escreveu ${customer.length} de ${lines.length} mensagens.`,
    last && `Por último disse: “${last.slice(0, 160)}”`,
    'Falta responder o que ele pediu por último.',
  ]
  const content = parts.filter(part => part !== '').join('\n')
  return Response.json({
    id: 'chatcmpl-simulador',
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  })
}

/**
 * A draft, word by word: of a conversation an answer that quotes the customer's last words, of a text the same text with a capital and a
 * full stop. `hold` is waited for before each word.
 */
export function streamDraft({ text }: ChatRequest, hold: (at: number) => Promise<void> | null): Response {
  const encoder = new TextEncoder()
  const words = writeDraft(text).split(/(?<=\s)/)
  let at = 0
  const say = (data: object | string) =>
    encoder.encode(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await hold(at++)
      const word = words.shift()
      if (word !== undefined) return controller.enqueue(say({ choices: [{ index: 0, delta: { content: word } }] }))
      controller.enqueue(say({ choices: [], usage: { prompt_tokens: text.length, completion_tokens: 10 } }))
      controller.enqueue(say('[DONE]'))
      controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

function writeDraft(text: string): string {
  const lines = listLines(text)
  const last = lines.filter(line => line.startsWith('Cliente: ')).at(-1)
  if (last) return `Olá! Sobre “${last.slice('Cliente: '.length, 160)}”: vou verificar e já respondo.`
  const own = lines.join('\n').trim()
  return `${own.charAt(0).toUpperCase()}${own.slice(1)}${/[.!?]$/.test(own) ? '' : '.'}`
}

/** Without the fence around them. */
function listLines(text: string): string[] {
  return text.split('\n').filter(line => !/^<\/?(text|conversation|knowledge) /.test(line))
}

const SPOKEN = [
  'Oi, tudo bem? Queria saber se o pedido sai hoje ainda.',
  'Bom dia! Pode separar duas caixas de leite para mim, por favor?',
  'Recebi o boleto, mas o valor veio diferente do combinado.',
  'Obrigada pela atenção, era isso mesmo que eu precisava.',
]

/** The same recording always says the same. */
export function answerTranscript({ bytes }: AudioFile): Response {
  return Response.json({ text: SPOKEN[bytes % SPOKEN.length] })
}

/** An error as these endpoints write it. */
export function createFailure(status: number, message: string): Response {
  return Response.json({ error: { message, type: 'server_error', code: null } }, { status })
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
