// Why a flow is not at work in a ticket any more, or did not do something: codes of the lines that screens show (`contract/texts/lines`).
import type pt from '@balcao/contract/texts/lines/pt.json'
import type { CallFault } from './client.ts'
import type { FlowStop } from './plan.ts'

/** `what` stands for what the flow named. */
export type LeaveReason = Extract<keyof typeof pt.system, `flow${string}`>

export const WHY_FAULT: Readonly<Record<CallFault, LeaveReason>> = {
  unsent: 'flowUnreachable',
  private: 'flowPrivate',
  insecure: 'flowInsecure',
  lost: 'flowLost',
  slow: 'flowSlow',
  tooLarge: 'flowTooMuch',
  forgotten: 'flowForgotten',
  closed: 'flowClosed',
  refused: 'flowRefused',
  broken: 'flowBroken',
  strange: 'flowStrange',
}

export const WHY_STOP: Readonly<Record<FlowStop, LeaveReason>> = {
  input: 'flowInput',
  action: 'flowAction',
  event: 'flowAction',
  tooMuch: 'flowTooMuch',
}
