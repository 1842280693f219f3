// A headless browser may have no notification centre: it grants the permission and then says "denied" (the headless shell of
// Chromium does). There ours stands in; a browser that has one uses its own.
import type { BrowserContext } from 'playwright-core'

export interface ShownNotification {
  readonly title: string
  readonly body: string
  readonly tag: string
}

/** In the page: the permission is what was granted to the context. */
export function allowPageNotifications(): void {
  if (Notification.permission === 'denied')
    Object.defineProperty(Notification, 'permission', { configurable: true, get: () => 'granted' })
}

/** In the service worker: what it shows is kept until it is closed. */
export async function allowWorkerNotifications(context: BrowserContext): Promise<void> {
  await context.serviceWorkers()[0]?.evaluate(() => {
    if (Notification.permission !== 'denied') return
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    const shown = new Set<object>()
    Object.assign(registration, {
      getNotifications: async () => [...shown],
      showNotification: async (title: string, options: NotificationOptions) => {
        const notification = { title, ...options, close: () => shown.delete(notification) }
        shown.add(notification)
      },
    })
  })
}

/** What the service worker has shown and nobody closed yet. */
export async function listWorkerNotifications(context: BrowserContext): Promise<readonly ShownNotification[]> {
  const [worker] = context.serviceWorkers()
  if (!worker) return []
  return worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    return (await registration.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
  })
}
