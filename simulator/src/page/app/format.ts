// Times, sizes and durations as a Brazilian phone writes them.

export function formatClock(at: string | Date): string {
  return new Date(at).toLocaleTimeString('pt-BR', { hour: '2-digit', minute: '2-digit' })
}

export function formatClockWithSeconds(at: string): string {
  return new Date(at).toLocaleTimeString('pt-BR')
}

export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

export function formatFileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`
  return `${(bytes / 1024 / 1024).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} MB`
}

/** 'Hoje', 'Ontem' or the date. */
export function formatDayName(at: string): string {
  const day = new Date(at)
  const today = new Date()
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  if (day.toDateString() === today.toDateString()) return 'Hoje'
  if (day.toDateString() === yesterday.toDateString()) return 'Ontem'
  return day.toLocaleDateString('pt-BR')
}
