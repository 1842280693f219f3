// What a dialog has to look up before it can stand.
import { type QueryResult, showErrorToast, useQuery } from '@balcao/ui/ask'

/**
 * Asks as `useQuery` does. Where there is no answer the dialog says why and closes; once it stands, what does not come again leaves it there.
 *
 * @example const { last } = useDialogData(`tag ${id}`, signal => api('GET /tag/:id', { params: { id }, signal }), onClose)
 */
export function useDialogData<T>(
  key: string | number | null,
  ask: (signal: AbortSignal) => Promise<T>,
  onClose: () => void,
): QueryResult<T> {
  const query: QueryResult<T> = useQuery(key, ask, {
    onError(error) {
      showErrorToast.onError(error)
      if (query.last === null) onClose()
    },
  })
  return query
}
