/**
 * `work` so many milliseconds after it was asked for, however often it is asked for until then: for what tells the same many times.
 *
 * @example const { ask, stop } = createThrottle(look, 5000); return allOf(live.on('contact', ask), stop)
 */
export function createThrottle(work: () => unknown, ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    ask() {
      timer ??= setTimeout(() => {
        timer = undefined
        work()
      }, ms)
    },
    stop: () => clearTimeout(timer),
  }
}
