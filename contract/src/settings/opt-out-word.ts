// The word that ends mass sends: one that nobody says who means something else.
import { BACK_WORD, isWord, parseRating } from '../follow-up/answers.ts'

/** A number chooses a line or rates, and one word takes it back. */
export function isOptOutWordClear(words: string): boolean {
  return words.trim() === '' || (/^\s*\p{L}/u.test(words) && parseRating(words) === null && !isWord(words, BACK_WORD))
}
