// What is written and not saved yet, over what is stored; it stays when somebody else saves meanwhile, who is named when it is saved.
import { type SettingKey, validateSettings } from '@balcao/contract/settings/settings'
import { describeFault } from '@balcao/ui/catalogue'
import { useState } from 'react'
import { keepDrafts, useStoredDraft } from './drafts.ts'
import type { RowProps } from './row.ts'
import type { Faults } from './use-settings.ts'

interface SettingDraft {
  readonly values: Readonly<Record<string, string>>
  /** The versions it was written over. */
  readonly from?: Readonly<Record<string, number>> | undefined
}

const NONE: SettingDraft = { values: {} }
/** What was written and neither saved nor given up, by its item. */
export const drafts = keepDrafts<SettingDraft>()

/** The fields of a row that are saved together. */
export function useDraft({ item, desk }: RowProps) {
  const [{ values: draft, from }, keep] = useStoredDraft(drafts, item.id, NONE)
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const value = (key: SettingKey) => draft[key] ?? desk.text(key)
  const isChanged = item.keys.some(key => value(key) !== desk.text(key))

  function change(key: SettingKey, text: string) {
    const { [key]: _, ...others } = draft
    const values = text === desk.text(key) ? others : { ...others, [key]: text }
    // Who began to write goes on from what was there then.
    keep(Object.keys(values).length === 0 ? NONE : { values, from: isChanged ? from : desk.versionOf(item.keys) })
    setFaults({})
  }

  function giveUp() {
    keep(NONE)
    setFaults({})
  }

  /** All fields of the row or none (spec 2 §5). */
  async function save(clean: (text: string) => string = text => text) {
    const values = Object.fromEntries(item.keys.map(key => [key, clean(value(key))]))
    const wrong = Object.entries(validateSettings(values)).map(([key, { code, params }]) => [
      key,
      describeFault(`setting.${code}`, params),
    ])
    if (wrong.length > 0) return setFaults(Object.fromEntries(wrong))
    setBusy(true)
    const refused = await desk.save(values, from)
    setBusy(false)
    setFaults(refused?.faults ?? {})
    // Who types on while it is saved goes on from there. Saved once more it goes over what was shown, and over nothing that was not.
    const { values: now, from: begun } = drafts[item.id] ?? NONE
    const left = refused ? now : Object.fromEntries(Object.entries(now).filter(([key, text]) => text !== draft[key]))
    const next = refused?.isOthersShown === false ? begun : undefined
    keep(Object.keys(left).length === 0 ? NONE : { values: left, from: next })
  }

  return {
    value,
    isChanged,
    faults,
    busy,
    change,
    giveUp,
    save: (clean?: (text: string) => string) => void save(clean),
  }
}
