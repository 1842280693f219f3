// Benchmarks and load tests: `npm run bench`, `npm run bench -- lists`, `npm run bench -- soak --inbound=2000`.
await import('../bench/src/main.ts')

export {}
