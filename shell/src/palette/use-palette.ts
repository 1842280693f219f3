// The palette is loaded after the first screen. What is typed between Ctrl K and its arrival is held for its field: those letters are
// meant neither for the field that had the focus nor for the shortcuts of what lies under it.
import { holdLetters, isComposing } from '@balcao/ui/actions'
import { withTexts } from '@balcao/ui/i18n'
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import type { PaletteProps } from './Palette.tsx'

/** After the first screen; who presses Ctrl K then has it at once. */
const PREPARE_MS = 2000

interface PaletteToShow {
  /** Null while it is not asked for, or not loaded yet. */
  readonly Palette: ComponentType<PaletteProps> | null
  /** Why it cannot be had, and another try. */
  readonly failure: { readonly error: unknown; readonly onRetry: () => void } | null
}

/** `asked`: the person wants it open; `giveUp` is called when they press Escape before it is there. */
export function usePalette(wanted: boolean, giveUp: () => void): PaletteToShow {
  const [loaded, setLoaded] = useState<ComponentType<PaletteProps> | null>(null)
  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
  const missing = loaded === null
  const coming = wanted && missing && failure === null

  const load = useEffectEvent(async () => {
    try {
      const { default: Palette } = await withTexts(await import(/* webpackChunkName: "lazy-palette" */ './Palette.tsx'))
      setLoaded(() => Palette)
    } catch (error) {
      // What could not be prepared is loaded again when it is asked for.
      if (wanted) setFailure({ error })
    }
  })
  useEffect(() => {
    if (!missing || failure !== null) return
    const timer = setTimeout(() => void load(), wanted ? 0 : PREPARE_MS)
    return () => clearTimeout(timer)
  }, [missing, wanted, failure])

  const key = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event)) return
    event.preventDefault()
    event.stopPropagation()
    giveUp()
  })
  // Ends in the same moment in which the palette takes the focus: both are effects after the commit.
  useEffect(() => {
    if (!coming) return
    const heard = (event: KeyboardEvent) => key(event)
    const release = holdLetters({ takesFocus: true })
    document.addEventListener('keydown', heard, true)
    return () => {
      document.removeEventListener('keydown', heard, true)
      release()
    }
  }, [coming])
  // Who gave it up and asks again begins anew.
  if (!wanted && failure !== null) setFailure(null)
  return {
    Palette: wanted ? loaded : null,
    failure: wanted && failure ? { error: failure.error, onRetry: () => setFailure(null) } : null,
  }
}
