import { useNavigate } from '@balcao/ui/router'
import { History } from 'lucide-react'
import type { ListRow } from '../../rows/index.ts'
import type { RowAction } from './column.ts'

/** The action whose name is the kit's own. */
export const HISTORY = 'history'

/** Everything that was done to a row, one press away; `entity` is what the activity log calls it. For `DataPage`'s `actions`. */
export function useHistory(entity: string): readonly RowAction<ListRow>[] {
  const navigate = useNavigate()
  return [{ id: HISTORY, icon: History, perform: ({ id }) => void navigate(`/log?entity=${entity}&entityId=${id}`) }]
}
