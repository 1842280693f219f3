// Benchmarks and load tests: `npm run bench`, `npm run bench -- lists`, `npm run bench -- soak --inbound=2000`. What is measured runs from
// a bundle, as with `npm start`.
import { join } from 'node:path'
import { runOnShutdown } from '@balcao/backend/platform/ending'
import { TEST_PROGRAMS } from '@balcao/simulator/processes'
import { BUNDLES } from '../formats/src/subprocess/script.ts'
import { bundlePrograms, FILE_PROGRAMS } from './bundle.ts'

runOnShutdown(async () => {})
const folder = join(process.env.BENCH_CACHE ?? join(import.meta.dir, '../.cache/bench'), 'bundle')
await bundlePrograms([...TEST_PROGRAMS, ...FILE_PROGRAMS], folder)
process.env[BUNDLES] = folder
await import('../bench/src/main.ts')
