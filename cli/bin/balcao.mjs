#!/usr/bin/env node
// `npx balcao` in the checkout: the bundle where there is one, otherwise the source, run by the project's Bun.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const home = join(dirname(fileURLToPath(import.meta.url)), '..')
const bundle = join(home, 'dist/balcao.mjs')
if (existsSync(bundle)) await import(pathToFileURL(bundle).href)
else run(join(home, '../node_modules/bun/bin/bun.exe'), join(home, 'src/main.ts'))

function run(bun, source) {
  if (!existsSync(bun)) {
    console.error('Bun is not installed yet: run `npm run balcao` once, or `npm run balcao -- --help`.')
    process.exit(1)
  }
  const child = spawn(bun, [source, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: process.env.NODE_ENV ?? 'production' },
  })
  // Ctrl+C reaches the child as well: it alone knows how to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
  child.on('exit', (status, signal) => process.exit(signal ? 1 : (status ?? 1)))
}
