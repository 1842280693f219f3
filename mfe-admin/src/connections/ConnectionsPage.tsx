import { useActions } from '@balcao/ui/actions'
import { useTexts } from '@balcao/ui/i18n'
import { Button, CardSkeletons, classes, EmptyState, ErrorState, Page, useNow, useSkeleton } from '@balcao/ui/parts'
import { Plug, Plus, RotateCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { addConnection, refreshConnections } from '../actions/index.ts'
import { ConnectionCard } from './ConnectionCard.tsx'
import { ConnectionTable } from './ConnectionTable.tsx'
import type { Desk, Window } from './desk.ts'
import { summaryText } from './facts.ts'
import { CARDS_AT_MOST, needsSomeone } from './list.ts'
import { useConnections } from './use-connections.ts'
import { Windows } from './Windows.tsx'

/** The page of connections (spec 2 §2): every number, how it is doing, and what can be done about it. */
export function ConnectionsPage() {
  const t = useTexts('admin')
  const { list, queues, state, put, reload } = useConnections()
  const [open, setOpen] = useState<Window | null>(null)
  const now = useNow(1000, list.length > 0)
  const skeleton = useSkeleton(state === 'loading')
  const desk = useMemo<Desk>(() => ({ open: setOpen, put, reload }), [put, reload])
  useActions(useMemo(() => [addConnection(desk), refreshConnections(desk)], [desk]))

  const chosen = open && 'id' in open ? open.id : undefined
  const needing = list.filter(needsSomeone).length
  const dense = list.length > CARDS_AT_MOST
  return (
    <div className={classes('h-full', !dense && '[&_.b-page>*]:max-w-[776px]')}>
      <Page
        title={t('title')}
        actions={
          <>
            <Button icon={RotateCw} onClick={() => void reload()}>
              {t('refresh')}
            </Button>
            <Button kind="primary" icon={Plus} onClick={() => desk.open({ kind: 'add' })} data-offer="add">
              {t('add')}
            </Button>
          </>
        }
      >
        {state === 'ready' && (
          <p className="b-page-intro mb-4 sm:-mt-3" role="status">
            {summaryText(list.length, needing, t)}
          </p>
        )}
        {skeleton && <CardSkeletons cards={3} />}
        {state === 'failed' && !skeleton && (
          <ErrorState title={t('failed.title')} text={t('failed.text')} onRetry={() => void reload()} retryIn={15} />
        )}
        {state === 'ready' && list.length === 0 && (
          <EmptyState icon={Plug} tone="info" title={t('empty.title')} text={t('empty.text')} />
        )}
        {!skeleton && dense && <ConnectionTable list={list} desk={desk} now={now} chosen={chosen} />}
        {!skeleton && !dense && list.length > 0 && (
          <ul className="m-0 grid gap-3 p-0" aria-label={t('list')}>
            {list.map(connection => (
              <ConnectionCard
                key={connection.id}
                connection={connection}
                desk={desk}
                now={now}
                chosen={connection.id === chosen}
              />
            ))}
          </ul>
        )}
      </Page>
      <Windows open={open} list={list} queues={queues} desk={desk} onClose={() => setOpen(null)} />
    </div>
  )
}
