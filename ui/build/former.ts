// Tabs that are open hold the manifest of the version they were loaded with, and ask for its files when they need them: a build
// leaves the files of the version before beside its own and takes away what is older (decision 0163).
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Glob } from 'bun'

const LIST = 'assets/versions.json'

/** The files of the last two versions, the newest first. */
type Versions = readonly (readonly string[])[]

/** To be called after a build with the files it wrote below `assets/`. */
export async function keepFormer(folder: string, built: readonly string[]): Promise<void> {
  const before = await readVersions(folder)
  const now = built.filter(file => file.startsWith('assets/')).sort()
  const isSame = before[0]?.join() === now.join()
  const versions: Versions = isSame ? before : [now, ...before].slice(0, 2)
  await Bun.write(path.join(folder, LIST), JSON.stringify(versions))
  const listed = new Set(versions.flat())
  for await (const file of new Glob('assets/**/*').scan(folder)) {
    const plain = file.replaceAll('\\', '/').replace(/\.(gz|br|map)$/, '')
    if (plain !== LIST && !listed.has(plain)) await rm(path.join(folder, file))
  }
}

async function readVersions(folder: string): Promise<Versions> {
  const list = Bun.file(path.join(folder, LIST))
  return (await list.exists()) ? list.json() : []
}
