// Work on one thing at a time, in the order it was asked for.
export type TurnQueue = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Gives turns: work begins when everything asked for earlier under the same name is over. */
export function createTurnQueue(): TurnQueue {
  const last = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const done = (last.get(name) ?? Promise.resolve()).then(work, work)
    last.set(name, done)
    const leave = () => {
      if (last.get(name) === done) last.delete(name)
    }
    done.then(leave, leave)
    return done
  }
}
