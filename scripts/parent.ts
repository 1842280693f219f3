// Loaded before every command: ends it when its parent, scripts/run.mjs, is killed and so can forward no signal.
const PARENT_MS = 500

const parent = process.ppid
const looking = setInterval(() => {
  if (process.ppid === parent) return
  // Once: a second word would be that of somebody who insists, and end it before what it began has ended.
  clearInterval(looking)
  process.kill(process.pid, 'SIGTERM')
}, PARENT_MS)
looking.unref()

export {}
