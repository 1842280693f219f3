// Commands of the server's machine open its database: they run in its checkout, on Bun. The bundle and the single file hand them over.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
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
  const root = ownCheckout() ?? checkoutAt(process.cwd(), ownedBy([myself()]))
  if (!root) throw new Failure('onlyOnServer')
  const child = spawn(bunIn(root), [join(root, MAIN), ...words], { stdio: 'inherit' })
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

/** The one the program itself lies in, whoever installed it. */
function ownCheckout(): string | null {
  const here = hereOf(import.meta.url)
  return here === null ? null : checkoutAt(dirname(here), ownedBy([myself(), ROOT, statSync(here).uid]))
}

/** The one a folder lies in, if it is one's to run: whoever made it has us run what lies there, with all our rights. */
export function checkoutAt(folder: string, mayRun: (path: string) => boolean): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const program = join(at, MAIN)
    if (existsSync(program) && existsSync(bunIn(at)))
      return isOurs(at) && [at, program, bunIn(at), join(at, 'package.json')].every(mayRun) ? at : null
    if (dirname(at) === at) return null
  }
}

const MAIN = 'cli/src/main.ts'
const ROOT = 0
const OTHERS_WRITE = 0o002

/** Whether a file belongs to one of them and not everybody may write it. */
export function ownedBy(owners: readonly number[]): (path: string) => boolean {
  return path => {
    const { uid, mode } = statSync(path)
    return process.platform === 'win32' || (owners.includes(uid) && (mode & OTHERS_WRITE) === 0)
  }
}

function myself(): number {
  return process.getuid?.() ?? ROOT
}

function isOurs(root: string): boolean {
  try {
    const { name }: { name?: unknown } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return name === 'balcao'
  } catch {
    return false
  }
}

function bunIn(root: string): string {
  return join(root, 'node_modules/bun/bin/bun.exe')
}

function hereOf(url: string): string | null {
  const path = url.startsWith('file:') ? fileURLToPath(url) : null
  return path !== null && existsSync(path) ? path : null
}
