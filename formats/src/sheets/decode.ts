// The characters of a text sheet, whatever program wrote it. In the child alone.

/** The text of a file, without a mark at its beginning. Throws for what is no text. */
export function decodeText(bytes: Uint8Array): string {
  const text = new TextDecoder(guessEncoding(bytes)).decode(bytes)
  if (text.includes('\0')) throw new Error('no sheet')
  return isMostlyWhole(text) ? text : decodeOld(bytes)
}

/** Whether few of its letters are broken: a file that was cut off, or one cell that came from elsewhere. */
function isMostlyWhole(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return !text.includes('\ufffd') || count(/[^\0-\x7f\ufffd]/g) > count(/\ufffd/g)
}

/** UTF-16 says so at its beginning, or by the empty half of each character. */
function guessEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, SAMPLE)
  const zeros = (half: number) => sample.filter((byte, at) => at % 2 === half && byte === 0).length
  const [even, odd] = [zeros(0), zeros(1)]
  if (Math.max(even, odd) * 4 < sample.length) return 'utf-8'
  return odd > even ? 'utf-16le' : 'utf-16be'
}

const SAMPLE = 1024

/** What is no UTF-8 is what Windows writes, or what old programs wrote for DOS: whichever makes more letters of our languages. */
function decodeOld(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new Error('no sheet')
  const windows = new TextDecoder('windows-1252').decode(bytes)
  const dos = windows.replace(/[^\0-\x7f]/g, (_, at: number) => DOS[(bytes[at] ?? 0) - 128] ?? '')
  return countLetters(dos) > countLetters(windows) ? dos : windows
}

/** The upper half of code page 850. */
const DOS =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

/** Letters with accents that stand beside plain ones. */
function countLetters(text: string): number {
  return (
    text.match(
      /(?<=[a-z])[áàâãäéêíóôõöúüçñ]|[áàâãäéêíóôõöúüçñ](?=[a-z])|(?<=[A-Z])[ÁÀÂÃÉÊÍÓÔÕÚÜÇÑ]|[ÁÀÂÃÉÊÍÓÔÕÚÜÇÑ](?=[A-Z])/g,
    )?.length ?? 0
  )
}
