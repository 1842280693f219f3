/** The hours of the day of which lunch takes half or more; `from` and `to` are minutes of the day, as settings have them. */
export function listRestingHours(from: number, to: number): number[] {
  return Array.from({ length: 24 }, (_, hour) => hour).filter(
    hour => Math.min(to, (hour + 1) * 60) - Math.max(from, hour * 60) >= 30,
  )
}
