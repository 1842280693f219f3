// The desk a command speaks to: by the environment (`BALCAO_URL`, `BALCAO_TOKEN`), else by the profile that was signed in.
import { ApiError, createOfflineError, isApiError } from '@balcao/client'
import { resumeSession, type SignedIn } from '@balcao/client/session'
import { openWire } from '@balcao/contract/sessions/wire-secret'
import type { Ending } from './ending.ts'
import { Failure, MAY_BE_DONE } from './faults.ts'
import type { Profiles, ServerProfile } from './profiles.ts'
import type { Language } from './texts.ts'

export interface Desk extends SignedIn {
  readonly url: string
  /** An e-mail address as it is read; it comes sealed. */
  email(sealed: string): Promise<string>
}

type Env = Readonly<Record<string, string | undefined>>

/** Where to speak to, and with which token. Throws a `Failure` that says how to sign in. */
export function resolveProfile(env: Env, profiles: () => Profiles, request: string | undefined): ServerProfile {
  const { BALCAO_TOKEN: token, BALCAO_URL: url } = env
  if (token && request === undefined) {
    if (!url) throw new Failure('urlMissing', {}, 2)
    return { url: parseAddress(url), token, user: '' }
  }
  const known = profiles()
  const name = request ?? (env.BALCAO_PROFILE || known.current)
  if (!name) throw new Failure('notSignedIn')
  const profile = Object.hasOwn(known.profiles, name) ? known.profiles[name] : undefined
  if (!profile) throw new Failure('noProfile', { name }, 2)
  return profile
}

/** Signs in with the token. Throws the server's refusal. */
export async function enter({ url, token }: ServerProfile, language: Language, ending: Ending): Promise<Desk> {
  const session = await resumeSession(url, token, { language })
  return {
    ...session,
    url,
    api: stopAware(session.api, ending),
    email: async sealed => (await openWire(session.wireSecret, sealed)) ?? sealed,
  }
}

/** Once the command is stopped nothing new is asked: it stays open. What changes something and is on its way is waited for. */
function stopAware(api: SignedIn['api'], ending: Ending): SignedIn['api'] {
  return (key, ...options) => {
    if (ending.signal.aborted) return new Promise(() => undefined)
    const answer = api(key, ...options)
    if (!isChange(key, options[0]?.query)) return answer
    ending.underWay(
      answer.then(
        () => true,
        (error: unknown) => !isApiError(error, 'OFFLINE'),
      ),
    )
    return answer.catch((error: unknown) => {
      throw isApiError(error, 'OFFLINE') ? new ApiError('OFFLINE', 0, error.message, MAY_BE_DONE) : error
    })
  }
}

/** Whether a call does something: others only look. */
function isChange(key: string, query: unknown): boolean {
  const isPreview = typeof query === 'object' && query !== null && 'preview' in query && query.preview === 'true'
  return !key.startsWith('GET ') && !isPreview
}

/** Ends a terminal's token. Whether the server was told: one that is away, or knows the token no more, keeps nobody signed in here. */
export async function endToken({ url, token }: ServerProfile): Promise<boolean> {
  try {
    await (await resumeSession(url, token)).signOut()
    return true
  } catch (error) {
    if (!isApiError(error)) throw error
    return error.code !== 'OFFLINE'
  }
}

/** `desk.example.com` becomes `https://desk.example.com`, a machine at home `http://`. Throws a `Failure` where it is no address. */
export function parseAddress(written: string): string {
  const text = written.trim()
  const whole = /^https?:\/\//i.test(text) ? text : `${isHere(text) ? 'http' : 'https'}://${text}`
  if (!URL.canParse(whole)) throw new Failure('noAddress', { written: text }, 2)
  const { origin, username, password } = new URL(whole)
  if (username || password) throw new Failure('secretInAddress', {}, 2)
  return origin
}

/** Whether what is sent to an address can be read on the way. */
export function isReadable(url: string): boolean {
  const { protocol, host } = new URL(url)
  return protocol === 'http:' && !isHere(host)
}

function isHere(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/i.test(host)
}

/** Fetches a file behind a signed link. Throws as a call. */
export async function fetchFile(url: string, link: string, signal: AbortSignal): Promise<Response> {
  const answer = await fetch(new URL(link, url), { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : createOfflineError(error)
  })
  if (!answer.ok || !answer.body) throw new Failure('fileGone')
  return answer
}
