// The page's own files, built when somebody first asks.
import { join } from 'node:path'

const HERE = import.meta.dir

const HTML = `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <base href="/simulator/" />
    <title>Simulador · Balcão</title>
    <link rel="icon" href="icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="page.css" />
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="page.js"></script>
  </body>
</html>
`

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#2C53A4"/><path d="M7.5 19.5a8.5 8.5 0 0 1 17 0z" fill="#fff"/><circle cx="16" cy="8.2" r="2.2" fill="#F0B23A"/><path d="M6.5 21.5h19a1.5 1.5 0 0 1 0 3H14l-4.2 3.3c-.4.3-.9 0-.9-.5v-2.8H6.5a1.5 1.5 0 0 1 0-3z" fill="#fff"/></svg>`

const STYLES = [
  'tokens.css',
  'layout.css',
  'wall.css',
  'phone.css',
  'bubbles.css',
  'cards.css',
  'composer.css',
  'company-phone.css',
]
const POLICY =
  "default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'none'"

let script: Promise<string> | undefined

/** The file under a path relative to the page, or nothing. */
export async function readPageFile(path: string): Promise<Response | undefined> {
  if (path === '') return createFileResponse(HTML, 'text/html; charset=utf-8', { 'content-security-policy': POLICY })
  if (path === 'page.js') {
    script ??= buildScript()
    return createFileResponse(await script, 'text/javascript; charset=utf-8')
  }
  if (path === 'page.css') return createFileResponse(await readStyles(), 'text/css; charset=utf-8')
  if (path === 'icon.svg') return createFileResponse(ICON, 'image/svg+xml')
  return undefined
}

function createFileResponse(body: string, type: string, more: Record<string, string> = {}): Response {
  return new Response(body, {
    headers: { 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', ...more },
  })
}

async function readStyles(): Promise<string> {
  return (await Promise.all(STYLES.map(name => Bun.file(join(HERE, 'app', name)).text()))).join('\n')
}

async function buildScript(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(HERE, 'app/main.tsx')],
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const [output] = built.outputs
  if (!output) throw new Error('The phones page could not be built')
  return output.text()
}
