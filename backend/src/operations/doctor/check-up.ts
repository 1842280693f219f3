// The doctor of the whole installation: every area is looked at side by side, and one that cannot be looked at is a finding itself.
import { type CheckUp, FINDING_AREAS, FINDING_LEVELS, type Finding, type FindingArea } from '@balcao/contract'
import type { Parts } from '../../policy/kit/parts.ts'
import { checkAssumptions } from './assumptions.ts'
import type { CheckContext, Checks } from './checks.ts'
import { checkCompany } from './company.ts'
import { checkConnections } from './connections.ts'
import { checkDatabase } from './database.ts'
import { checkFiles } from './files.ts'
import { checkHosts } from './hosts.ts'
import { checkMachine } from './machine.ts'
import { checkPush } from './push.ts'
import { checkQueues } from './queues.ts'

export interface CheckUpOptions {
  /** Told of each area as it is done. */
  readonly progress?: (area: FindingArea, findings: readonly Finding[]) => void
  readonly signal?: AbortSignal
}

const LOOKS: Checks = {
  company: checkCompany,
  database: checkDatabase,
  files: checkFiles,
  machine: checkMachine,
  connections: checkConnections,
  queues: checkQueues,
  push: checkPush,
  hosts: checkHosts,
  assumptions: checkAssumptions,
}

/** An area that has not answered by then is told as such. */
const PATIENCE_MS = 15_000

/** What is wrong first within each area. Never a secret, an address with one, or what customers wrote. */
export async function runCheckUp(
  { config, db }: Pick<Parts, 'config' | 'db'>,
  { progress, signal }: CheckUpOptions = {},
): Promise<CheckUp> {
  const began = performance.now()
  const patience = AbortSignal.timeout(PATIENCE_MS)
  const patient = { config, db, signal: signal ? AbortSignal.any([signal, patience]) : patience }
  const found = await Promise.all(
    FINDING_AREAS.map(async area => {
      const findings = await looked(area, patient)
      progress?.(area, findings)
      return findings
    }),
  )
  signal?.throwIfAborted()
  return {
    version: config.version,
    checkedAt: new Date().toISOString(),
    tookMs: Math.round(performance.now() - began),
    findings: found.flat(),
  }
}

async function looked(area: FindingArea, patient: CheckContext): Promise<readonly Finding[]> {
  try {
    const found = await Promise.race([LOOKS[area](patient), aborted(patient.signal)])
    const findings = found.map(each => ({ area, ...each }))
    return findings.sort((one, other) => FINDING_LEVELS.indexOf(one.level) - FINDING_LEVELS.indexOf(other.level))
  } catch {
    // Why is for the log of whoever failed: texts of errors may hold addresses with passwords.
    const code = area === 'database' ? 'database.down' : 'failed'
    return [{ area, code, level: 'danger', params: {} }]
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
