/** Asks again and again until the answer is yes; fails with what was waited for. Tests wait for what they need, never for a time. */
export async function waitUntil(
  label: string,
  isSo: () => Promise<boolean> | boolean,
  withinMs = 120_000,
): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; await Bun.sleep(5)) if (await isSo()) return
  throw new Error(`Waited ${withinMs} ms in vain: ${label}`)
}
