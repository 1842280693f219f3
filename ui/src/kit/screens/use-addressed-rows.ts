// Rows whose search and filters stand in the address: they are there after a reload, on the way back, and for whom the address is given.
import { useSearchParams } from '@balcao/ui/router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ListRow } from '../../rows/index.ts'
import { type LiveRowOptions, type RowQuery, useRows } from './use-rows.ts'

/** How a query is written in an address. What an address holds may be anything. */
export interface QueryAddressOptions<Q> {
  readonly read: (params: URLSearchParams) => Q
  /** Without what is not searched or filtered. */
  readonly write: (query: Q) => Readonly<Record<string, string>>
}

/**
 * `useRows`, with what is searched and filtered in the address. Both means stand outside of the component.
 *
 * @example const rows = useAddressedRows(SCHEDULES, ADDRESS)
 */
export function useAddressedRows<R extends ListRow, Q extends RowQuery>(
  options: LiveRowOptions<R, Q>,
  { read, write }: QueryAddressOptions<Q>,
) {
  const [params, setParams] = useSearchParams()
  const rows = useRows(options, read(params))
  const { query, status } = rows
  const address = params.toString()
  const known = useRef(address)
  const show = useEffectEvent((query: Q) => {
    const wanted = new URLSearchParams(write(query)).toString()
    if (wanted === known.current) return
    known.current = wanted
    setParams(wanted, { replace: true })
  })
  const follow = useEffectEvent((now: string) => {
    if (now === known.current) return
    known.current = now
    const query = read(params)
    rows.type(query.search)
    rows.filter({ ...query, search: '' })
  })
  // Before the first answer nothing is shown yet.
  useEffect(() => {
    if (status !== 'loading') show(query)
  }, [query, status])
  // The page's own link leads here without any, and whoever goes back comes with those of before.
  useEffect(() => follow(address), [address])
  return rows
}
