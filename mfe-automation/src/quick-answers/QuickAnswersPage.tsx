import { LIMITS } from '@balcao/contract/limits'
import { useActions } from '@balcao/ui/actions'
import { useTexts } from '@balcao/ui/i18n'
import { Button, EmptyState, ErrorState, Page, RowSkeletons, SearchInput, useSkeleton } from '@balcao/ui/parts'
import { Plus, Search, Zap } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { addAnswer, searchAnswers } from '../actions/index.ts'
import { Answers } from './Answers.tsx'
import type { Desk, Window } from './desk.ts'
import { FormDialog } from './FormDialog.tsx'
import { More } from './More.tsx'
import { RemoveDialog } from './RemoveDialog.tsx'
import { useDebounced } from './use-debounced.ts'
import { useQuickAnswers } from './use-quick-answers.ts'

/** The page of quick answers (spec 3 §2): search, add, edit, delete; live. */
export function QuickAnswersPage() {
  const t = useTexts('automation')
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), LIMITS.searchDebounceMs)
  const { rows, state, moreState, reload, more, put, drop } = useQuickAnswers(search)
  const [open, setOpen] = useState<Window | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const skeleton = useSkeleton(state === 'loading')
  const desk = useMemo<Desk>(() => ({ open: setOpen, focusSearch: () => field.current?.focus() }), [])
  useActions(useMemo(() => [addAnswer(desk), searchAnswers(desk)], [desk]))

  const ready = state === 'ready' && !skeleton
  const none = ready && rows.rows.length === 0
  return (
    <>
      <Page
        title={t('title')}
        intro={t('intro')}
        actions={
          <Button kind="primary" icon={Plus} onClick={() => desk.open({ kind: 'add' })}>
            {t('add')}
          </Button>
        }
      >
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <SearchInput
            ref={field}
            label={t('search')}
            shortcut="/"
            value={typed}
            onChange={setTyped}
            maxLength={200}
            className="w-full bg-surface sm:w-80"
          />
          <p className="m-0 text-small text-muted" role="status">
            {ready && !none && t('count', { count: rows.count })}
          </p>
        </div>
        {skeleton && (
          <div className="overflow-hidden rounded-card border border-line bg-surface">
            <RowSkeletons rows={5} />
          </div>
        )}
        {state === 'failed' && !skeleton && (
          <ErrorState title={t('failed.title')} text={t('failed.text')} onRetry={() => void reload()} retryIn={15} />
        )}
        {none && rows.search === '' && (
          <EmptyState icon={Zap} tone="info" title={t('empty.title')} text={t('empty.text')} />
        )}
        {none && rows.search !== '' && (
          <EmptyState icon={Search} title={t('nothing.title', { search: rows.search })} text={t('nothing.text')}>
            <Button onClick={() => setTyped('')}>{t('nothing.clear')}</Button>
          </EmptyState>
        )}
        {ready && !none && <Answers rows={rows.rows} desk={desk} />}
        {ready && rows.nextCursor !== null && <More state={moreState} onMore={() => void more()} />}
      </Page>
      {open?.kind === 'add' && <FormDialog answer={null} onSaved={put} onClose={() => setOpen(null)} />}
      {open?.kind === 'edit' && <FormDialog answer={open.answer} onSaved={put} onClose={() => setOpen(null)} />}
      {open?.kind === 'remove' && <RemoveDialog answer={open.answer} onRemoved={drop} onClose={() => setOpen(null)} />}
    </>
  )
}
