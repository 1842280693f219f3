// The two bells: how many wait, which popover is open, and the wires that keep them right. What they show is loaded when first used.
import type { ResponseBody } from '@balcao/contract'
import { holdLetters } from '@balcao/ui/actions'
import { api, isApiError } from '@balcao/ui/api'
import { combineStops, live } from '@balcao/ui/live'
import { useNavigate } from '@balcao/ui/router'
import { keepSessionState, session, useSession } from '@balcao/ui/session'
import { useEffect, useRef } from 'react'
import { ref, useSnapshot } from 'valtio'
import { createDebouncer } from '../frame/debouncer.ts'
import { endPush } from './close.ts'
import { isPushed } from './device-state.ts'
import { useLooking } from './looking.ts'
import { DEVICE } from './places.ts'

export type Bell = 'tickets' | 'chats'
type NotificationsAnswer = ResponseBody<'GET /notifications'>

interface Bells {
  readonly counts: Record<Bell, number>
  /** Which popover is open; `device`: the dialog about this device. */
  open: Bell | 'device' | null
  /** What the open popover lists, once it has come. */
  rows: NotificationsAnswer | null
  /** Why they did not come. */
  failed: unknown
  /** What was asked last: an answer to anything before it is late. */
  request: symbol | null
}

export const bells = keepSessionState<Bells>(() => ({
  counts: { tickets: 0, chats: 0 },
  open: null,
  rows: null,
  failed: null,
  request: null,
}))

export function useBellState() {
  return useSnapshot(bells)
}

const FIRST_MS = 150
const PAUSE_MS = 2000
const ROWS = 30

/** Starts everything that a signed-in page does about what waits (spec 1 §4 "Notifications"). */
export function useBells() {
  const { user, settings, product, status } = useSession()
  const { counts } = useSnapshot(bells)
  const navigate = useNavigate()
  useLooking()

  useEffect(() => startCounting(), [])

  // Other queues and other settings are other bells.
  const mine = user?.queueIds.join()
  const { notificateAllTickets, notifyGroupToAllUsers, onlyAdminSeeEmptyQueue } = settings
  // biome-ignore lint/correctness/useExhaustiveDependencies: what they are does not matter, only that they changed
  useEffect(() => counting?.soon(), [mine, notificateAllTickets, notifyGroupToAllUsers, onlyAdminSeeEmptyQueue])

  useEffect(
    () =>
      live.onVolatile(frame => {
        if (frame.kind !== 'notice') return
        const { notice } = frame
        onceLoaded(import(/* webpackChunkName: "lazy-notices" */ './notices.ts'), ({ handleNotice }) =>
          handleNotice(notice, path => void navigate(path)),
        )
      }),
    [navigate],
  )

  const total = status === 'in' ? counts.tickets + counts.chats : 0
  const marked = useRef(false)
  useEffect(() => {
    if (total === 0 && !marked.current) return
    marked.current = true
    onceLoaded(import(/* webpackChunkName: "lazy-notices" */ './tab-badge.ts'), ({ markTab }) =>
      markTab(total, product),
    )
  }, [total, product])
  useEffect(
    () => () => {
      if (marked.current)
        onceLoaded(import(/* webpackChunkName: "lazy-notices" */ './tab-badge.ts'), ({ markTab }) =>
          markTab(0, session.product),
        )
    },
    [],
  )

  useEffect(() => {
    if (localStorage.getItem(DEVICE) !== String(user?.id)) {
      // Whoever was here before may still be told on this device.
      if (user?.id && isPushed()) void endPush()
      return
    }
    onceLoaded(import(/* webpackChunkName: "lazy-device" */ './device.ts'), ({ keepRegistered }) => keepRegistered())
  }, [user?.id])

  useEffect(() => {
    const worker = navigator.serviceWorker
    const heard = ({ data }: MessageEvent) => {
      if (data?.type !== 'open' || typeof data.path !== 'string') return
      // The page is drawn a moment after this: what is typed by then is for it.
      const release = holdLetters({ lasts: true, takesFocus: true })
      void navigate(data.path)
      release()
    }
    worker?.addEventListener('message', heard)
    return () => worker?.removeEventListener('message', heard)
  }, [navigate])
}

