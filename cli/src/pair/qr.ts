// A QR code in half blocks: two modules a character, with the quiet zone that cameras need.
import { create } from 'qrcode'

const QUIET = 2
/** White on black and the other way round, whatever colours the terminal has. */
const LIGHT = { front: '\u001b[97m', back: '\u001b[107m' }
const DARK = { front: '\u001b[30m', back: '\u001b[40m' }
const NO_BACK = '\u001b[49m'
const END = `\u001b[39m${NO_BACK}`

/** Lines of the code. Without colours light modules are drawn: right on a dark terminal, and most cameras read it turned around too. */
export function renderQrLines(text: string, coloured: boolean): string[] {
  const { modules } = create(text, { errorCorrectionLevel: 'L' })
  const side = modules.size + 2 * QUIET
  const isLight = (row: number, column: number) => {
    const [y, x] = [row - QUIET, column - QUIET]
    return y < 0 || x < 0 || y >= modules.size || x >= modules.size || modules.get(y, x) === 0
  }
  return Array.from({ length: Math.ceil(side / 2) }, (_, line) => {
    const pairs = Array.from(
      { length: side },
      (_, column) =>
        [
          isLight(line * 2, column),
          // Below the last row there is nothing: of an odd side half a line is left.
          line * 2 + 1 >= side ? null : isLight(line * 2 + 1, column),
        ] as const,
    )
    return coloured ? paintPairs(pairs) : pairs.map(([above, below]) => block(above, below === true)).join('')
  })
}

function paintPairs(pairs: readonly (readonly [above: boolean, below: boolean | null])[]): string {
  let line = ''
  let colours = ''
  for (const [above, below] of pairs) {
    const back = below === null ? NO_BACK : (below ? LIGHT : DARK).back
    const wanted = (above ? LIGHT : DARK).front + back
    if (wanted !== colours) line += wanted
    colours = wanted
    line += '▀'
  }
  return line + END
}

function block(above: boolean, below: boolean): string {
  if (above) return below ? '█' : '▀'
  return below ? '▄' : ' '
}
