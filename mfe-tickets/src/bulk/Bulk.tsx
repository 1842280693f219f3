// The bar for several conversations comes with the first mark.
import { defineLazyPart } from '@balcao/ui/parts'
import { Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { marked } from './marked.ts'

const BulkBar = defineLazyPart(() => import('./BulkBar.tsx'))

export function Bulk() {
  const { ids, outcome } = useSnapshot(marked)
  if (ids.length === 0 && !outcome) return null
  return (
    <Suspense fallback={null}>
      <BulkBar />
    </Suspense>
  )
}
