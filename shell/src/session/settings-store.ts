// The settings, as they are read and as they change meanwhile.
import type { AnswerOf } from '@balcao/contract'
import { Feed } from '@balcao/ui/rows'

type Setting = AnswerOf<'GET /settings'>[number]
type Settings = Record<string, string>

export function settingsFeed() {
  return new Feed<Settings, Setting>({}, (now, { key, value }) => ({ ...now, [key]: value }))
}

/** The settings of an answer, which knows them all. */
export function allSettings(rows: readonly Setting[]): Settings {
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}
