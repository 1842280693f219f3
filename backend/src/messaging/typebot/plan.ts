// What follows from an answer of a flow: what is said in its order, what is done, and how it goes on. Pure.

import { type FlowCommand, separateCommands } from './commands.ts'
import type { FlowAction, FlowAnswer, FlowBubble } from './protocol.ts'
import { type FlowMessage, planQuestion, type QuestionPlan } from './questions.ts'
import { joinLines } from './rich-text.ts'
import type { FlowQuestion } from './table.ts'

/** Why a flow cannot go on here, besides what goes wrong with a call. */
export type FlowStop = 'input' | 'action' | 'event' | 'tooMuch'

export interface FlowPlan {
  /** `pauseMs`: how long after what was said before. */
  readonly sayings: readonly (FlowMessage & { readonly pauseMs: number })[]
  readonly commands: readonly FlowCommand[]
  readonly next:
    | { readonly is: 'asked'; readonly asked: FlowQuestion }
    /** It is called again without words, after so long. */
    | { readonly is: 'goesOn'; readonly afterMs: number }
    | { readonly is: 'ended' }
    /** `what`: the input or action that nobody can be shown, as Typebot calls it. */
    | { readonly is: 'stopped'; readonly why: FlowStop; readonly detail: string }
}

const MOST_SAYINGS = 60
const LONGEST_PAUSE_MS = 10_000

/** `theirs` as in `separateCommands`; `takesFiles`: Typebot can be given addresses of files. */
export function buildPlan(answer: FlowAnswer, theirs: readonly string[], takesFiles: boolean): FlowPlan {
  const commands: FlowCommand[] = []
  const sayings: (FlowMessage & { pauseMs: number })[] = []
  let pauseMs = 0
  const say = (saying: FlowMessage) => {
    sayings.push({ ...saying, pauseMs })
    pauseMs = 0
  }
  const act = (action: FlowAction) => {
    if (action.url !== null) say({ say: 'text', text: action.url })
    if (!action.stops) pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs + action.seconds * 1000)
  }
  const known = new Set(answer.bubbles.map(bubble => bubble.id))
  for (const action of answer.actions) if (action.after === null) act(action)
  for (const bubble of answer.bubbles) {
    for (const saying of sayingsOf(bubble)) say(saying)
    for (const action of answer.actions) if (action.after === bubble.id) act(action)
  }
  for (const action of answer.actions) if (action.after !== null && !known.has(action.after)) act(action)

  const asking = answer.input && planQuestion(answer.input, takesFiles)
  const ends = commands.some(command => command.do !== 'tag' && command.do !== 'unknown')
  if (asking && !ends && !answer.eventful) for (const saying of questionOf(asking)) say(saying)
  if (sayings.length > MOST_SAYINGS)
    return { sayings: [], commands: [], next: { is: 'stopped', why: 'tooMuch', detail: '' } }
  return { sayings, commands, next: ends ? { is: 'ended' } : planNext(answer, asking) }

  function sayingsOf(bubble: FlowBubble): FlowMessage[] {
    if (bubble.type === 'nothing') return []
    if (bubble.type === 'link') return [{ say: 'text', text: bubble.url }]
    if (bubble.type !== 'text') return [{ say: 'file', as: bubble.type, url: bubble.url, caption: '' }]
    const sorted = separateCommands(bubble.lines, theirs)
    commands.push(...sorted.commands)
    const text = joinLines(sorted.shown)
    return text === '' ? [] : [{ say: 'text', text }]
  }

  /** A text right before a menu stands above its lines. */
  function questionOf({ question, says }: QuestionPlan): readonly FlowMessage[] {
    const last = sayings.at(-1)
    const before = last?.say === 'text' && pauseMs === 0 ? last.text : null
    if (before !== null && question.items.length > 0) pauseMs = sayings.pop()?.pauseMs ?? 0
    return says(before)
  }
}

function planNext({ input, actions, eventful }: FlowAnswer, asking: QuestionPlan | null): FlowPlan['next'] {
  if (eventful) return { is: 'stopped', why: 'event', detail: '' }
  const foreign = actions.find(({ stops, type }) => stops && type !== 'wait' && type !== 'redirect')
  if (foreign) return { is: 'stopped', why: 'action', detail: foreign.type }
  const stopping = actions.filter(action => action.stops)
  if (stopping.length > 0)
    return {
      is: 'goesOn',
      afterMs: Math.min(LONGEST_PAUSE_MS, Math.max(...stopping.map(({ seconds }) => seconds * 1000))),
    }
  if (!input) return { is: 'ended' }
  return asking ? { is: 'asked', asked: asking.question } : { is: 'stopped', why: 'input', detail: input.type }
}
