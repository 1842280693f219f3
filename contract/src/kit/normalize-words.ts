// What is left of words when how they are written does not count.

/** Without accents, capitals, the frames of emoji digits, and marks and blanks around it. */
export function normalizeWords(text: string): string {
  const plain = text
    .normalize('NFD')
    .replace(/[\p{M}\u200d]/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
  // By hand: an expression for the marks at the end would begin anew at each mark of a long row of them.
  let [from, to] = [0, plain.length]
  while (from < to && AROUND.has(plain.charAt(from))) from++
  while (to > from && AROUND.has(plain.charAt(to - 1))) to--
  return plain.slice(from, to)
}

const AROUND = new Set(' "\'“”‘’*_~.!,;:()[]-')
