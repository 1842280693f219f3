// What front-end tests share: a real server behind the page's address, and waiting for what they need.
import { type Server, serve, type WebSocketHandler } from 'bun'
import { act } from 'react'

export interface PageServerOptions {
  readonly fetch: (request: Request, url: URL) => Response | Promise<Response>
  readonly websocket?: WebSocketHandler<undefined>
}

/** Starts a server on a free port and makes it the page's own origin. Stop it with `server.stop(true)`. */
export function startPageServer({ fetch, websocket }: PageServerOptions): Server<undefined> {
  const server = serve<undefined>({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, self) {
      const url = new URL(request.url)
      if (url.pathname === '/socket' && self.upgrade(request)) return undefined
      return fetch(request, url)
    },
    websocket: websocket ?? { message: () => undefined },
  })
  Reflect.get(window, 'happyDOM').setURL(server.url.href)
  return server
}

/**
 * Waits until the condition holds; fails after 30 s with its text. Each turn is an act of its own: what an answer changes is drawn only
 * once the act it came in has ended, so waiting for a drawing inside one act never ends.
 */
export async function waitUntil(condition: () => boolean, label: string) {
  const end = Date.now() + 30_000
  while (!condition()) {
    if (Date.now() > end) throw new Error(`never happened: ${label}`)
    await act(() => new Promise<void>(resolve => setImmediate(resolve)))
  }
}

/** Writes in a field as a person does: React hears of it. */
export function typeText(field: HTMLInputElement | null | undefined, text: string) {
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
