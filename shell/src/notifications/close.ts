import { setPushed } from './device-state.ts'

/** Takes away what the service worker showed to whoever leaves. */
export async function closeNotifications() {
  const worker = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await worker?.getNotifications()) ?? []) shown.close()
}

/**
 * Ends what tells this device of whoever leaves with the desk closed, without the server, which may hear of the sign-out late. Their next
 * sign-in subscribes again (`keepRegistered`).
 */
export async function endPush() {
  setPushed(false)
  const worker = await navigator.serviceWorker?.getRegistration()
  const subscription = await worker?.pushManager?.getSubscription()
  // A browser that has to ask its push service first may not reach it; without its worker nothing is shown either.
  await subscription?.unsubscribe().catch(() => worker?.unregister())
}
