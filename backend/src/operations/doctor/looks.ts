// What every look of the doctor is given and gives.
import type { Finding, FindingArea } from '@balcao/contract'
import type { Parts } from '../../policy/kit/parts.ts'

export interface Patient extends Pick<Parts, 'config' | 'db'> {
  readonly signal: AbortSignal
}

/** What was found, without its area. */
export type Found = Omit<Finding, 'area'>

/** Looks at one area. What it throws is a finding as well, and keeps the others from nothing. */
export type Look = (patient: Patient) => Promise<readonly Found[]>

export type Looks = Readonly<Record<FindingArea, Look>>

/** A finding by two thresholds: at least `warning` and `danger` are worse. */
export function levelOf(value: number, { warning, danger = Number.POSITIVE_INFINITY }: Thresholds): Finding['level'] {
  return value >= danger ? 'danger' : value >= warning ? 'warning' : 'ok'
}

interface Thresholds {
  readonly warning: number
  readonly danger?: number
}
