/** Takes away what the service worker showed to whoever leaves. */
export async function closeNotifications() {
  const worker = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await worker?.getNotifications()) ?? []) shown.close()
}
