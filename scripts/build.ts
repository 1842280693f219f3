// Builds shell and remotes, each into its own dist folder, compressed and within its budget of bytes, and the server into the back end's.
import { run } from './steps.ts'

await run([process.execPath, 'ui/build/build.ts', ...process.argv.slice(2)])
await run([process.execPath, 'scripts/bundle.ts'])
