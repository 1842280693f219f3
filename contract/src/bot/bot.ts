// The bot's menu: the questions in their order, and what is always there (decisions-2 §9).

import { getOptionName, type MenuOption, resolveMenuChoice } from '../follow-up/answers.ts'
import { findMostSimilar } from '../kit/similarity.ts'

/** A question as the bot knows it. */
export interface BotQuestion {
  readonly text: string
  readonly answer: string
  readonly queueId: number | null
  /** Whoever chooses it is served by people then. */
  readonly opensTicket: boolean
}

/** Numbers with two digits are for questions, but for the last. */
export const MOST_QUESTIONS = 98

/** What is chosen besides questions. */
export const SOMEBODY = { number: '99', name: 'Falar com atendente' } as const
export const END = { number: '00', name: 'Encerrar' } as const

/** What an answer to the bot's menu means: a question, a way out of it, or nothing. */
export type BotAnswer<Q> = { readonly question: Q } | 'somebody' | 'end' | null

/** The lines of the menu. `mayEnd`: `botCloseTicket`. */
export function buildBotMenu(questions: readonly Pick<BotQuestion, 'text'>[], mayEnd: boolean): MenuOption[] {
  return [...questions.map(({ text }) => text), SOMEBODY, ...(mayEnd ? [END] : [])]
}

/**
 * What somebody means by an answer: a line by its number or words, else the one question that is clearly most like it, or asking for
 * somebody in other words. Nobody ends by a likeness.
 * @example resolveBotAnswer('quero falar com atendente', questions, true) // 'somebody'
 */
export function resolveBotAnswer<Q extends Pick<BotQuestion, 'text'>>(
  answer: string,
  questions: readonly Q[],
  mayEnd: boolean,
): BotAnswer<Q> {
  const menu = buildBotMenu(questions, mayEnd)
  const alike = () => findMostSimilar(answer, [...questions.map(({ text }) => text), getOptionName(SOMEBODY)])
  const at = resolveMenuChoice(answer, menu) ?? alike()
  if (at === null) return null
  const question = questions[at]
  return question ? { question } : menu[at] === SOMEBODY ? 'somebody' : 'end'
}
