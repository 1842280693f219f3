/** What a store that speaks S3 says instead of what was asked for. */
export function createRefusal(status: number, code: string): Response {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`
  return new Response(text, { status, headers: { 'content-type': 'application/xml' } })
}
