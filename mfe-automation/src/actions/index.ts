// Everything a person can do on the page of quick answers.
import { edit } from './edit.ts'
import { remove } from './remove.ts'

export { addAnswer } from './add.ts'
export type { AnswerAction } from './answer.ts'
export { searchAnswers } from './search.ts'

/** The actions of one row, in the order they are drawn. */
export const ANSWER_ACTIONS = [edit, remove]
