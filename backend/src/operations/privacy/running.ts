// What the steps of an erasure are given and give.
import type { ErasureCounts } from '@balcao/contract'
import type { Tx } from '../../platform/database/client.ts'
import type { ErasureMark, PersonTraces } from './table.ts'

/** An erasure that runs, with its row locked. */
export interface RunningErasure {
  readonly traces: PersonTraces
  /** What came later is not of the person that is erased: somebody wrote anew. */
  readonly startedAt: string
}

/** What a batch did, and where the next one begins; null: it was the last. */
export interface ErasureBatch {
  readonly next: ErasureMark | null
  readonly counts?: Partial<ErasureCounts>
}

/** Pages of one table, as Postgres names the places in it. */
export interface PageRange {
  readonly from: string
  readonly until: string
}

/** Goes through pages for what is left, and gives how many rows there were. */
export type PageEraser = (tx: Tx, running: RunningErasure, stretch: PageRange) => Promise<number>
