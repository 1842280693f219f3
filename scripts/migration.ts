// Makes the next migration from the tables: npm run migration -- name [--custom]
// The generator compares the tables with the newest snapshot alone, so the older ones are deleted.
import { readdir, rm } from 'node:fs/promises'
import { run } from './steps.ts'

const [name, ...options] = process.argv.slice(2)
if (!name) {
  console.error('Name the migration: npm run migration -- add-contact-notes')
  process.exit(1)
}
await run([process.execPath, 'node_modules/.bin/drizzle-kit', 'generate', '--name', name, ...options], {
  cwd: `${import.meta.dir}/../backend`,
})

const snapshots = `${import.meta.dir}/../backend/migrations/meta`
const older = (await readdir(snapshots))
  .filter(name => name.endsWith('_snapshot.json'))
  .sort()
  .slice(0, -1)
await Promise.all(older.map(name => rm(`${snapshots}/${name}`)))
