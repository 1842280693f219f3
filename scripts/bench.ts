// Benchmarks and load tests: `npm run bench`, `npm run bench -- lists`, `npm run bench -- soak --inbound=2000`.
const child = Bun.spawn([process.execPath, 'bench/src/main.ts', ...process.argv.slice(2)], {
  cwd: `${import.meta.dir}/..`,
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exit(await child.exited)
