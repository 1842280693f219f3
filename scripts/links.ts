// Fails when a document leads to a file that is not there.
import { dirname, join } from 'node:path'
import { Glob } from 'bun'

const root = join(import.meta.dirname, '..')
const dead: string[] = []
for await (const page of new Glob('**/*.md').scan(root)) {
  if (page.includes('node_modules')) continue
  const text = await Bun.file(join(root, page)).text()
  for (const [, to = ''] of text.matchAll(/\]\((?!\w+:|#)([^)\s#]+)/g)) {
    const target = join(root, dirname(page), to)
    if (!(await Bun.file(target).exists()) && !(await isFolder(target))) dead.push(`${page}: leads to ${to}`)
  }
}
for (const one of dead) console.error(one)
if (dead.length > 0) process.exit(1)
console.log('Documents: every link leads somewhere.')

async function isFolder(path: string): Promise<boolean> {
  const entry = await Bun.file(path)
    .stat()
    .catch(() => null)
  return entry?.isDirectory() === true
}
