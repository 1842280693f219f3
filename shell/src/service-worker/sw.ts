// The service worker: tells what comes from the push service while no tab is seen, and opens what was pressed. It keeps nothing and
// answers no request, so that every page and every remote is always the newest.
import type { PushPayload } from '@balcao/contract'
import { push as en } from '../../locales/notifications/en.json'
import { push as es } from '../../locales/notifications/es.json'
import { push as pt } from '../../locales/notifications/pt.json'

/** What is used of the worker's own world; the page's types know another one. */
interface Worker {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly Tab[]>
    openWindow(path: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(name: 'install' | 'activate', heard: (event: ExtendableWork) => void): void
  addEventListener(
    name: 'push',
    heard: (event: ExtendableWork & { readonly data: { json(): PushPayload } | null }) => void,
  ): void
  addEventListener(
    name: 'notificationclick',
    heard: (event: ExtendableWork & { readonly notification: Notification }) => void,
  ): void
}
interface ExtendableWork {
  waitUntil(work: Promise<unknown>): void
}
interface Tab {
  readonly visibilityState: DocumentVisibilityState
  readonly focused: boolean
  focus(): Promise<unknown>
  postMessage(message: object): void
}
declare const self: Worker

const TEXTS = { pt, en, es }

self.addEventListener('install', event => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))
self.addEventListener('push', event => {
  if (event.data) event.waitUntil(tell(event.data.json()))
})
self.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data?.path ?? '/tickets')))
})

/** A tab that is seen tells it itself. */
async function tell(payload: PushPayload): Promise<void> {
  if ((await listTabs()).some(tab => tab.visibilityState === 'visible')) return
  const { about, id, messageId, language, name } = payload
  const message = messageId === undefined ? '' : `?message=${messageId}`
  await self.registration.showNotification(name || TEXTS[language].noName, {
    body: formatNotice(payload),
    tag: `${about}-${id}${message}`,
    lang: language,
    icon: '/icons/icon-192.png',
    badge: '/icons/badge.png',
    data: { path: about === 'ticket' ? `/tickets/${id}${message}` : `/tickets/0/${id}` },
  })
}

function formatNotice({ about, reason, unread, language }: PushPayload): string {
  const texts = TEXTS[language]
  if (reason !== 'message') return texts[reason]
  const key = about === 'chat' ? 'chat' : 'message'
  return unread > 1 ? texts[`${key}_other`].replace('{{count}}', String(unread)) : texts[`${key}_one`]
}

/** In the tab there is, or in a new one. */
async function open(path: string): Promise<void> {
  const all = await listTabs()
  const tab = all.find(one => one.focused) ?? all.find(one => one.visibilityState === 'visible') ?? all[0]
  if (!tab) {
    await self.clients.openWindow(path)
    return
  }
  tab.postMessage({ type: 'open', path })
  await tab.focus()
}

function listTabs(): Promise<readonly Tab[]> {
  return self.clients.matchAll({ type: 'window', includeUncontrolled: true })
}
