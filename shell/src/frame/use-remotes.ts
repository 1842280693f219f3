import { addTexts, type Language } from '@balcao/ui/i18n'
import { useCallback, useEffect, useState } from 'react'
import { fetchRemotes, type RemoteDefinition } from '../remotes/definitions.ts'
import { preloadPage } from '../remotes/load.ts'

/** The remotes offered now; null until they are known. */
export function useRemotes() {
  const [remotes, setRemotes] = useState<RemoteDefinition[] | null>(null)
  const [failed, setFailed] = useState(false)

  const load = useCallback(async () => {
    setFailed(false)
    try {
      const found = await fetchRemotes()
      addLabels(found)
      setRemotes(found)
    } catch {
      // Shown in place, with a retry.
      setFailed(true)
    }
  }, [])

  useEffect(() => {
    void load()
  }, [load])

  /** Fetches the page behind a menu entry ahead. */
  function preload(path: string) {
    const remote = remotes?.find(({ pages }) => pages.some(entry => entry.path === path))
    if (remote) void preloadPage(remote, path)
  }

  return { remotes, failed, load, preload }
}

/** The labels of the pages as texts of `menu`, under their paths. */
function addLabels(remotes: readonly RemoteDefinition[]) {
  const pages = remotes.flatMap(remote => remote.pages)
  const toTexts = (language: Language) =>
    Object.fromEntries(
      pages.flatMap(({ path, label, short = label }) => [
        [path, label[language]],
        [`short ${path}`, short[language]],
      ]),
    )
  addTexts('menu', { pt: toTexts('pt'), en: toTexts('en'), es: toTexts('es') })
}
