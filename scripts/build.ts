// Builds shell and remotes, each into its own dist folder, compressed and within its budget of bytes.
import { run } from './steps.ts'

await run([process.execPath, 'ui/build/build.ts', ...process.argv.slice(2)])
