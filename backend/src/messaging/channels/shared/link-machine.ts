// The life of a connection, the same for every kind: it connects, is open, is lost, waits and tries again, or gives up until somebody acts
// (docs/decisions/0268). A driver says how it connects and lets go, and what an end means; turns, counts, pauses and the timer are here.
import type { ConnectionStatus } from '@balcao/contract'
import { ChannelError, type ChannelEvent } from '../../../platform/channel/driver.ts'
import { Trouble, type TroubleReport } from './trouble.ts'

export type LinkStatus = Omit<Extract<ChannelEvent, { type: 'status' }>, 'type'>

/** What follows an end. */
export interface RetryPlan extends TroubleReport {
  readonly status: ConnectionStatus
  /** When to try again, in ms from now; null: not by itself. */
  readonly afterMs: number | null
}

/** Failed attempts in a row, and how often this very code came in a row, both with this one. */
export interface FailureCount {
  readonly attempt: number
  readonly repeated: number
}

export interface LinkDriver {
  /** One attempt; what becomes of it is told by `opened` and `lost`. One that throws is made again after a second. */
  readonly connect: (turn: number) => Promise<void>
  /** Lets go of what runs. */
  readonly disconnect: (wasOpen: boolean) => void
  readonly tell: (status: LinkStatus) => Promise<void> | void
  readonly failed: (error: unknown) => void
}

const AGAIN_MS = 1000

export class LinkMachine {
  phase: 'idle' | 'connecting' | 'open' | 'waiting' = 'idle'
  /** Grows with every end and every stop: what belongs to an older turn is void. */
  turn = 0
  readonly trouble = new Trouble()
  /** Since when this turn has been open, be it not at the moment; 0: never. */
  openedAt = 0
  private lastCode = ''
  private repeated = 0
  private timer: ReturnType<typeof setTimeout> | null = null

  /** `steadyMs`: a connection that held this long starts again with the shortest pause; 0: any that was open. */
  constructor(
    private readonly driver: LinkDriver,
    private readonly steadyMs = 0,
  ) {}

  get isOpen(): boolean {
    return this.phase === 'open'
  }

  /** Ends what runs. Gives the turn that begins. */
  leave(): number {
    const { isOpen } = this
    this.turn++
    this.cancel()
    this.phase = 'idle'
    this.openedAt = 0
    this.driver.disconnect(isOpen)
    return this.turn
  }

  /** Begins anew after `ready`, in vain where something else began meanwhile. Gives its turn. */
  async restart(ready: () => Promise<void> | void): Promise<number> {
    const turn = this.leave()
    await ready()
    if (turn === this.turn) await this.begin(turn)
    return turn
  }

  private async begin(turn: number): Promise<void> {
    this.phase = 'connecting'
    try {
      await this.driver.connect(turn)
    } catch (error) {
      this.retry(turn, error)
    }
  }

  async opened(turn: number, status: Partial<LinkStatus> = {}): Promise<void> {
    if (turn !== this.turn) return
    this.phase = 'open'
    this.openedAt ||= Date.now()
    if (this.steadyMs === 0) this.trouble.attempt = 0
    this.trouble.clear()
    await this.driver.tell({ status: 'CONNECTED', trouble: null, ...status })
  }

  /** Not open any more, and still trying in the same turn. */
  suspend(): void {
    this.phase = 'connecting'
  }

  /** `plan` says what follows, and does what has to be done before. */
  async lost(
    ended: number,
    code: string,
    plan: (failures: FailureCount) => Promise<RetryPlan> | RetryPlan,
  ): Promise<void> {
    if (ended !== this.turn) return
    const { trouble } = this
    const hasHeld = this.isOpen && Date.now() - this.openedAt >= this.steadyMs
    this.repeated = code === this.lastCode && !hasHeld ? this.repeated + 1 : 1
    this.lastCode = code
    trouble.attempt = hasHeld ? 1 : trouble.attempt + 1
    const turn = this.leave()
    try {
      const { status, ...report } = await plan({ attempt: trouble.attempt, repeated: this.repeated })
      if (turn !== this.turn) return
      const { afterMs } = report
      const isRestart = report.reason === 'restart'
      if (isRestart) trouble.attempt = 0
      if (afterMs !== null) this.phase = 'waiting'
      await this.driver.tell({ status, trouble: isRestart ? null : trouble.describe(report) })
      if (afterMs !== null && turn === this.turn) this.later(afterMs, () => this.begin(turn))
    } catch (error) {
      this.retry(turn, error)
    }
  }

  /** Something is wrong of which no attempt follows. */
  async down(status: ConnectionStatus, report: TroubleReport): Promise<void> {
    await this.driver.tell({ status, trouble: this.trouble.describe(report) })
  }

  /** The one timer of a turn: the next attempt, the end of patience or the next look. */
  later(ms: number, work: () => Promise<void> | void): void {
    this.cancel()
    this.timer = setTimeout(() => {
      Promise.try(work).catch(this.driver.failed)
    }, ms)
  }

  cancel(): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
  }

  private retry(turn: number, error: unknown): void {
    if (turn !== this.turn) return
    this.driver.failed(error)
    this.later(AGAIN_MS, () => this.begin(turn))
  }
}

export interface LinkPauses {
  readonly backoffMs: readonly number[]
  readonly replacedMs: number
  readonly tooOldMs: number
  /** A connection that held this long starts again with the shortest pause. */
  readonly steadyMs: number
}

export const LINK_PAUSES: LinkPauses = {
  backoffMs: [1000, 2000, 5000, 15_000, 30_000, 60_000],
  replacedMs: 60_000,
  tooOldMs: 300_000,
  steadyMs: 30_000,
}

/** What is wrong with a connection that no phone was linked to. */
export const NOT_PAIRED = { code: 'none', reason: 'qr_not_read', next: 'read_qr' } as const

/** The pause after so many failures; `random` (0 to 1) spreads it by ±20 %, so that many connections do not come back in step. */
export function choosePause(backoffMs: readonly number[], attempt: number, random: () => number = Math.random): number {
  return Math.round((backoffMs.slice(0, attempt).at(-1) ?? 0) * (0.8 + 0.4 * random()))
}

/** Rejects when `work` takes longer. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new ChannelError('timeout', 'No answer in time')), ms)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
