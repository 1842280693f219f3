// The form of a new conversation and the one that is in its way: loaded when the first of them is wanted.
import { lazy, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { wayIn } from './state.ts'

const NewTicketDialog = lazy(() => import('./NewTicketDialog.tsx'))
const OtherTicketDialog = lazy(() => import('./OtherTicketDialog.tsx'))

export function WayIn() {
  const { wish, other } = useSnapshot(wayIn)
  return (
    <Suspense fallback={null}>
      {wish && <NewTicketDialog wish={wish} />}
      {other && <OtherTicketDialog other={other} />}
    </Suspense>
  )
}
