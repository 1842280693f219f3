// Makes the next migration from the tables: npm run migration -- name [--custom]
import { run } from './steps.ts'

const [name, ...options] = process.argv.slice(2)
if (!name) {
  console.error('Name the migration: npm run migration -- add-contact-notes')
  process.exit(1)
}
await run([process.execPath, 'node_modules/.bin/drizzle-kit', 'generate', '--name', name, ...options], {
  cwd: `${import.meta.dir}/../backend`,
})
