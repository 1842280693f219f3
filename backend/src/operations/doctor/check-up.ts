// The doctor of the whole installation: every area is looked at side by side, and one that cannot be looked at is a finding itself.
import { type CheckUp, FINDING_AREAS, FINDING_LEVELS, type Finding, type FindingArea } from '@balcao/contract'
import type { Parts } from '../../policy/kit/parts.ts'
import { lookAtAssumptions } from './assumptions.ts'
import { lookAtCompany } from './company.ts'
import { lookAtConnections } from './connections.ts'
import { lookAtDatabase } from './database.ts'
import { lookAtFiles } from './files.ts'
import { lookAtHosts } from './hosts.ts'
import type { Looks, Patient } from './looks.ts'
import { lookAtMachine } from './machine.ts'
import { lookAtPush } from './push.ts'
import { lookAtQueues } from './queues.ts'

export interface CheckUpOptions {
  /** Told of each area as it is done. */
  readonly progress?: (area: FindingArea, findings: readonly Finding[]) => void
  readonly signal?: AbortSignal
}

const LOOKS: Looks = {
  company: lookAtCompany,
  database: lookAtDatabase,
  files: lookAtFiles,
  machine: lookAtMachine,
  connections: lookAtConnections,
  queues: lookAtQueues,
  push: lookAtPush,
  hosts: lookAtHosts,
  assumptions: lookAtAssumptions,
}

/** An area that has not answered by then is told as such. */
const PATIENCE_MS = 15_000

/** What is wrong first within each area. Never a secret, an address with one, or what customers wrote. */
export async function checkUp(
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

async function looked(area: FindingArea, patient: Patient): Promise<readonly Finding[]> {
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
