// Commands of the server's machine open its database: they run in its checkout, on Bun. The bundle and the single file hand them over.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ending } from './ending.ts'
import { Failure } from './faults.ts'

/** Whether this is the source, run by Bun: then the server's own rooms can be imported. */
export function isCheckout(): boolean {
  return typeof Bun !== 'undefined' && import.meta.url.endsWith('/cli/src/kit/server.ts')
}

/** Runs the same words there; its exit code. Throws a `Failure` where there is no checkout. */
export async function handToServer(words: readonly string[], ending: Ending): Promise<number> {
  const root = checkoutAt(process.cwd()) ?? checkoutAt(hereOf(import.meta.url))
  if (!root) throw new Failure('onlyOnServer')
  const child = spawn(bunIn(root), [join(root, 'cli/src/main.ts'), ...words], { stdio: 'inherit' })
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)))
  })
  // Ctrl+C reaches the child as well: it ends first.
  const forget = ending.onEnd(() => ended)
  const code = await ended
  forget()
  return code
}

function checkoutAt(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'cli/src/main.ts')) && existsSync(bunIn(at))) return at
    if (dirname(at) === at) return null
  }
}

function bunIn(root: string): string {
  return join(root, 'node_modules/bun/bin/bun.exe')
}

function hereOf(url: string): string {
  return url.startsWith('file:') ? dirname(fileURLToPath(url)) : '/'
}
