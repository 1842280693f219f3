// The settings, as they are read and as they change meanwhile.
import type { ResponseBody } from '@balcao/contract'
import { Feed } from '@balcao/ui/rows'

type Setting = ResponseBody<'GET /settings'>[number]
type Settings = Record<string, string>

export function createSettingsFeed() {
  return new Feed<Settings, Setting>({}, (now, { key, value }) => ({ ...now, [key]: value }))
}

/** The settings of an answer, which knows them all. */
export function toSettings(rows: readonly Setting[]): Settings {
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}
