// What happens once when the page starts: the names from the server, the session that may still be there, and the wires
// between the parts that must not know each other (API client, live client, store).
import { ApiError, isApiError, onSessionRenewed, onSignedOut, resumeSession } from '@balcao/ui/api'
import { withTexts } from '@balcao/ui/i18n'
import { combineStops, live } from '@balcao/ui/live'
import { getAccessToken, onPersonChange, onTokenChange, session } from '@balcao/ui/session'
import { useEffect } from 'react'
import { announceSession, enter, leave, loadSettings, settings } from './enter.ts'
import { finishLeaving, isLeaving, unmarkLeaving } from './leaving.ts'
import { loadSystem } from './system.ts'

export function useBoot() {
  useEffect(() => {
    onSignedOut(leave)
    onSessionRenewed(enter)
    void loadSystem()
    void resume()
    void finishLeaving()
    const stops = [
      onTokenChange(token => {
        if (token !== null) return unmarkLeaving()
        leave()
        // Here too: the page where somebody signed out may be closed before the server has heard of it.
        void finishLeaving()
      }),
      // The token all tabs share is somebody else's now: this page begins again as theirs.
      onPersonChange(userId => {
        if (session.status === 'in' && session.user?.id !== userId) location.reload()
      }),
      live.onReset(() => void loadSettings()),
      live.on('settings', ({ setting }) => settings().take(setting)),
      live.on('user', event => {
        const me = session.user
        if (!me) return
        if (event.action === 'delete') return event.userId === me.id ? leaveInactive() : undefined
        if (event.user.id !== me.id || event.user.version < me.version) return
        if (event.user.active) session.user = event.user
        else leaveInactive()
      }),
    ]
    const heard = () => void finishLeaving()
    window.addEventListener('online', heard)
    return combineStops(...stops, () => window.removeEventListener('online', heard))
  }, [])
}

/** Goes on with the session this browser still has; without a stored token there is none, and one that was left is nobody's. */
export async function resume() {
  if (getAccessToken() === null || isLeaving()) {
    session.status = 'out'
    return
  }
  try {
    await resumeSession()
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0 && error.status < 500)
      leave(isShutOut(error) ? error : undefined)
    else setTimeout(() => void resume(), 3000)
  }
}

/** A session that ran out while the page was closed needs no word; that one is not let in does. */
function isShutOut(error: ApiError) {
  return isApiError(error, 'ERR_USER_NO_ACTIVE', 'ERR_INVALID_WORKING_TIME')
}

/** The event brings no sentence along: it is fetched once nothing of the person is shown any more. */
function leaveInactive() {
  leave()
  void import(/* webpackChunkName: "lazy-catalogue" */ '@balcao/ui/catalogue')
    .then(withTexts)
    .then(
      ({ findCatalogueText }) => findCatalogueText('ERR_USER_NO_ACTIVE') ?? '',
      () => '',
    )
    .then(text => announceSession(new ApiError('ERR_USER_NO_ACTIVE', 401, text)))
}
