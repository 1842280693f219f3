// What an earlier run of a connection may have left: processes that still hold its profile, and the marks of a browser that was killed.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const RUN = 'run.json'

/** Writes down who runs, so that whoever comes after a crash can end them. */
export function recordRun(folder: string, run: { readonly child: number; readonly browser?: number }): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, RUN), JSON.stringify(run))
}

/** Ends what an earlier run left, and takes its marks from the profile. */
export function clearLeftovers(folder: string): void {
  for (const pid of readPids(folder)) if (isOurs(pid, folder)) killGroup(pid)
  rmSync(join(folder, RUN), { force: true })
  for (const name of ['SingletonLock', 'SingletonCookie', 'SingletonSocket'])
    rmSync(join(folder, 'session', name), { force: true })
  rmSync(join(folder, 'files'), { recursive: true, force: true })
}

/** Ends a process with all it started that did not leave its group. */
export function killGroup(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }
}

function readPids(folder: string): number[] {
  try {
    const run: unknown = JSON.parse(readFileSync(join(folder, RUN), 'utf8'))
    return typeof run === 'object' && run !== null
      ? Object.values(run).filter(pid => Number.isInteger(pid) && pid > 1)
      : []
  } catch {
    return []
  }
}

/** A number may have been given to another program since: only one that names our folder is ours. */
function isOurs(pid: number, folder: string): boolean {
  try {
    const path = `/proc/${pid}/cmdline`
    if (existsSync('/proc/self')) return readFileSync(path, 'utf8').includes(folder)
    return Bun.spawnSync(['ps', '-o', 'command=', '-p', String(pid)])
      .stdout.toString()
      .includes(folder)
  } catch {
    return false
  }
}
