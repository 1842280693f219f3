// The real server: no demo data, no simulator. Builds the front end when it is missing or old.
import { buildWhenStale } from './frontend.ts'

await buildWhenStale()
await import('@balcao/backend/main')
