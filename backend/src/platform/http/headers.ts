// Headers that every answer carries, and the policy of what a page of ours may load (design §3, "Browser safety").

/** Headers that make a browser trust as little as possible. */
const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(self), geolocation=(), payment=()',
}

/** A year, in seconds; of this name alone, as a company's others are not ours to decide about. */
const HTTPS_ALONE = { 'strict-transport-security': 'max-age=31536000' }

/** What gives an answer the headers of all answers; what it already says itself stays. Of a desk that is reached over https no browser asks in the clear again. */
export function createSecureHeaders(publicUrl: string | null): (response: Response) => Response {
  const headers = Object.entries({ ...SAFE_HEADERS, ...(publicUrl?.startsWith('https:') ? HTTPS_ALONE : {}) })
  return response => {
    for (const [name, value] of headers) if (!response.headers.has(name)) response.headers.set(name, value)
    return response
  }
}

/**
 * The Content-Security-Policy of our pages. Remotes are loaded as scripts, so their origins are named. Styles need
 * `unsafe-inline`: PrimeReact positions its overlays by style attributes. Nothing needs `unsafe-eval`.
 * Frames are our own: the panel of the setting uriIframe stands inside a page with a policy of its own (`desk/integration/routes.ts`).
 */
export function buildContentSecurityPolicy(remoteOrigins: readonly string[], socketOrigins: readonly string[]): string {
  const remotes = remoteOrigins.join(' ')
  return [
    "default-src 'self'",
    `script-src 'self' ${remotes}`,
    `style-src 'self' 'unsafe-inline' ${remotes}`,
    `font-src 'self' data: ${remotes}`,
    `img-src 'self' blob: data: ${remotes}`,
    "media-src 'self' blob: data:",
    `connect-src 'self' blob: ${[...socketOrigins, ...remoteOrigins].join(' ')}`,
    "frame-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
    .map(line => line.trim())
    .join('; ')
}
