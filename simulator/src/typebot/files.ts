// The files a flow shows: small true ones, and some that are not what they say.

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const MB = 1024 * 1024

/** `big.mp4` has 30 MB, `away.png` is elsewhere on a private host, `round.png` always somewhere else, `page.png` is a page, `gif.png` a GIF. */
export function serveFile(name: string, url: string): Response {
  switch (name) {
    case 'away.png':
      return Response.redirect('http://169.254.169.254/latest/meta-data/away.png', 302)
    case 'round.png':
      return Response.redirect(url, 302)
    case 'moved.png':
      return Response.redirect(new URL('foto.png', url).href, 302)
    case 'page.png':
      return new Response('<!doctype html><p>Nada aqui</p>', { headers: { 'content-type': 'text/html' } })
    case 'gif.png':
      return new Response(GIF, { headers: { 'content-type': 'image/png' } })
    case 'big.mp4':
      return new Response(makeFilm(30 * MB))
  }
  if (name.endsWith('.png')) return new Response(PIXEL, { headers: { 'content-type': 'image/png' } })
  if (name.endsWith('.mp3')) return new Response(makeSound(), { headers: { 'content-type': 'audio/mpeg' } })
  if (name.endsWith('.mp4')) return new Response(makeFilm(4096), { headers: { 'content-type': 'video/mp4' } })
  if (name.endsWith('.pdf'))
    return new Response('%PDF-1.4\n%%EOF\n', { headers: { 'content-type': 'application/pdf' } })
  return new Response(null, { status: 404 })
}

function makeFilm(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  bytes.set([0, 0, 0, 24, ...Buffer.from('ftypmp42'), 0, 0, 0, 0, ...Buffer.from('mp42isom')])
  return bytes
}

function makeSound(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2048)
  bytes.set([...Buffer.from('ID3'), 4, 0, 0, 0, 0, 0, 0])
  bytes.set([0xff, 0xfb, 0x90, 0x64], 10)
  return bytes
}
