// The bar for several conversations comes with the first mark.
import { defineLatePart } from '@balcao/ui/parts'
import { useSnapshot } from 'valtio'
import { marked } from './marked.ts'

const BulkBar = defineLatePart(() => import('./BulkBar.tsx'), 'inline')

export function Bulk() {
  const { ids, outcome } = useSnapshot(marked)
  return ids.length === 0 && !outcome ? null : <BulkBar />
}
