// The page between ours and the program of the setting uriIframe. Only it may frame that program, and its policy is made for each
// request: a new address takes effect at once, where a page that is open for hours would keep the policy it came with.
import { randomBytes } from 'node:crypto'
import { parseIntegrationAddress } from '@balcao/contract'
import { AppError } from '../../platform/http/errors.ts'
import type { Route } from '../../policy/kit/serve.ts'
import { authenticateForFiles } from '../../policy/sessions/authenticate.ts'

/** Lies under /media because browsers send the cookie of a session there alone. */
const PATH = '/media/integration'

export function integrationRoutes(): Route[] {
  return [
    {
      method: 'GET',
      path: PATH,
      async answer({ request }, parts) {
        const { settings } = await authenticateForFiles(parts, request)
        const address = parseIntegrationAddress(settings.uriIframe)
        if (!address) throw new AppError('ERR_NOT_FOUND')
        const nonce = randomBytes(16).toString('base64')
        const own = request.headers.get('host') ?? new URL(request.url).host
        return new Response(renderFramePage(address, nonce, own), { headers: buildFrameHeaders(address, nonce) })
      },
    },
  ]
}

/** A program of our own origin gets no origin in its frame: with one it could take its sandbox off. */
function renderFramePage(address: URL, nonce: string, own: string): string {
  const rights = `allow-scripts allow-forms allow-popups allow-downloads${address.host === own ? '' : ' allow-same-origin'}`
  return `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8">
<title>Integração</title>
<style nonce="${nonce}">html, body { height: 100%; margin: 0 } iframe { display: block; width: 100%; height: 100%; border: 0 }</style>
<iframe title="Integração" sandbox="${rights}" referrerpolicy="no-referrer" src="${escaped(address.href)}"></iframe>
<script nonce="${nonce}">
  const frame = document.querySelector('iframe')
  const tell = state => parent.postMessage({ integration: state }, location.origin)
  // A frame that could not be reached loads a page of the browser's own and says nothing: whether anybody answers there is asked apart.
  fetch(frame.src, { method: 'HEAD', mode: 'no-cors', credentials: 'omit', cache: 'no-store' }).catch(() => tell('failed'))
  frame.addEventListener('load', () => tell('loaded'))
</script>
</html>
`
}

function buildFrameHeaders({ origin }: URL, nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `connect-src ${origin}`,
    `frame-src ${origin}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'SAMEORIGIN',
    'cache-control': 'no-store',
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
