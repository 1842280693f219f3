// The settings as an administrator has them: read once, kept by live events, saved one after the other.
import type { Setting, SettingSaveResult } from '@balcao/contract'
import { parseSettings, type SettingKey, type Settings } from '@balcao/contract/settings/settings'
import { api, isApiError } from '@balcao/ui/api'
import { describeError, formatTime, getTexts } from '@balcao/ui/i18n'
import { combineStops, live } from '@balcao/ui/live'
import { toast } from '@balcao/ui/parts'
import { Feed } from '@balcao/ui/rows'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'

type Rows = Readonly<Record<string, Setting>>
type Values = Readonly<Partial<Record<SettingKey, string>>>
/** What is wrong with which value, in words. */
export type Faults = Readonly<Partial<Record<string, string>>>

/** Why values were not saved: what is wrong with which, and whether what somebody else saved before stands there now. */
export interface SaveRefusal {
  readonly faults: Faults
  readonly isOthersShown: boolean
}

export type SettingsDesk = ReturnType<typeof useSettings>

/** `error`: why they could not be read, the last time that was tried. */
export function useSettings() {
  const [feed] = useState(() => new Feed<Rows, Setting>({}, put))
  const stored = useSyncExternalStore(feed.subscribe, feed.now)
  const [error, setError] = useState<unknown>(null)
  const [pending, setPending] = useState<Values>({})
  const [savedAt, setSavedAt] = useState<Readonly<Record<string, string>>>({})
  const last = useRef<Promise<unknown>>(Promise.resolve())

  const load = useCallback(async () => {
    try {
      await feed.fetch(
        () => api('GET /settings'),
        (_, rows) => Object.fromEntries(rows.map(row => [row.key, row])),
      )
      setError(null)
    } catch (failure) {
      setError(failure)
    }
  }, [feed])
  useEffect(() => {
    void load()
    return combineStops(
      live.on('settings', ({ setting, version }) => {
        if ((feed.now()[setting.key]?.version ?? -1) >= version) return
        feed.take({ ...setting, version })
        // Who it was only the list says.
        void load()
      }),
      live.onReset(() => void load()),
    )
  }, [feed, load])

  const done = useCallback(
    (saved: readonly SettingSaveResult[]) => {
      for (const { warning, ...setting } of saved) {
        feed.take(setting)
        if (warning) toast.warning(getTexts('settings')('default.warning'), { key: 'default' })
      }
      const at = formatTime(new Date())
      setSavedAt(old => ({ ...old, ...Object.fromEntries(saved.map(({ key }) => [key, at])) }))
    },
    [feed],
  )

  /** Saves values that belong together; why not, or nothing. `from`: the versions they were written over. */
  const save = useCallback(
    async (values: Values, from?: Readonly<Record<string, number>>): Promise<SaveRefusal | null> => {
      setPending(old => ({ ...old, ...values }))
      const work = async () => {
        const versions = from ?? pickVersions(feed.now(), Object.keys(values))
        done(await api('PUT /settings', { body: { values: keepDefined(values), versions } }))
      }
      // The second of two quick clicks goes on from what the first one has saved.
      const turn = last.current.then(work, work)
      last.current = turn.catch(() => undefined)
      try {
        await turn
        return null
      } catch (error) {
        return toRefusal(error, Object.keys(values), setting => feed.take(setting))
      } finally {
        // What was chosen since is still on its way.
        const own = new Map<string, unknown>(Object.entries(values))
        setPending(old => Object.fromEntries(Object.entries(old).filter(([key, value]) => own.get(key) !== value)))
      }
    },
    [feed, done],
  )

  return useMemo(() => {
    const rows: Rows = {
      ...stored,
      ...Object.fromEntries(Object.entries(pending).map(([key, value]) => [key, { ...stored[key], key, value }])),
    }
    const now: Settings = parseSettings(
      keepDefined(Object.fromEntries(Object.values(rows).map(row => [row.key, row.value]))),
    )
    return {
      isThere: Object.keys(stored).length > 0,
      error,
      load,
      save,
      done,
      now,
      /** The row of a key as it is stored, with who changed it. */
      row: (key: SettingKey): Setting | undefined => rows[key],
      text: (key: SettingKey): string => rows[key]?.value ?? '',
      versionOf: (keys: readonly SettingKey[]) => pickVersions(stored, keys),
      /** When one of them was saved here. */
      savedAt: (keys: readonly SettingKey[]) => keys.map(key => savedAt[key]).findLast(Boolean),
      isBusy: (key: SettingKey) => key in pending,
    }
  }, [stored, pending, error, load, save, done, savedAt])
}

function put(rows: Rows, setting: Setting): Rows {
  const known = rows[setting.key]
  return (known?.version ?? -1) > (setting.version ?? 0) ? rows : { ...rows, [setting.key]: { ...known, ...setting } }
}

function pickVersions(rows: Rows, keys: readonly string[]) {
  return Object.fromEntries(keys.map(key => [key, rows[key]?.version ?? 0]))
}

function keepDefined(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}

/** What a refusal says of the values: who saved before, what is wrong; anything else is told as a notice. */
function toRefusal(error: unknown, keys: readonly string[], take: (setting: Setting) => void): SaveRefusal {
  const t = getTexts('settings')
  if (isApiError(error, 'ERR_CHANGED_MEANWHILE') && Array.isArray(error.details)) {
    const present = error.details.filter(
      (row): row is Setting => typeof row === 'object' && row !== null && 'key' in row,
    )
    for (const setting of present) take(setting)
    const notices = present.map(row => [
      row.key,
      t('elsewhere', {
        name: getFirstName(row) ?? t('somebody'),
        time: row.changedAt ? formatTime(row.changedAt) : '',
      }),
    ])
    toast.info(String(notices[0]?.[1]), { key: 'elsewhere' })
    return { faults: Object.fromEntries(notices), isOthersShown: true }
  }
  const wrong = keys.flatMap(key => {
    const fault = isApiError(error) ? error.field(`values/${key}`) : null
    return fault ? [[key, fault.message]] : []
  })
  if (wrong.length === 0) toast.error(describeError(error))
  return { faults: Object.fromEntries(wrong), isOthersShown: false }
}

/** As the page speaks of people. */
export function getFirstName({ changedBy }: Setting): string | null {
  return changedBy?.name.split(' ')[0] ?? null
}
