// Where a question stands in the list, and whether a search finds it: all of them are there, so the page searches by itself.
import type { Question } from '@balcao/contract'
import { foundIn } from '@balcao/ui/rows'

export const matches = foundIn<Question>(({ pergunta, resposta }) => [pergunta, resposta])

/** As the bot numbers them. */
export function inOrder(one: Question, other: Question): number {
  return one.order - other.order || one.id - other.id
}