export function openBell(bell: Bells['open']) {
  bells.open = bell
  bells.rows = null
  if (bell === 'tickets' || bell === 'chats') void load()
}

/** Reads the counts, and the rows while a popover is open. A bell that cannot be read keeps its last number. */
export async function load() {
  const limit = bells.open === 'tickets' || bells.open === 'chats' ? ROWS : 0
  const request = Symbol()
  bells.request = request
  try {
    const waiting = await api('GET /notifications', { query: { limit } })
    if (bells.request !== request) return
    const { tickets, chats, mentions, news, alarms } = waiting
    const rung = tickets.count + mentions.count + news.count + alarms.length
    if (bells.counts.tickets !== rung) bells.counts.tickets = rung
    if (bells.counts.chats !== chats.count) bells.counts.chats = chats.count
    bells.failed = null
    if (limit > 0) bells.rows = ref(waiting)
  } catch (error) {
    if (!isApiError(error)) throw error
    if (bells.request === request) bells.failed = error
  }
}

let counting: ReturnType<typeof createDebouncer> | undefined

function startCounting() {
  const known = new Map<string, string>()
  const all = createDebouncer(load, FIRST_MS, PAUSE_MS)
  counting = all
  /** Most events change nothing that is counted. */
  function note(key: string, sign: string) {
    if (known.get(key) === sign && bells.open === null) return
    known.set(key, sign)
    all.soon()
  }
  const me = session.user?.id
  void load()
  const stops = [
    live.on('ticket', event => {
      if (event.action === 'delete') return note(`ticket.${event.ticketId}`, 'gone')
      const { id, status, queueId, userId, unreadMessages } = event.ticket
      note(`ticket.${id}`, `${status} ${queueId} ${userId} ${unreadMessages > 0}`)
    }),
    live.on('appMessage', event => {
      if (event.action === 'delete') return
      const { id, isDeleted, mentions } = event.message
      const key = `message.${id}`
      if (mentions?.some(({ id: called }) => called === me) || known.has(key))
        note(key, `${isDeleted} ${mentions?.length}`)
    }),
    live.on('mention', ({ ticketId, version }) => note(`mention.${ticketId}`, String(version))),
    live.on('whatsapp', event => {
      if (event.action === 'delete' || !('news' in event.whatsapp)) return
      const { id, news, newsSeenAt } = event.whatsapp
      // What happened long ago may be told only now.
      const times = news.map(one => one.storedAt ?? one.at).sort()
      note(`whatsapp.${id}`, `${times.at(-1)} ${news.length} ${newsSeenAt}`)
    }),
    // Whether one of them did not go out is said to administrators alone; the event says which, not how it stands.
    live.on('agendamento', event => {
      if (session.user?.profile === 'admin') note(`schedule.${event.agendamentoId}`, `${event.action} ${event.version}`)
    }),
    live.on('chat', event => {
      if (event.action === 'delete') return note(`chat.${event.chatId}`, 'gone')
      note(`chat.${event.chat.id}`, String(event.chat.users.find(user => user.id === me)?.unreadMessages))
    }),
    live.on('unreadMessageChat', event => {
      if (event.userId === me) note(`chat.${event.chatId}`, String(event.unreadMessages))
    }),
    live.onReset(() => {
      known.clear()
      all.soon()
    }),
  ]
  return combineStops(...stops, all.stop, () => {
    counting = undefined
    bells.counts.tickets = 0
    bells.counts.chats = 0
    openBell(null)
  })
}

/** Uses what is loaded only when it is needed. While the line is away it does not come; whoever needs it next asks again. */
function onceLoaded<T>(file: Promise<T>, use: (file: T) => unknown): void {
  void file.then(use, error => {
    if (!(error instanceof Error) || error.name !== 'ChunkLoadError') throw error
  })
}
