// What every look of the doctor is given and gives.
import type { Finding, FindingArea } from '@balcao/contract'
import type { Parts } from '../../policy/kit/parts.ts'

export interface CheckContext extends Pick<Parts, 'config' | 'db'> {
  readonly signal: AbortSignal
}

/** What was found, without its area. */
export type CheckFinding = Omit<Finding, 'area'>

/** Looks at one area. What it throws is a finding as well, and keeps the others from nothing. */
export type Check = (patient: CheckContext) => Promise<readonly CheckFinding[]>

export type Checks = Readonly<Record<FindingArea, Check>>

/** A finding by two thresholds: at least `warning` and `danger` are worse. */
export function toLevel(value: number, { warning, danger = Number.POSITIVE_INFINITY }: Thresholds): Finding['level'] {
  return value >= danger ? 'danger' : value >= warning ? 'warning' : 'ok'
}

interface Thresholds {
  readonly warning: number
  readonly danger?: number
}
