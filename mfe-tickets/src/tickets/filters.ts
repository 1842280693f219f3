// The choice above the lists, remembered on this device.
import type { ListFilters } from './belongs-to.ts'

const STORED = 'balcao.tickets.filters'

export function readFilters(): ListFilters {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORED) ?? 'null')
    if (typeof value !== 'object' || value === null) return { showAll: false, queueIds: null }
    const showAll = 'showAll' in value && value.showAll === true
    const queueIds =
      'queueIds' in value && Array.isArray(value.queueIds)
        ? value.queueIds.filter((id: unknown): id is number => typeof id === 'number')
        : null
    return { showAll, queueIds: queueIds && queueIds.length > 0 ? queueIds : null }
  } catch {
    return { showAll: false, queueIds: null }
  }
}

export function keepFilters(filters: ListFilters) {
  localStorage.setItem(STORED, JSON.stringify(filters))
}
