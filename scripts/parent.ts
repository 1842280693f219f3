// Loaded before every command: ends it when its parent, scripts/run.mjs, is killed and so can forward no signal.
const PARENT_MS = 500

const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
}, PARENT_MS).unref()

export {}
