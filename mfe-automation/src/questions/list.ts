// Where a question stands in the list, and whether a search finds it: all of them are there, so the page searches by itself.
import type { Question } from '@balcao/contract'
import { makeTextMatcher } from '@balcao/ui/rows'

export const isQuestionMatch = makeTextMatcher<Question>(({ pergunta, resposta }) => [pergunta, resposta])

/** As the bot numbers them. */
export function compareQuestions(one: Question, other: Question): number {
  return one.order - other.order || one.id - other.id
}
