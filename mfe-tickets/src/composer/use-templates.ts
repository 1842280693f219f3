import type { MessageTemplate } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useCallback, useEffect, useRef, useState } from 'react'

const SEARCH_MS = 300

interface Found {
  readonly templates: readonly MessageTemplate[] | null
  readonly hasMore: boolean
  readonly reason: string | null
  readonly error: unknown
}

const NOTHING: Found = { templates: null, hasMore: false, reason: null, error: null }

/** The templates of a ticket's connection, page by page. */
export function useTemplates(ticketId: number, search: string) {
  const [found, setFound] = useState(NOTHING)
  const [asked, ask] = useState({ search, page: 1, tries: 0 })
  const loading = useRef(false)

  useEffect(() => {
    const timer = setTimeout(() => ask({ search, page: 1, tries: 0 }), search === '' ? 0 : SEARCH_MS)
    return () => clearTimeout(timer)
  }, [search])

  useEffect(() => {
    const left = new AbortController()
    loading.current = true
    const query = { pageNumber: asked.page, ...(asked.search && { searchParam: asked.search }) }
    api('GET /meta/templates/:ticketId', { params: { ticketId }, query, signal: left.signal })
      .then(({ templates, hasMore, reason }) =>
        setFound(old => ({
          templates: asked.page === 1 ? templates : [...(old.templates ?? []), ...templates],
          hasMore,
          reason,
          error: null,
        })),
      )
      .catch((error: unknown) => {
        if (!left.signal.aborted) setFound({ ...NOTHING, error })
      })
      .finally(() => {
        if (!left.signal.aborted) loading.current = false
      })
    return () => left.abort()
  }, [ticketId, asked])

  const more = useCallback(() => {
    if (!loading.current) ask(old => ({ ...old, page: old.page + 1 }))
  }, [])
  return {
    ...found,
    more: () => found.hasMore && more(),
    again: () => ask(old => ({ ...old, page: 1, tries: old.tries + 1 })),
  }
}
