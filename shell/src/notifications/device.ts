// Whether this device tells its person with the desk out of sight: the permission of the browser, and a subscription with its push service.
import { api, isApiError } from '@balcao/ui/api'
import { getLanguage, getTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { session } from '@balcao/ui/session'
import { signOut } from '../session/enter.ts'
import { setPushed } from './device-state.ts'
import { DEVICE } from './places.ts'

/** `insecure`: browsers notify only under https. */
export type NotificationState = 'insecure' | 'unsupported' | 'denied' | 'on' | 'off'

/** `on` is for this person and this browser. */
export function getDeviceState(): NotificationState {
  if (!isSecureContext) return 'insecure'
  if (typeof Notification === 'undefined') return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const mine = localStorage.getItem(DEVICE) === String(session.user?.id)
  return mine && Notification.permission === 'granted' ? 'on' : 'off'
}

/**
 * Asks the browser and, if it agrees, signs out: the device is registered with the session that follows (spec 1 §4
 * "Authentication"), and only as long as that one lasts.
 */
export async function enable(): Promise<NotificationState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return getDeviceState()
  localStorage.setItem(DEVICE, String(session.user?.id))
  await signOut()
  toast.success(getTexts('shell')('device.enabled'))
  return 'on'
}

/**
 * The device is quiet again, at once: the browser ends its subscription, and the server drops what it cannot reach. Where the browser
 * cannot, the server has to know; where neither is reached it throws, and the device goes on as it was.
 */
export async function disable(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration()
  const subscription = await worker?.pushManager?.getSubscription()
  const isEnded = !subscription || (await endSubscription(subscription))
  if (isEnded) forgetDevice()
  if (!subscription) return
  try {
    await api('POST /push/unregister', { body: { userId: session.user?.id, key: subscription.endpoint } })
  } catch (error) {
    if (!isEnded || !isApiError(error)) throw error
  }
  forgetDevice()
}

/** Whether nothing is shown on this device any more. Some browsers ask their push service, which may not be reached. */
async function endSubscription(subscription: PushSubscription): Promise<boolean> {
  try {
    return await subscription.unsubscribe()
  } catch (error) {
    if (error instanceof DOMException) return false
    throw error
  }
}

function forgetDevice() {
  localStorage.removeItem(DEVICE)
  setPushed(false)
}

/** After each sign-in and start: the push service's address may have changed, and the session is another one. */
export async function keepRegistered(): Promise<void> {
  if (getDeviceState() !== 'on' || !navigator.serviceWorker) return
  const worker = await navigator.serviceWorker.register('/sw.js')
  const subscription = await subscribe(worker)
  setPushed(subscription !== null)
  if (!subscription) return
  const { endpoint, keys } = subscription.toJSON()
  if (!endpoint || !keys?.p256dh || !keys.auth) return setPushed(false)
  const form = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }
  try {
    const body = { subscription: form, userId: session.user?.id, language: getLanguage() }
    await api('POST /push/register', { body })
  } catch (error) {
    if (!isApiError(error)) throw error
    setPushed(false)
  }
}

/** Null where the browser has no push service: then only open tabs tell. */
async function subscribe(worker: ServiceWorkerRegistration): Promise<PushSubscription | null> {
  try {
    const { publicKey } = await api('GET /push/public_key')
    const known = await worker.pushManager.getSubscription()
    const key = decodeBase64Url(publicKey)
    if (known && areBytesEqual(known.options.applicationServerKey, key)) return known
    await known?.unsubscribe()
    return await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  } catch (error) {
    if (error instanceof DOMException || isApiError(error)) return null
    throw error
  }
}

function decodeBase64Url(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, letter => letter.charCodeAt(0))
}

function areBytesEqual(one: ArrayBuffer | null, other: Uint8Array): boolean {
  return one !== null && new Uint8Array(one).join() === other.join()
}
