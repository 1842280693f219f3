// Preloaded into a server whose memory is watched: everything is collected once a minute, so that what is left is what it holds. By itself
// the collector lets the heap take as much room again before it looks at what is old.
setInterval(() => Bun.gc(true), 60_000).unref()
