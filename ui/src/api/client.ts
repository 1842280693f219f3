// The page's only way to the server's HTTP interface: the client of all runtimes, with what the browser has of its own.
import { type ApiError, createApi } from '@balcao/client'
import type { EndpointKey, QueryParams } from '@balcao/contract'
import { getLanguage } from '../i18n/core.ts'
import { getSessionSignal } from '../session/scope.ts'
import { getAccessToken, keepToken } from '../session/token.ts'
import { fetchAhead, fetchOnce } from './ahead.ts'
import { refreshToken } from './refresh.ts'

let signedOut: (error: ApiError) => void = () => undefined

/** Calls back when the session turns out to be over; the shell shows the sign-in page. */
export function onSignedOut(listener: (error: ApiError) => void) {
  signedOut = listener
}

export const { api, prepare, withToken } = createApi({
  origin: () => location.origin,
  token: getAccessToken,
  language: getLanguage,
  renew: refreshToken,
  scope: getSessionSignal,
  fetch: fetchOnce,
  ended(error) {
    keepToken(null)
    signedOut(error)
  },
})

/**
 * Asks what a screen will ask first, while its code is on its way.
 *
 * @example createRemoteApp({ '/tags': { load: () => import('./tags/TagsPage.tsx'), ask: () => askAhead('GET /tag') } })
 */
export function askAhead<K extends EndpointKey & `GET ${string}`>(key: K, query?: QueryParams<K>) {
  const token = getAccessToken()
  if (token === null) return
  const { url, headers, ...init } = prepare(key, { query })
  fetchAhead(url, { ...init, credentials: 'same-origin', headers: { ...headers, authorization: `Bearer ${token}` } })
}
