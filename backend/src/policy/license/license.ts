// Whether the system is blocked: a licence service is asked for the company's tax id (decisions: "Blocked system").
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface License {
  /** Whether nobody may come in. Never true without a licence service. */
  readonly blocked: () => boolean
  /** Asks now; never throws. */
  readonly check: () => Promise<void>
  readonly stop: () => void
}

export interface LicenseOptions {
  /** LICENSE_URL; null: never blocked. */
  readonly url: string | null
  readonly taxId: string | null
  /** The last answer is kept there, so that a restart forgets nothing. */
  readonly dataDir: string
  /** Called when the system has just been blocked. */
  readonly onBlocked: () => void
  readonly log: { warn(fields: object, text: string): void }
  readonly now?: () => number
}

interface Answer {
  readonly status: string
  /** Milliseconds. */
  readonly at: number
}

/** The last answer counts so long while the service cannot be reached. */
const GOOD_FOR_MS = 72 * 3600_000
const EVERY_MS = 10 * 60_000
/** Who has just paid does not wait long. */
const EVERY_WHILE_BLOCKED_MS = 60_000
const PATIENCE_MS = 10_000

/** Starts asking, at once and every ten minutes (every minute while blocked). */
export function startLicense({ url, taxId, dataDir, onBlocked, log, now = Date.now }: LicenseOptions): License {
  if (url === null || taxId === null) return { blocked: () => false, check: async () => {}, stop: () => {} }
  const path = join(dataDir, 'license.json')
  let known = readStored(path)
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function blocked(): boolean {
    return known !== null && known.status !== 'OK' && now() - known.at < GOOD_FOR_MS
  }

  async function check(): Promise<void> {
    const before = blocked()
    try {
      known = { status: await fetchStatus(`${url}/${taxId}`), at: now() }
      keep(path, known)
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'the licence service did not answer')
    }
    if (!before && blocked()) onBlocked()
  }

  function goOn(): void {
    check()
      .catch(error => log.warn({ err: error }, 'what follows from the licence could not be done'))
      .finally(() => {
        if (!stopped) timer = setTimeout(goOn, blocked() ? EVERY_WHILE_BLOCKED_MS : EVERY_MS)
      })
  }

  goOn()
  return {
    blocked,
    check,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** The service's word; throws when it has none: then it counts as not reached. */
async function fetchStatus(url: string): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const body: unknown = await response.json()
  if (!response.ok || typeof body !== 'object' || body === null || !('status' in body))
    throw new Error(`HTTP ${response.status} without a status`)
  return String(body.status)
}

function readStored(path: string): Answer | null {
  try {
    const { status, at }: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'))
    return typeof status === 'string' && typeof at === 'number' ? { status, at } : null
  } catch {
    return null // no answer yet, or half of one: the next answer replaces it
  }
}

function keep(path: string, answer: Answer): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(`${path}.part`, JSON.stringify(answer))
  renameSync(`${path}.part`, path)
}
