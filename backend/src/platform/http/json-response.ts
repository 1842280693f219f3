// Answers in JSON, written in one piece or two however long they are.

/** In characters, of which each takes three bytes at most: what Bun gathers with the headers before it writes is 16 KiB. */
const LONGEST_WHOLE = 5000

/**
 * The same as `Response.json`. Bun 1.4 writes the name and the value of each header by themselves, forty times, before a body that is longer than
 * its buffer and comes later than the request: of such an answer those writes cost more than everything else. A stream it writes at once.
 */
export function createJsonResponse(
  value: unknown,
  { status, headers }: { status: number; headers: Headers },
): Response {
  const text = JSON.stringify(value)
  if (!headers.has('content-type')) headers.set('content-type', 'application/json;charset=utf-8')
  return new Response(text.length > LONGEST_WHOLE ? streamText(text) : text, { status, headers })
}

function streamText(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
}
