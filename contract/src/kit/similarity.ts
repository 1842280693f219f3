// Which of some sentences somebody most likely meant: by trigrams of their words, as a search in the database does it, but without one.
import { normalizeWords } from '../follow-up/answers.ts'

/** Who writes more than this tells something and chooses nothing. */
const MOST_CHARACTERS = 300
/** Below it two sentences are about different things. */
const LEAST = 0.3
/** By so much the likeliest must lead. */
const LEAD = 0.15
/** Who says a whole sentence among other words means it, less surely than who says little else. */
const SAID_AMONG_OTHERS = 0.75

/**
 * The one sentence that a text is clearly most like, from 0; null where none is, or two are. Case and accents do not count. The work
 * grows with the text no faster than the text.
 * @example findMostSimilar('2a via do boleto', ['Horário e endereço', 'Segunda via de boleto']) // 1
 */
export function findMostSimilar(text: string, sentences: readonly string[]): number | null {
  if (text.length > MOST_CHARACTERS) return null
  const trigrams = extractTrigrams(text)
  const likeness = sentences.map(sentence => computeSimilarity(trigrams, extractTrigrams(sentence)))
  const best = Math.max(0, ...likeness)
  const at = likeness.indexOf(best)
  const isClear = likeness.every((other, place) => place === at || best - other >= LEAD)
  return best >= LEAST && isClear ? at : null
}

/** 0: nothing in common, 1: the same. */
function computeSimilarity(trigrams: ReadonlySet<string>, sentence: ReadonlySet<string>): number {
  if (trigrams.size === 0 || sentence.size === 0) return 0
  let shared = 0
  for (const trigram of sentence) if (trigrams.has(trigram)) shared++
  return Math.max(shared / (trigrams.size + sentence.size - shared), (SAID_AMONG_OTHERS * shared) / sentence.size)
}

/** Of each word, with two blanks before it and one behind: how a word begins counts most. */
function extractTrigrams(text: string): Set<string> {
  const found = new Set<string>()
  for (const word of normalizeWords(text).split(/[^\p{L}\p{N}]+/u)) {
    if (word === '') continue
    const padded = `  ${word} `
    for (let at = 0; at + 3 <= padded.length; at++) found.add(padded.slice(at, at + 3))
  }
  return found
}
