/** Many wishes become one: followed after so long, further ones at most every so often, in milliseconds. */
export function createDebouncer(work: () => Promise<void>, firstMs: number, pauseMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  return {
    soon() {
      timer ??= setTimeout(
        () => {
          timer = undefined
          last = Date.now()
          void work()
        },
        Math.max(firstMs, last + pauseMs - Date.now()),
      )
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
