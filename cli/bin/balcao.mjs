#!/usr/bin/env node
// `npx balcao` in the checkout: the source, run by the project's Bun; where that is not installed, the bundle.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const home = join(dirname(fileURLToPath(import.meta.url)), '..')
const bundle = join(home, 'dist/balcao.mjs')
const bun = join(home, '../node_modules/bun/bin/bun.exe')
if (existsSync(bun)) run(join(home, 'src/main.ts'))
else if (existsSync(bundle)) await import(pathToFileURL(bundle).href)
else {
  console.error('Bun is not installed yet: run `npm run balcao -- --help` once.')
  process.exit(1)
}

function run(source) {
  const child = spawn(bun, [source, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: process.env.NODE_ENV ?? 'production' },
  })
  // It alone knows how to end. Ctrl+C comes to it by two ways, which it takes for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : (status ?? 1)))
}
