// Parts of the page whose code is not in the first load: fetched before they are needed, and drawn at once when it is there.
import { type ComponentType, useEffect, useState } from 'react'
import { useHeldLetters } from '../../actions/hold.ts'
import { withTexts } from '../../i18n/core.ts'
import { Boundary, type FailurePlace, PartFailed } from './Boundary.tsx'

const AHEAD_MS = 1000

interface LatePart {
  /** Gets the code ahead. */
  readonly fetch: () => Promise<unknown>
}

/**
 * A component whose code comes later. While one that lies over the page is on its way single letters are held: they are
 * meant for the field that will stand there.
 * Not `lazy`: what suspends stands there a third of a second after its code at the earliest, and once more when it was there already.
 * `Coming` stands in its place meanwhile; without one, what lies over the page has letters held for it, and any other place is empty.
 *
 * @example const NewTicketDialog = late(() => import('./NewTicketDialog.tsx'))
 */
export function defineLatePart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  place: FailurePlace = 'floating',
  Coming: ComponentType<Props> = place === 'floating' ? HeldLetters : Nothing,
) {
  let loaded: ComponentType<Props> | null = null
  let arriving: Promise<void> | null = null

  async function begin() {
    try {
      loaded = (await withTexts(await load())).default
    } finally {
      arriving = null
    }
  }
  async function fetch() {
    if (loaded) return
    arriving ??= begin()
    await arriving
  }

  function LatePart(props: Props) {
    const [Part, setPart] = useState(() => loaded)
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
    useEffect(() => {
      if (Part || failure) return
      fetch().then(
        () => setPart(() => loaded),
        (error: unknown) => setFailure({ error }),
      )
    }, [Part, failure])
    if (failure) return <PartFailed error={failure.error} place={place} onRetry={() => setFailure(null)} />
    if (!Part) return <Coming {...props} />
    return (
      <Boundary place={place}>
        <Part {...props} />
      </Boundary>
    )
  }
  return Object.assign(LatePart, { fetch, isHere: () => loaded !== null })
}

/** Stands where a layer will whose code, or what it shows, is on its way: what is typed meanwhile is for the field that will stand there. */
export function HeldLetters() {
  useHeldLetters('layer')
  return null
}

function Nothing() {
  return null
}

/** Fetches parts soon after the screen stands; what fails here is asked for again, and told, when it is needed. */
export function useFetchedAhead(parts: readonly LatePart[]) {
  useEffect(() => {
    const timer = setTimeout(() => void fetchAll(parts), AHEAD_MS)
    return () => clearTimeout(timer)
  }, [parts])
}

/** One after the other: what the person asks for meanwhile has its turn between them. */
async function fetchAll(parts: readonly LatePart[]) {
  for (const part of parts) await part.fetch().catch(() => undefined)
}
