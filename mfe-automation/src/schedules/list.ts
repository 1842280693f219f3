// Scheduled sends as a list of rows: newest first.
import type { Schedule } from '@balcao/contract'

export function newestFirst(one: Pick<Schedule, 'id'>, other: Pick<Schedule, 'id'>): number {
  return other.id - one.id
}
