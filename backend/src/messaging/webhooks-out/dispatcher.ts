// What a process does for webhooks: it follows the live events when they ring, and takes turns at addresses, beside everything else.
import type { Notices } from '../../platform/database/notices.ts'
import { getSql } from '../../platform/database/raw.ts'
import { type DeliveryParts, runTurn } from './deliver.ts'
import { followLiveEvents } from './follow.ts'
import { claimTurns } from './turns.ts'

export interface WebhookDispatcher {
  /** Takes no more turns and waits a moment for those under way. */
  stop(): Promise<void>
}

/** So many addresses at once: those that answer, and apart from them those that did not, so that these hold up nobody. */
const AT_ONCE = { answering: 16, failing: 8 }
const GATHER_MS = 50
/** A ring may be lost, and a pause be over: it is looked at again after this. */
const LOOK_MS = 1000
/** A call that is not answered by then is left to the process that goes on, which makes it once more. */
const END_MS = 1000

/** Begins to follow and to deliver. While nobody is told it costs a look a second. */
export async function startWebhookDispatcher(parts: DeliveryParts, notices: Notices): Promise<WebhookDispatcher> {
  const running = { answering: new Set<Promise<void>>(), failing: new Set<Promise<void>>() }
  let isStopped = false
  let hasWebhooks = false
  let looking: Promise<void> | null = null
  let isAsked = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function wake(): void {
    if (isStopped) return
    isAsked = true
    looking ??= keepLooking().finally(() => {
      looking = null
    })
  }

  async function keepLooking(): Promise<void> {
    try {
      while (isAsked && !isStopped) {
        isAsked = false
        hasWebhooks = await isAnyActive(parts)
        if (!hasWebhooks) return
        await followLiveEvents(parts.db)
        await takeTurns('answering')
        await takeTurns('failing')
      }
    } catch (error) {
      if (!isStopped) parts.log.warn({ err: error }, 'webhooks wait')
    }
  }

  async function takeTurns(kind: keyof typeof running): Promise<void> {
    const free = AT_ONCE[kind] - running[kind].size
    for (const webhook of isStopped ? [] : await claimTurns(parts.db, kind === 'failing', free)) {
      const turn = runTurn({ ...parts, isEnding: () => isStopped }, webhook)
        .catch(error => {
          if (!isStopped) parts.log.warn({ err: error, webhookId: webhook.id }, 'a turn at a webhook was not finished')
        })
        .finally(() => {
          running[kind].delete(turn)
          wake()
        })
      running[kind].add(turn)
    }
  }

  await notices.on('live', () => {
    if (!hasWebhooks || isStopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      wake()
    }, GATHER_MS)
  })
  const clock = setInterval(wake, LOOK_MS)
  return {
    async stop() {
      isStopped = true
      clearInterval(clock)
      clearTimeout(timer)
      await looking
      await Promise.race([Promise.all([...running.answering, ...running.failing]), Bun.sleep(END_MS)])
    },
  }
}

async function isAnyActive({ db }: DeliveryParts): Promise<boolean> {
  const rows = await getSql(db)`select 1 from webhook where active limit 1`
  return rows.length > 0
}
