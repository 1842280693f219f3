// What a `verify` or `restore` left whose process was killed: the desk's rows and files, out of reach of every erasure of a person. The next
// backup command removes it, and so does the server.
import { rm } from 'node:fs/promises'
import { removeScratchDatabases, removeScratchServer } from './scratch.ts'
import { listDeadStagings } from './staging.ts'

/** How many it removed. What another account left stays that account's to remove. */
export async function removeLeftovers(dataDir: string): Promise<number> {
  let gone = 0
  for (const { kind, path } of await listDeadStagings(dataDir)) {
    const removing = kind === 'verify' ? removeScratchServer(path) : rm(path, { recursive: true, force: true })
    await removing.then(
      () => gone++,
      error => {
        if (!['EACCES', 'EPERM'].includes(error.code)) throw error
      },
    )
  }
  return gone
}

/** The same, with what lies beside the desk's database. */
export async function removeAllLeftovers(dataDir: string, databaseUrl: string): Promise<number> {
  return (await removeLeftovers(dataDir)) + (await removeScratchDatabases(databaseUrl))
}
