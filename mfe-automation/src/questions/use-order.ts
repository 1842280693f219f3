// The order of questions while it is saved: a row stands where it was put at once, and who puts several in a row saves the last order.
import type { Question } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { describeError } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { useMemo, useRef, useState } from 'react'

interface Rows {
  readonly rows: readonly Question[]
  readonly put: (row: Question) => void
}

/** The questions in the order they were put in, and how to move one. */
export function useOrder({ rows, put }: Rows) {
  const [wanted, want] = useState<readonly number[] | null>(null)
  const last = useRef<Promise<void>>(Promise.resolve())
  const newest = useRef<readonly number[] | null>(null)
  const shown = useMemo(() => (wanted === null ? rows : sortByIds(wanted, rows)), [wanted, rows])

  function move(row: Question, to: number) {
    const ids = shown.filter(({ id }) => id !== row.id).map(({ id }) => id)
    const order = ids.toSpliced(to, 0, row.id)
    newest.current = order
    want(order)
    last.current = last.current.then(() => save(order))
  }
  async function save(order: readonly number[]) {
    // Somebody who goes on moving is saved once, where they stop.
    if (newest.current !== order) return
    try {
      for (const row of await api('PUT /pergunta/order', { body: { ids: [...order] } })) put(row)
    } catch (error) {
      toast.error(describeError(error))
    }
    if (newest.current === order) want(null)
  }

  return { shown, move }
}

/** Who came meanwhile stands behind. */
export function sortByIds<R extends { readonly id: number }>(ids: readonly number[], rows: readonly R[]): R[] {
  const places = new Map(ids.map((id, at) => [id, at]))
  return rows.toSorted((one, other) => (places.get(one.id) ?? ids.length) - (places.get(other.id) ?? ids.length))
}
