// Whether a request comes from a page of ours. A page of another site can send forms with this browser's cookies, and open sockets.

/** Programs name no origin. What the browser itself says of the two sites (`Sec-Fetch-Site`) counts before the names. */
export function isOwnOrigin({ headers }: Request, publicUrl: string | null): boolean {
  const origin = headers.get('origin')
  if (origin !== null && origin === publicUrl) return true
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  if (origin === null) return true
  return URL.canParse(origin) && new URL(origin).host === headers.get('host')
}
