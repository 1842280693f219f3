import type { MoveIn } from '@balcao/contract'
import { MOVE_IN_WORKING } from '@balcao/contract/move-in/move-in'
import shared from '@balcao/contract/texts/move-in/pt.json'
import { api } from '@balcao/ui/api'
import { useQuery } from '@balcao/ui/ask'
import { addTexts, describeError, useTexts } from '@balcao/ui/i18n'
import { ErrorState, Page, RowSkeletons } from '@balcao/ui/parts'
import { type ReactNode, useEffect } from 'react'
import pt from '../../locales/move-in/pt.json'
import { Begin } from './Begin.tsx'
import { Earlier } from './Earlier.tsx'
import { isAsked, Move } from './Move.tsx'
import { useSending } from './use-sending.ts'

addTexts('move-in', {
  pt,
  en: () => import('../../locales/move-in/en.json'),
  es: () => import('../../locales/move-in/es.json'),
})
addTexts('move-in-shared', {
  pt: shared,
  en: () => import('@balcao/contract/texts/move-in/en.json'),
  es: () => import('@balcao/contract/texts/move-in/es.json'),
})

const LOOK_MS = 1500
const OVER: readonly MoveIn['state'][] = ['done', 'undone', 'failed']

/** Moving in from another desk by its dump: sent, looked at, brought, taken back (docs/decisions/0325). */
export function MoveInPage({ above }: { readonly above: ReactNode }) {
  const t = useTexts('move-in')
  const { last, error, again } = useQuery('move-in', signal => api('GET /move-in', { signal }))
  const { sending, send, stop } = useSending(again)
  const [newest, ...others] = last?.moves ?? []
  const isBeingSent = newest?.state === 'uploading'
  const isWorking = newest !== undefined && MOVE_IN_WORKING.includes(newest.state)
  useFollowed(isWorking || (isBeingSent && sending === null), again)
  const isOpen = newest !== undefined && !OVER.includes(newest.state)
  const shown = newest && newest.state !== 'undone' ? newest : null
  const earlier = newest && !shown ? [newest, ...others] : others
  return (
    <Page title={t('title')} intro={t('intro')}>
      {above}
      {!last ? (
        error === null ? (
          <RowSkeletons rows={4} />
        ) : (
          <ErrorState title={t('failed')} text={describeError(error)} onRetry={again} />
        )
      ) : (
        <div className="grid max-w-[744px] grid-cols-[minmax(0,1fr)] gap-4">
          {shown && <Move key={shown.id} move={shown} sending={sending} send={send} stop={stop} again={again} />}
          {!isOpen && !(newest && isAsked(newest)) && <Begin most={last.most} send={send} again={again} />}
          {earlier.length > 0 && <Earlier moves={earlier} again={again} />}
        </div>
      )}
    </Page>
  )
}

/** Asks again while the server works: no event tells of it. */
function useFollowed(isWorking: boolean, again: () => void) {
  useEffect(() => {
    if (!isWorking) return
    const timer = setInterval(again, LOOK_MS)
    return () => clearInterval(timer)
  }, [isWorking, again])
}
