// What one is told while the page is open: a sound, and a notification of the browser while nobody has the desk in front of them.
import type { Notice } from '@balcao/contract'
import { getTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { getSessionSignal, keepPerSession, session } from '@balcao/ui/session'
import './late.ts'
import { isMuted, isPushed } from './device-state.ts'
import { parseConversationKey, toPath } from './places.ts'
import { formatNoticeText } from './preview.ts'
import { canPlay, play } from './sounds.ts'
import { claim, listTabLocks } from './tabs.ts'

/** Between two sounds, in all tabs. */
const SOUND_GAP = 3000

/** Between two rounds: what comes meanwhile is told together. */
const ROUND_MS = 250

/** Long enough to read why. */
const HANDED_MS = 8000

/** The newest notice of each conversation that this person was not told of yet. */
const untold = keepPerSession(signal => ({ signal, waiting: new Map<string, Notice>(), telling: false }))

/** Takes a notice from the server: who is told was decided there. Nothing for a conversation that somebody looks at here. */
export async function handleNotice(notice: Notice, open: (path: string) => void): Promise<void> {
  const own = untold()
  const { waiting, signal } = own
  waiting.set(`${toConversationKey(notice)} ${notice.messageId}`, notice)
  if (own.telling) return
  own.telling = true
  try {
    while (waiting.size > 0 && !signal.aborted) {
      const notices = [...waiting.values()]
      waiting.clear()
      await tell(notices, open)
      await new Promise(resolve => setTimeout(resolve, ROUND_MS))
    }
  } finally {
    own.telling = false
  }
}

async function tell(notices: readonly Notice[], open: (path: string) => void): Promise<void> {
  const signal = getSessionSignal()
  const tabs = await listTabLocks()
  const unseen = notices.filter(
    one => !isConversationVisible(toConversationKey(one)) && !tabs.has(toConversationKey(one)),
  )
  if (unseen.length === 0) return
  const keys = unseen.map(toNoticeKey)
  if (!isMuted() && canPlay() && (await claim('sound', keys, SOUND_GAP)).length > 0)
    await play(session.settings.sound ?? 'default')
  if (signal.aborted) return
  if (document.visibilityState === 'visible') await showTransferToast(unseen, open)
  // With all tabs hidden the push service tells this device.
  if (!canNotify() || tabs.has('focus') || (isPushed() && !tabs.has('seen'))) return
  const ours = await claim('shown', keys)
  const shown = await Promise.allSettled(
    unseen.filter(one => ours.includes(toNoticeKey(one))).map(one => show(one, open)),
  )
  // One that could not be shown does not keep the others back.
  const failed = shown.find(one => one.status === 'rejected')
  if (failed) throw failed.reason
}

/** What a colleague gives away, or calls one to, is said in so many words: by whom, and why. */
async function showTransferToast(notices: readonly Notice[], open: (path: string) => void): Promise<void> {
  const t = getTexts('shell')
  const handed = notices.filter(({ reason, author }) => reason !== 'message' && author !== null)
  const signal = getSessionSignal()
  const ours = await claim('toast', handed.map(toNoticeKey))
  if (signal.aborted) return
  for (const notice of handed.filter(one => ours.includes(toNoticeKey(one))))
    toast.info(notice.name || t('bell.noName'), {
      detail: formatNoticeText(notice, t),
      key: `${toConversationKey(notice)} ${notice.messageId}`,
      shownMs: HANDED_MS,
      action: { label: t('notice.open'), perform: () => open(toPath(notice.about, notice.id, notice.messageId)) },
    })
}

function toConversationKey({ about, id }: Notice): string {
  return `${about}.${id}`
}

function toNoticeKey(notice: Notice): string {
  return `${session.user?.id}.${toConversationKey(notice)}.${notice.messageId}.${notice.version}`
}

function isConversationVisible(conversation: string): boolean {
  return document.visibilityState === 'visible' && parseConversationKey(location.pathname) === conversation
}

function canNotify(): boolean {
  return typeof Notification !== 'undefined' && Notification.permission === 'granted'
}

/** One notification for each conversation: a later one takes the place of the one before. */
async function show(notice: Notice, open: (path: string) => void): Promise<void> {
  const t = getTexts('shell')
  const path = toPath(notice.about, notice.id, notice.messageId)
  const title = notice.name || t('bell.noName')
  const options = {
    body: formatNoticeText(notice, t),
    tag: [notice.about, notice.id, notice.messageId].filter(Boolean).join('-'),
    icon: notice.photo ?? '/icons/icon-192.png',
    badge: '/icons/badge.png',
    data: { path },
    silent: true,
  }
  const signal = getSessionSignal()
  const worker = await navigator.serviceWorker?.getRegistration()
  if (signal.aborted) return
  if (worker?.active) return worker.showNotification(title, options)
  const shown = new Notification(title, options)
  signal.addEventListener('abort', () => shown.close())
  shown.onclick = () => {
    window.focus()
    shown.close()
    open(path)
  }
}
