const PAGE = '/Type /Page\n'

/** The bytes of a PDF as they pass, and how many pages passed with them. */
export function countPdfPages(bytes: AsyncIterable<Uint8Array>): {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly counted: () => number
} {
  let counted = 0
  async function* passed() {
    const decoder = new TextDecoder('latin1')
    let rest = ''
    for await (const chunk of bytes) {
      yield chunk
      const text = rest + decoder.decode(chunk)
      counted += text.split(PAGE).length - 1
      rest = text.slice(-(PAGE.length - 1))
    }
  }
  return { bytes: passed(), counted: () => counted }
}
