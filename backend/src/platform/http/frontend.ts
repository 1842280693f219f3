// The built front end: the shell at the root, remotes under /mfe/{name}/, packed files where the browser takes them.
import { existsSync, type Stats, statSync } from 'node:fs'
import { join, normalize, sep } from 'node:path'
import { buildContentSecurityPolicy } from './headers.ts'

const HASHED = /[.-][0-9a-f]{8,}\.\w+$/
const NEVER = /(\.map|mf-stats\.json|first-load\.json)$/

export interface Frontend {
  /** The file of a path, or null when there is none. */
  readonly file: (request: Request, pathname: string) => Response | null
  /** The page of the shell, whatever the path: its router takes it from there. */
  readonly page: (request: Request) => Promise<Response>
}

/** Serves what lies in `root` (the folder that holds shell/ and mfe-*). Files are looked up at each request: a remote may be rebuilt alone. */
export function serveFrontend(root: string): Frontend {
  const shell = join(root, 'shell')
  return {
    file(request, pathname) {
      if (pathname === '/remotes.json') return remotesFile(shell)
      const remote = /^\/mfe\/([a-z0-9_-]+)\/(.+)$/.exec(pathname)
      const folder = remote ? join(root, (remote[1] ?? '').replaceAll('_', '-'), 'dist') : join(shell, 'dist')
      return fileAnswer(request, folder, remote ? (remote[2] ?? '') : pathname.slice(1))
    },
    async page(request) {
      const answer = fileAnswer(request, join(shell, 'dist'), 'index.html')
      if (!answer) return new Response('The front end is not built: run `npm run build`.', { status: 503 })
      answer.headers.set('content-security-policy', await resolvePolicy(shell, request))
      answer.headers.append('vary', 'accept')
      return answer
    },
  }
}

/** Whether a request is a person opening an address, not one of our calls: some addresses are both a page and a call. */
export function isPageRequest(request: Request): boolean {
  if (request.method !== 'GET' || request.headers.has('authorization')) return false
  const mode = request.headers.get('sec-fetch-mode')
  if (mode !== null) return mode === 'navigate'
  return (request.headers.get('accept') ?? '').includes('text/html')
}

function remotesFile(shell: string): Response | null {
  const path = [join(shell, 'remotes.json'), join(shell, 'dist', 'remotes.json')].find(each => existsSync(each))
  if (!path) return null
  return new Response(Bun.file(path), { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } })
}

function fileAnswer(request: Request, folder: string, name: string): Response | null {
  const path = normalize(join(folder, decoded(name)))
  if (!path.startsWith(folder + sep) || NEVER.test(path) || path.includes('\0')) return null
  const packed = findPackedFile(path, request.headers.get('accept-encoding') ?? '')
  if (!packed) return null
  const headers = new Headers({
    'content-type': Bun.file(path).type,
    'cache-control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  })
  if (packed.encoding) headers.set('content-encoding', packed.encoding)
  const etag = `"${packed.stamp}"`
  headers.set('etag', etag)
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : Bun.file(packed.path), { headers })
}

function findPackedFile(
  path: string,
  accepted: string,
): { path: string; encoding: string | null; stamp: string } | null {
  const kinds = [
    { ending: '.br', encoding: 'br' },
    { ending: '.gz', encoding: 'gzip' },
    { ending: '', encoding: null },
  ]
  for (const { ending, encoding } of kinds) {
    if (encoding !== null && !accepted.includes(encoding)) continue
    const stat = findFile(path + ending)
    if (stat?.isFile())
      return {
        path: path + ending,
        encoding,
        stamp: `${stat.size.toString(36)}-${Math.trunc(stat.mtimeMs).toString(36)}${ending}`,
      }
  }
  return null
}

function findFile(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // A name that no file can have.
    return undefined
  }
}

/** Remotes and their origins may change while the server runs, so the policy is made for each page. */
async function resolvePolicy(shell: string, request: Request): Promise<string> {
  const url = new URL(request.url)
  const host = request.headers.get('host') ?? url.host
  return buildContentSecurityPolicy(await remoteOrigins(shell), [`ws://${host}`, `wss://${host}`])
}

async function remoteOrigins(shell: string): Promise<string[]> {
  const file = Bun.file(join(shell, 'remotes.json'))
  if (!(await file.exists())) return []
  const list: unknown = await file.json()
  if (!Array.isArray(list)) return []
  const entries = list.map((remote: unknown) =>
    remote !== null && typeof remote === 'object' && 'entry' in remote ? String(remote.entry) : '',
  )
  return [...new Set(entries.filter(entry => /^https?:\/\//.test(entry)).map(entry => new URL(entry).origin))]
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return '\0'
  }
}
