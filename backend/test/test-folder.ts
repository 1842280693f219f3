// A folder for a file's tests, in the temporary one; it goes when they have ended.
import { afterAll } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'balcao-test-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}
