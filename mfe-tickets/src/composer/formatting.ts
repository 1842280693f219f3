// WhatsApp's marks put around what is selected, or taken away again. Pure.
export type Mark = '*' | '_' | '~' | '`'
export type LineMark = '> ' | '- ' | '1. '

/** `piece` in place of the text between `from` and `to`; then the selection goes from `start` to `end`. */
export interface Replacement {
  readonly from: number
  readonly to: number
  readonly piece: string
  readonly start: number
  readonly end: number
}

/**
 * Marks a selection, each of its lines by itself because marks do not reach over lines. Marked already: the marks go.
 * @example marked('oi Ana', 3, 6, '*') // 'oi *Ana*'
 */
export function toggleMark(text: string, start: number, end: number, mark: Mark): Replacement {
  const [from, to] = trimSelection(text, start, end)
  if (from > 0 && text[from - 1] === mark && text[to] === mark && to > from)
    return { from: from - 1, to: to + 1, piece: text.slice(from, to), start: from - 1, end: to - 1 }
  const inside = text.slice(from, to)
  if (inside.length > 2 && inside.startsWith(mark) && inside.endsWith(mark) && !inside.includes('\n'))
    return { from, to, piece: inside.slice(1, -1), start: from, end: to - 2 }
  if (inside === '') return { from, to, piece: mark + mark, start: from + 1, end: from + 1 }
  const piece = inside
    .split('\n')
    .map(line =>
      line.replace(/^(\s*)(.*?\S)(\s*)$/u, (_, before, words, after) => before + mark + words + mark + after),
    )
    .join('\n')
  const one = !inside.includes('\n')
  return { from, to, piece, start: one ? from + 1 : from, end: one ? to + 1 : from + piece.length }
}

/** Puts a mark before every selected line, numbers counting up; if all have it, it goes. */
export function toggleLineMark(text: string, start: number, end: number, mark: LineMark): Replacement {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next === -1 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const known = mark === '1. ' ? /^\d{1,3}\. / : mark === '> ' ? /^> / : /^[*-] /
  const piece = lines.every(line => known.test(line))
    ? lines.map(line => line.replace(known, '')).join('\n')
    : lines.map((line, index) => (mark === '1. ' ? `${index + 1}. ` : mark) + line.replace(known, '')).join('\n')
  const at = from + piece.length
  return { from, to, piece, start: lines.length === 1 ? at : from, end: at }
}

/** A selection without blanks at its ends: marks must touch their words. */
function trimSelection(text: string, start: number, end: number): [number, number] {
  let from = start
  let to = end
  while (from < to && /\s/u.test(text[from] ?? '')) from++
  while (to > from && /\s/u.test(text[to - 1] ?? '')) to--
  return [from, to]
}
