// The scripts that tests start in processes of their own, some of them dozens of times. A run of all tests bundles them once: half of
// what a start costs is to find and read two thousand modules.
import { join } from 'node:path'
import { BUNDLES, getBundleName } from '@balcao/formats/subprocess/script'

const ROOT = join(import.meta.dir, '../..')
const TRUST = 'simulator/src/whatsapp/trust.ts'
/** What comes before a script: those that talk to WhatsApp trust the simulator's root key. */
const SCRIPTS = {
  'backend/src/main.ts': [TRUST],
  'cli/src/main.ts': [],
  'e2e/src/server.ts': [TRUST],
  'backend/src/operations/backup/apart-process.ts': [],
  'backend/test/backup-process.ts': [],
  'backend/test/count-process.ts': [],
  'backend/test/delay-process.ts': [],
  'backend/test/erase-process.ts': [],
  'backend/test/fold-process.ts': [],
  'backend/test/import-process.ts': [],
  'backend/test/job-process.ts': [],
  'backend/test/owner-process.ts': [],
  'backend/test/report-process.ts': [],
  'backend/test/sweep-process.ts': [],
  'backend/test/webhook-process.ts': [],
} as const
type Script = keyof typeof SCRIPTS

/** What is to be bundled, for the environment in which `buildCommand` takes the bundles. */
export const TEST_PROGRAMS = Object.entries(SCRIPTS).map(([script, before]) => ({ script, before }))

/** The words that run a script. */
export function buildCommand(script: Script, flags: readonly string[] = []): string[] {
  const folder = process.env[BUNDLES]
  if (folder) return [process.execPath, ...flags, join(folder, getBundleName(script))]
  const before = SCRIPTS[script].flatMap(path => ['--preload', join(ROOT, path)])
  return [process.execPath, ...flags, ...before, join(ROOT, script)]
}
