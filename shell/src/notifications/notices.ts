// What one is told while the page is open: a sound, and a notification of the browser while nobody has the desk in front of them.
import type { Notice } from '@balcao/contract'
import { textsOf } from '@balcao/ui/i18n'
import { session } from '@balcao/ui/session'
import './late.ts'
import { conversationAt, pathOf } from './bells.ts'
import { isMuted, isPushed } from './device-state.ts'
import { noticeText } from './preview.ts'
import { mayPlay, play } from './sounds.ts'
import { claim, someTab } from './tabs.ts'

/** Between two sounds, in all tabs. */
const SOUND_GAP = 3000

/** Takes a notice from the server: who is told was decided there. Nothing for a conversation that somebody looks at here. */
export async function hear(notice: Notice, open: (path: string) => void): Promise<void> {
  const conversation = `${notice.about}.${notice.id}`
  const key = `${conversation}.${notice.version}`
  if (isLookedAt(conversation) || (await someTab(conversation))) return
  if (!isMuted() && mayPlay() && (await claim('sound', key, SOUND_GAP))) await play(session.settings.sound ?? 'default')
  if (!mayNotify() || (await someTab('focus'))) return
  // With all tabs hidden the push service tells this device.
  if (isPushed() && !(await someTab('seen'))) return
  if (await claim('shown', key)) await show(notice, open)
}

function isLookedAt(conversation: string): boolean {
  return document.visibilityState === 'visible' && conversationAt(location.pathname) === conversation
}

function mayNotify(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission === 'granted'
}

/** One notification for each conversation: a later one takes the place of the one before. */
async function show(notice: Notice, open: (path: string) => void): Promise<void> {
  const t = textsOf('shell')
  const path = pathOf(notice.about, notice.id)
  const title = notice.name || t('bell.noName')
  const options = {
    body: noticeText(notice, t),
    tag: `${notice.about}-${notice.id}`,
    icon: notice.photo ?? '/icons/icon-192.png',
    badge: '/icons/badge.png',
    data: { path },
    silent: true,
  }
  const worker = await navigator.serviceWorker?.getRegistration()
  if (worker?.active) return worker.showNotification(title, options)
  const shown = new Notification(title, options)
  shown.onclick = () => {
    window.focus()
    shown.close()
    open(path)
  }
}
