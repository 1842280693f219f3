// Long work on the server, followed to its end: a bar where there is a terminal, a line now and then where there is none.
import { isApiError } from '@balcao/client'
import type { Job } from '@balcao/contract'
import type { CommandContext } from './command.ts'
import type { Desk } from './desk.ts'
import { Failure, findSentence } from './faults.ts'
import { renderBar } from './layout.ts'

const ASK_MS = 400
/** A desk that restarts is back within this; what it has begun goes on then. */
const BACK_MS = 60_000
const BAR = 30
/** Without a terminal progress is told in steps of this share. */
const STEP = 0.1

/**
 * Waits for a job and shows how far it is, also past a restart of the desk; answers it when it is done. Throws a `Failure` when it failed, was
 * cancelled, or the desk stays away. Ctrl+C leaves it to the server, which goes on with it: nothing stays half done. `left`: what is said then.
 */
export async function followJob(
  call: Pick<CommandContext, 'out' | 't' | 'language' | 'ending'>,
  desk: Desk,
  id: number,
  label: string,
  left: 'goesOn' | 'goesOnFile' = 'goesOn',
): Promise<Job> {
  const { out, t, language, ending } = call
  const goesOn = () => out.note(`\n${t(`job.${left}`, { id })}`)
  const forget = ending.onEnd(goesOn)
  const shown = await createProgress(call, label)
  let answeredAt = Date.now()
  try {
    for (;;) {
      const job = await desk.api('GET /jobs/:id', { params: { id } }).catch((error: unknown) => {
        if (isApiError(error, 'OFFLINE')) return null
        // Such as a sign-in that was ended: the work was asked for before.
        shown.end()
        goesOn()
        throw error
      })
      if (job === null) {
        if (Date.now() - answeredAt > BACK_MS) throw new Failure('jobAway', { id })
        shown.away()
        await new Promise(resolve => setTimeout(resolve, ASK_MS))
        continue
      }
      answeredAt = Date.now()
      shown.tell(job)
      if (job.state === 'done') return job
      if (job.state === 'cancelled') throw new Failure('jobCancelled')
      if (job.state === 'failed') {
        const code = job.error ?? ''
        throw new Failure('jobFailed', { why: findSentence(code, t, language) ?? code })
      }
      await new Promise(resolve => setTimeout(resolve, ASK_MS))
    }
  } finally {
    forget()
    shown.end()
  }
}

interface Progress {
  tell(job: Job): void
  /** The desk does not answer. */
  away(): void
  end(): void
}

async function createProgress(
  { out, t, ending }: Pick<CommandContext, 'out' | 't' | 'ending'>,
  label: string,
): Promise<Progress> {
  const begun = Date.now()
  if (out.json) return { tell: () => undefined, away: () => undefined, end: () => undefined }
  if (!out.isTerminal) {
    const isStep = makeStepTest()
    let isAway = false
    return {
      away() {
        if (!isAway) out.note(t('job.away'))
        isAway = true
      },
      tell(job) {
        isAway = false
        const share = computeShare(job)
        if (!isStep(share)) return
        out.note(`${label} ${formatPercent(share)} ${t('job.of', { done: job.done, total: job.total ?? job.done })}`)
      },
      end: () => undefined,
    }
  }
  const { openScreen } = await import('./screen.tsx')
  const screen = openScreen(ending)
  let lines: readonly string[] = []
  return {
    tell(job) {
      lines = renderProgressLines(job, label, Date.now() - begun, out, t)
      screen.draw(lines)
    },
    away: () => screen.draw([...lines, out.paint(t('job.away'), 'warn')]),
    end: screen.end,
  }
}

/** Which of the shares that come are worth a line: each step, and what is whole, once. */
export function makeStepTest(): (share: number) => boolean {
  let next = STEP
  return share => {
    if (share < next) return false
    next = share < 1 ? Math.min(1, share + STEP) : Number.POSITIVE_INFINITY
    return true
  }
}

/** What stands on the screen of a job that has run for so many milliseconds. */
export function renderProgressLines(
  job: Pick<Job, 'done' | 'total' | 'state'>,
  label: string,
  ms: number,
  { columns, paint }: Pick<CommandContext['out'], 'columns' | 'paint'>,
  t: CommandContext['t'],
): string[] {
  const share = computeShare(job)
  const room = Math.max(8, Math.min(BAR, columns - label.length - 9))
  const first = `${label}  ${renderBar(share, room, paint)}  ${formatPercent(share)}`
  if (job.total === null || job.done === 0) return [first]
  const pace = job.done / Math.max(0.001, ms / 1000)
  const words = [t('job.of', { done: job.done, total: job.total })]
  if (job.done < job.total && pace > 0) {
    words.push(t('job.pace', { count: Math.max(1, Math.round(pace)) }))
    words.push(t('job.left', { seconds: Math.ceil((job.total - job.done) / pace) }))
  }
  return [first, paint(words.join(' · '), 'muted')]
}

function computeShare({ done, total, state }: Pick<Job, 'done' | 'total' | 'state'>): number {
  if (state === 'done') return 1
  return total === null || total === 0 ? 0 : Math.min(1, done / total)
}

function formatPercent(share: number): string {
  return `${String(Math.floor(share * 100)).padStart(3)}%`
}
