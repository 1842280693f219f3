// Long bodies stand folded: what one message costs to draw is bounded, whatever the customer sent.
import { useState } from 'react'

/** So many letters are shown at first, and so many lines; each 'ver mais' shows eight times as many. */
const LETTERS = 2000
const LETTERS_A_LINE = 50
const STEP = 8
/** Nothing is folded for the sake of less than this part of what is shown. */
const SLACK = 0.1
const WORD = 40

/** The beginning of a text, and how to see more of it; null when all of it is shown. */
export function useFolded(text: string): { readonly shown: string; readonly unfold: (() => void) | null } {
  const [most, setMost] = useState(LETTERS)
  const shown = foldMessageText(text, most)
  return { shown, unfold: shown === text ? null : () => setMost(most * STEP) }
}

/** At most so many letters and, as a column of them is long too, a line for each fifty; cut between words. */
export function foldMessageText(text: string, letters: number): string {
  const end = Math.min(letters, endOfLine(text, letters / LETTERS_A_LINE))
  if (text.length <= end * (1 + SLACK)) return text
  const head = text.slice(0, end)
  if (/\s/u.test(text[end] ?? '')) return head
  const space = head.search(/\s\S*$/u)
  // Never between the halves of one sign.
  return space > end - WORD ? head.slice(0, space) : head.replace(/[\uD800-\uDBFF]$/, '')
}

function endOfLine(text: string, lines: number): number {
  let end = -1
  for (let n = 0; n < lines; n++) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) return text.length
  }
  return end
}
