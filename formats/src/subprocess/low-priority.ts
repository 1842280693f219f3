// What may take its time gives way: customers' messages come first where there are more takers than cores.
import { constants, setPriority } from 'node:os'

/** This process. */
const MYSELF = 0

/** Puts a process, with what it starts from now on, behind those that serve. */
export function lowerPriority(pid = MYSELF, nice: number = constants.priority.PRIORITY_BELOW_NORMAL): void {
  try {
    setPriority(pid, nice)
  } catch {
    // It has ended already, or this system lets nobody.
  }
}
