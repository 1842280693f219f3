// The real server: no demo data, no simulator. Builds the front end and the server's bundle when they are missing or old.
import { join } from 'node:path'
import { buildWhenStale } from './build-when-stale.ts'
import { SERVER_BUNDLE } from './bundle.ts'

await buildWhenStale()
await import(join(import.meta.dir, '..', SERVER_BUNDLE))
