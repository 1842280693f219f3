import { useEffect, useMemo, useState } from 'react'
import type { ListRow } from '../../rows/index.ts'

/** What was chosen: rows by id, or all that the query finds, also those not fetched yet. */
export interface RowChoice {
  readonly ids: ReadonlySet<number>
  readonly all: boolean
}

const NONE: RowChoice = { ids: new Set(), all: false }

/** The chosen rows of a list; what is not shown any more is chosen no more. */
export function useSelection(rows: readonly ListRow[], query: object) {
  const [chosen, setChosen] = useState(NONE)
  const [last, setLast] = useState<number | null>(null)
  useEffect(() => setChosen(query && NONE), [query])
  const there = useMemo(() => rows.filter(({ id }) => chosen.ids.has(id)), [rows, chosen])
  const ids = useMemo(() => new Set((chosen.all ? rows : there).map(({ id }) => id)), [chosen.all, rows, there])

  /** With Shift from the row chosen last to this one. */
  function toggle(id: number, isRange = false) {
    const order = rows.map(row => row.id)
    const [from, to] = [order.indexOf(last ?? id), order.indexOf(id)].sort((a, b) => a - b)
    const touched = isRange && from !== undefined && from >= 0 ? order.slice(from, (to ?? from) + 1) : [id]
    const next = new Set(ids)
    const put = !next.has(id)
    for (const one of touched) put ? next.add(one) : next.delete(one)
    setChosen({ ids: next, all: false })
    setLast(id)
  }

  return {
    ids,
    all: chosen.all,
    toggle,
    /** All rows that are there; none when they are chosen already. */
    toggleShown: () =>
      setChosen(ids.size === rows.length ? NONE : { ids: new Set(rows.map(({ id }) => id)), all: false }),
    chooseAll: () => setChosen({ ids, all: true }),
    letGo: () => setChosen(NONE),
  }
}

export type Selection = ReturnType<typeof useSelection>
