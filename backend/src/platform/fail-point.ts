// Named places where crash tests cut the power. Without CRASH_AT there is nothing here but a comparison.
const [name = '', nth = '1'] = (process.env.CRASH_AT ?? '').split('#')
let left = Number(nth)

/** Ends the process like a power cut when CRASH_AT names this place (`inbox:recorded`, or `inbox:recorded#3` for the third time). */
export function crashAtFailPoint(place: string): void {
  if (name === place && --left === 0) process.kill(process.pid, 'SIGKILL')
}
