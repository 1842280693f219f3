// The page's only way to the server's HTTP interface: the client of all runtimes, with what the browser has of its own.
import { type ApiError, createApi } from '@balcao/client'
import { currentLanguage } from '../i18n/core.ts'
import { sessionSignal } from '../session/scope.ts'
import { accessToken, keepToken } from '../session/token.ts'
import { refreshToken } from './refresh.ts'

let signedOut: (error: ApiError) => void = () => undefined

/** Calls back when the session turns out to be over; the shell shows the sign-in page. */
export function onSignedOut(listener: (error: ApiError) => void) {
  signedOut = listener
}

export const { api, prepare, withToken } = createApi({
  origin: () => location.origin,
  token: accessToken,
  language: currentLanguage,
  renew: refreshToken,
  scope: sessionSignal,
  ended(error) {
    keepToken(null)
    signedOut(error)
  },
})
