// Commands of the server's machine open its database: they run in its checkout or its installation, on the Bun that lies there. The
// bundle elsewhere and the single file hand them over.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ending, SIGNALS } from './ending.ts'
import { Failure } from './faults.ts'

/** Whether this is the source or an installation's program, run by Bun: then the server's own rooms can be imported. */
export function isAtServer(): boolean {
  if (typeof Bun === 'undefined') return false
  return import.meta.url.endsWith('/cli/src/kit/server.ts') || isInstalled(toFolder(import.meta.url))
}

/** Runs the same words there; its exit code. Throws a `Failure` where there is neither checkout nor installation. */
export async function runOnServer(words: readonly string[], ending: Ending): Promise<number> {
  const found = findOwnCheckout() ?? findCheckout(process.cwd(), makeOwnerTest([getUserId()]))
  if (!found) throw new Failure('onlyOnServer')
  const { bun, program } = found
  const child = spawn(bun, [program, ...words], { stdio: 'inherit' })
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
  // It alone knows how to end, and ends first. Ctrl+C comes to it by two ways, which it takes for one.
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  for (const name of SIGNALS) process.prependListener(name, forward)
  const forget = ending.onEnd(
    () => ended,
    () => undefined,
  )
  const code = await ended
  forget()
  for (const name of SIGNALS) process.removeListener(name, forward)
  return code
}

/** The one the program itself lies in, whoever installed it. */
function findOwnCheckout(): Checkout | null {
  const here = toFolder(import.meta.url)
  return here === null ? null : findCheckout(dirname(here), makeOwnerTest([getUserId(), ROOT, statSync(here).uid]))
}

/** The one a folder lies in, if it is one's to run: whoever made it has us run what lies there, with all our rights. */
export function findCheckout(folder: string, mayRun: (path: string) => boolean): Checkout | null {
  for (let at = folder; ; at = dirname(at)) {
    const found = findBun(at)
    if (found)
      return isOurs(at) && [at, found.program, found.bun, join(at, 'package.json')].every(mayRun) ? found : null
    if (dirname(at) === at) return null
  }
}

/** What runs a command there. */
export interface Checkout {
  readonly bun: string
  readonly program: string
}

/** Where the program and its Bun lie in a checkout, and in an installation. */
const IN_CHECKOUT: Checkout = { bun: 'node_modules/bun/bin/bun.exe', program: 'cli/src/main.ts' }
const IN_INSTALLATION: Checkout = { bun: 'bin/bun', program: 'cli/dist/balcao.mjs' }
const ROOT = 0
const OTHERS_WRITE = 0o002

/** Whether a file belongs to one of them and not everybody may write it. */
export function makeOwnerTest(owners: readonly number[]): (path: string) => boolean {
  return path => {
    const { uid, mode } = statSync(path)
    return process.platform === 'win32' || (owners.includes(uid) && (mode & OTHERS_WRITE) === 0)
  }
}

function getUserId(): number {
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

function findBun(root: string): Checkout | null {
  for (const each of [IN_CHECKOUT, IN_INSTALLATION]) {
    const found = { bun: join(root, each.bun), program: join(root, each.program) }
    if (existsSync(found.program) && existsSync(found.bun)) return found
  }
  return null
}

/** Whether a file is the program of an installation: its Bun and the server lie beside it. */
function isInstalled(here: string | null): boolean {
  if (here === null) return false
  const root = join(here, '../../..')
  return findBun(root)?.program === here && isOurs(root)
}

function toFolder(url: string): string | null {
  const path = url.startsWith('file:') ? fileURLToPath(url) : null
  return path !== null && existsSync(path) ? path : null
}
