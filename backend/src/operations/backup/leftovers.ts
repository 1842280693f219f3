// What a `verify` or `restore` left whose process was killed: the desk's rows and files, out of reach of every erasure of a person. The next
// backup command removes it, and so does the server.
import { rm } from 'node:fs/promises'
import { removeEach } from './remove-each.ts'
import { removeScratchDatabases, removeScratchServer } from './scratch.ts'
import { listDeadStagings } from './staging.ts'

/** How many it removed. What another account left stays that account's to remove; what fails is thrown when the others are gone. */
export async function removeLeftovers(dataDir: string): Promise<number> {
  return removeEach(await listDeadStagings(dataDir), async ({ kind, path }) => {
    const removing = kind === 'verify' ? removeScratchServer(path) : rm(path, { recursive: true, force: true })
    return removing.then(
      () => 1,
      error => {
        if (!['EACCES', 'EPERM'].includes(error.code)) throw error
        return 0
      },
    )
  })
}

/** The same, with what lies beside the desk's database. */
export function removeAllLeftovers(dataDir: string, databaseUrl: string): Promise<number> {
  const removals = [() => removeLeftovers(dataDir), () => removeScratchDatabases(databaseUrl)]
  return removeEach(removals, remove => remove())
}
