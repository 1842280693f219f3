// The lists that people keep by hand, each row seen alike by everybody: a new one is one line here. Its calls join `endpoints.ts`, and its
// live events follow from the name: `tag` with the row as `tag` when one is there or changed, with `tagId` when one is gone.
import { questionEndpoints } from './bot/endpoints.ts'
import { Question } from './bot/question.ts'
import type { Static, TSchema } from './kit/schema.ts'
import { queueEndpoints } from './queues/endpoints.ts'
import { Queue } from './queues/queue.ts'
import { quickAnswerEndpoints } from './quick-answers/endpoints.ts'
import { QuickAnswer } from './quick-answers/quick-answer.ts'
import { tagEndpoints } from './tags/endpoints.ts'
import { TagRow } from './tags/tag.ts'

export const LISTS = {
  pergunta: { Row: Question, endpoints: questionEndpoints },
  queue: { Row: Queue, endpoints: queueEndpoints },
  quickAnswer: { Row: QuickAnswer, endpoints: quickAnswerEndpoints },
  tag: { Row: TagRow, endpoints: tagEndpoints },
} as const satisfies Record<string, { readonly Row: TSchema; readonly endpoints: object }>

type Lists = typeof LISTS
export type RowListName = keyof Lists

/** The live events of every list. */
export type ListEvent = {
  [N in RowListName]:
    | ({ event: N; action: 'create' | 'update'; version: number } & { [K in N]: Static<Lists[N]['Row']> })
    | ({ event: N; action: 'delete'; version: number } & { [K in `${N}Id`]: number })
}[RowListName]

type Joined<Part> = (Part extends unknown ? (part: Part) => void : never) extends (all: infer All) => void ? All : never

/** The calls of every list. */
export const listEndpoints: Joined<Lists[RowListName]['endpoints']> = Object.assign(
  {},
  ...Object.values(LISTS).map(({ endpoints }) => endpoints),
)
