// The job of a ticket that a flow has: one call after the other, never two at once. Each is noted, made outside of every transaction, and
// its answer settled; what is not certain to be unheard is never said again, because it would answer the next question.
import type { Task } from 'graphile-worker'
import { createMediaStorage } from '../../desk/media/storage.ts'
import { crashAtFailPoint } from '../../platform/fail-point.ts'
import { OutwardError, type OutwardOptions } from '../../platform/http/outward.ts'
import { readNumber } from '../../platform/worker/kind.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { readSettings } from '../../policy/settings/read.ts'
import { type FlowTurn, startTurn } from './begin.ts'
import { type CallResult, continueChat, startChat } from './client.ts'
import { fetchFile } from './files.ts'
import { enqueueTypebotTurn } from './hand.ts'
import { buildPlan, type FlowPlan } from './plan.ts'
import { settleTurn, type TurnResult } from './settle.ts'
import type { ReadyMessage } from './write-messages.ts'

/** In ms. `retries`: how long after one another what was certainly not heard is tried again. */
export interface TurnTimeouts {
  readonly call: number
  readonly files: number
  readonly retries: readonly number[]
  /** For a call that is under way when the process is asked to end. */
  readonly end: number
}

const PATIENCE: TurnTimeouts = { call: 60_000, files: 45_000, retries: [1000, 3000, 9000], end: 10_000 }
/** After these others have their turn. */
const MOST_TURNS = 50

export function createTypebotTask(parts: Parts, patience: TurnTimeouts = PATIENCE): Task {
  return async (payload, { abortSignal }) => {
    const ticketId = readNumber(payload, 'ticketId')
    for (let n = 0; n < MOST_TURNS && !abortSignal?.aborted; n++) {
      const settings = await readSettings(parts.db)
      const begun = await change(parts, tx => startTurn(tx, ticketId, parts.config, settings))
      if (begun === null) return
      if ('waitMs' in begun) {
        await Bun.sleep(begun.waitMs)
        continue
      }
      crashAtFailPoint('typebot:noted')
      const called = await within(patience.end, abortSignal, callFlow(parts, begun.turn, patience))
      crashAtFailPoint('typebot:answered')
      const result = 'fault' in called ? called : await prepareMessages(parts, begun.turn, called, patience)
      crashAtFailPoint('typebot:files')
      const { dataKey } = parts.config
      await change(parts, async tx => {
        await settleTurn(tx, begun.turn, result, { settings, dataKey })
        crashAtFailPoint('typebot:before-commit')
      })
      crashAtFailPoint('typebot:after-commit')
    }
    await enqueueTypebotTurn(parts.db, ticketId)
  }
}

type Answered = Exclude<CallResult, { fault: unknown }> & { readonly isRenewed: boolean }

async function callFlow(
  parts: Parts,
  turn: FlowTurn,
  patience: TurnTimeouts,
): Promise<Extract<CallResult, { fault: unknown }> | Answered> {
  const outward = { allowed: parts.config.privateHosts, ms: patience.call }
  const { viewer, sessionId, message: told, anew, prefilled } = turn
  const first = await certainly(patience.retries, () =>
    sessionId === null ? startChat(viewer, told, prefilled, outward) : continueChat(viewer, sessionId, told, outward),
  )
  const isForgotten = 'fault' in first && first.fault === 'forgotten' && sessionId !== null && anew !== null
  if (!isForgotten) return tellFault(parts, turn, first, false)
  const again = await certainly(patience.retries, () => startChat(viewer, anew.message, prefilled, outward))
  return tellFault(parts, turn, again, true)
}

function tellFault(parts: Parts, { ticketId }: FlowTurn, called: CallResult, isRenewed: boolean) {
  if ('answer' in called) return { ...called, isRenewed }
  parts.log.warn({ ticketId, fault: called.fault }, 'Typebot gave no answer')
  return called
}

/** Tries again only what nobody heard. */
async function certainly(retries: readonly number[], ask: () => Promise<CallResult>): Promise<CallResult> {
  for (let attempt = 0; ; attempt++) {
    const called = await ask()
    const pause = retries[attempt]
    if ('answer' in called || called.fault !== 'unsent' || pause === undefined) return called
    await Bun.sleep(pause)
  }
}

/** What the answer says, with its files fetched. */
async function prepareMessages(
  parts: Parts,
  turn: FlowTurn,
  { answer, isRenewed }: Answered,
  patience: TurnTimeouts,
): Promise<TurnResult> {
  const plan = buildPlan(answer, turn.theirs, parts.config.publicUrl !== null)
  const { ready, refused } = await withFiles(parts, turn, plan, patience.files)
  return { plan, ready, refused, sessionId: answer.sessionId, isRenewed }
}

async function withFiles({ db, config }: Parts, { kind }: FlowTurn, { sayings }: FlowPlan, ms: number) {
  const end = Date.now() + ms
  const ready: ReadyMessage[] = []
  let refused = 0
  for (const { pauseMs, ...saying } of sayings) {
    if (saying.say !== 'file') {
      ready.push({ saying, file: null, pauseMs })
      continue
    }
    const outward: OutwardOptions = { allowed: config.privateHosts, ms: Math.max(1, end - Date.now()) }
    const place = createMediaStorage({ db, config })
    const file = await fetchFile(place, kind, saying, outward).catch(error => {
      if (error instanceof OutwardError) return 'refused' as const
      throw error
    })
    if (file === 'refused') refused++
    else ready.push({ saying, file, pauseMs })
  }
  return { ready, refused }
}

/** Whoever ends a process waits for a call a little, and no longer. */
async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  calling: Promise<T>,
): Promise<T | { readonly fault: 'lost' }> {
  if (!signal) return calling
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = Promise.withResolvers<{ readonly fault: 'lost' }>()
  const begin = () => {
    timer = setTimeout(() => late.resolve({ fault: 'lost' }), ms)
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  try {
    return await Promise.race([calling, late.promise])
  } finally {
    signal.removeEventListener('abort', begin)
    clearTimeout(timer)
  }
}
