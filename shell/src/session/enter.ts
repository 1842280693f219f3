// Coming in and going out: what the whole page does when somebody signs in, is renewed, or leaves.
import type { ResponseBody } from '@balcao/contract'
import { parseKnownSettings } from '@balcao/contract/settings/settings'
import { api, isApiError } from '@balcao/ui/api'
import { describeError, setTimezone } from '@balcao/ui/i18n'
import { live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { endSession, forgetPerson, keepPerSession, keepPerson, keepToken, session } from '@balcao/ui/session'
import { closeNotifications, endPush } from '../notifications/close.ts'
import { finishLeaving, markLeaving } from './leaving.ts'
import { createSettingsFeed, toSettings } from './settings-store.ts'
import { loadSystem } from './system.ts'

type SignedIn = ResponseBody<'POST /auth/login'>

/** The one-time password somebody has just typed, so that nobody types it twice; in memory alone. */
export const oneTime = keepPerSession(() => ({ password: '' }))

/** Takes over the user of a sign-in or a renewal and starts what lives with a session. */
export function enter(answer: SignedIn) {
  const isRenewed = session.status === 'in' && session.user?.id === answer.user.id
  if (!isRenewed) {
    if (session.status === 'in') live.stop()
    endSession()
  }
  session.user = answer.user
  session.wireSecret = answer.wireSecret
  keepPerson(answer.user.id)
  if (isRenewed) return
  session.status = 'in'
  // With a one-time password the server answers nothing until it is changed.
  if (!answer.user.mustChangePassword) begin()
}

/** Starts what lives with a session, once everything is open to the person. */
export function begin() {
  live.start()
  void loadSettings()
}

/** Ends the session here at once, and on the server as soon as it answers. */
export async function signOut() {
  markLeaving()
  // Before the other tabs hear of it, which would tell the server as well.
  const finished = finishLeaving()
  forgetPerson()
  leave()
  await Promise.all([endPush(), finished])
}

/** Ends the session in this page; the server's part is over already or comes later. */
export function leave(reason?: unknown) {
  if (session.status === 'out') return
  live.stop()
  keepToken(null)
  session.status = 'out'
  endSession()
  void closeNotifications()
  // Whether the system is blocked and sign-up allowed may have changed since the page was opened.
  void loadSystem()
  if (reason !== undefined) announceSession(reason)
}

/** Why the session ended. Outside of working hours and inactive are no errors but facts (spec 1 §4); the blocked page speaks for itself. */
export function announceSession(reason: unknown) {
  if (isApiError(reason, 'ERR_NO_PERMISSION', 'ERR_SYSTEM_BLOCKED')) return
  const calm = isApiError(reason, 'ERR_INVALID_WORKING_TIME', 'ERR_USER_NO_ACTIVE')
  toast[calm ? 'info' : 'error'](describeError(reason), { key: 'session' })
}

/** The settings, as they are read and as they change meanwhile. */
export const settings = keepPerSession(() => {
  const feed = createSettingsFeed()
  feed.subscribe(() => {
    const known = parseKnownSettings(feed.now())
    session.settings = known
    if (known.timezone) setTimezone(known.timezone)
  })
  return feed
})

/** Until settings that did not come are asked for again, ms. */
const PATIENCE_MS = 3000

let again: ReturnType<typeof setTimeout> | undefined

/** Reads the settings; on failure the ones before stay, and they are asked for again until they come or the person leaves. */
export async function loadSettings() {
  try {
    await settings().fetch(
      () => api('GET /settings'),
      (_, rows) => toSettings(rows),
      { afresh: true },
    )
  } catch (error) {
    if (!isApiError(error)) throw error
    clearTimeout(again)
    again = setTimeout(() => session.status === 'in' && void loadSettings(), PATIENCE_MS)
  }
}
