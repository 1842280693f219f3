/** `00:14:08` for 848 seconds. */
export function formatClock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  return parts.map(part => String(part).padStart(2, '0')).join(':')
}
