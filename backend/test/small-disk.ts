// A disk that is really full, for a process of its own: a file system of a few megabytes where this machine lets us mount one, else
// the system's limit for a file's size. Both refuse the write itself; nothing of ours knows of them.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface SmallDisk {
  /** The command that becomes the process which has this disk. */
  readonly under: readonly string[]
  /** Leaves room for this many bytes, of one file at least. */
  fill(pid: number, leaving: number): Promise<void>
  empty(pid: number): Promise<void>
}

const SIZE = 16 * 1024 * 1024

/** A small disk at `folder`. */
export async function createSmallDisk(folder: string): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true })
  const mounting = `mount -t tmpfs -o size=${SIZE} none '${folder}' && exec "$@"`
  const under = ['unshare', '--mount', '--map-root-user', 'sh', '-c', mounting, 'sh']
  return (await works([...under, 'true'])) ? mounted(folder, under) : limited()
}

function mounted(folder: string, under: readonly string[]): SmallDisk {
  // The mount is the process's own; its view of the files is open to us.
  const filler = (pid: number) => join(`/proc/${pid}/root`, folder, 'filler')
  return {
    under,
    async fill(pid, leaving) {
      await Bun.write(filler(pid), new Uint8Array(SIZE - leaving))
    },
    empty: pid => rm(filler(pid)),
  }
}

function limited(): SmallDisk {
  const limit = async (pid: number, bytes: string) => {
    if (!(await works(['prlimit', `--pid=${pid}`, `--fsize=${bytes}:unlimited`])))
      throw new Error('This machine can neither mount a file system nor limit the size of files')
  }
  return {
    under: [],
    fill: (pid, leaving) => limit(pid, String(leaving)),
    empty: pid => limit(pid, 'unlimited'),
  }
}

async function works(command: string[]): Promise<boolean> {
  try {
    return (await Bun.spawn(command, { stdio: ['ignore', 'ignore', 'ignore'] }).exited) === 0
  } catch {
    return false
  }
}
