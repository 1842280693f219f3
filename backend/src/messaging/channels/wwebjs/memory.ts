// What a process and all it started take of the machine's memory.
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Bytes of the processes below `root` and itself, what they share counted once. Only Linux tells it so; elsewhere it is this
 * process's own memory.
 */
export function measureMemory(root: number): number {
  const children = new Map<number, number[]>()
  try {
    for (const name of readdirSync('/proc')) {
      const pid = Number(name)
      if (!pid) continue
      const parent = readParentPid(pid)
      if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), pid])
    }
  } catch {
    return process.memoryUsage.rss()
  }
  const all = [root]
  for (const pid of all) all.push(...(children.get(pid) ?? []))
  return all.reduce((sum, pid) => sum + readMemoryShare(pid), 0)
}

function readParentPid(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}

function readMemoryShare(pid: number): number {
  try {
    const pss = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
    return Number(pss?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
