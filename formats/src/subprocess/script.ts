// The scripts that are started in processes of their own.
import { join, relative } from 'node:path'

/** Names a folder of scripts bundled before, in the environment: half of what a start costs is to find and read modules. */
export const BUNDLES = 'PROCESS_BUNDLES'
const ROOT = join(import.meta.dir, '../../..')

/** The file of a script's bundle; `script` is a path from the root. They lie in the back end's folder, and its own do not name it. */
export function getBundleName(script: string): string {
  return script
    .replace(/^backend\/src\//, '')
    .replaceAll('/', '-')
    .replace(/\.ts$/, '.js')
}

/** What is to be run for a script of ours: its bundle, where there are bundles. */
export function findScript(path: string): string {
  const folder = process.env[BUNDLES]
  return folder ? join(folder, getBundleName(relative(ROOT, path))) : path
}
