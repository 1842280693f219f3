// The panel over the results (spec 1 §2): message, contact, queues, users, tag.
import { usePeople, useTags } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Field, MultiSelect, Select, Switch, TextInput } from '@balcao/ui/parts'
import { useSession, useUser } from '@balcao/ui/session'
import { ChevronDown, ChevronUp, SlidersHorizontal } from 'lucide-react'
import { useEffect, useId } from 'react'
import { useOfferedQueues } from '../list/use-filters.ts'
import { canShowAll } from '../tickets/filters.ts'
import { ask, clearFilters, countSearchFilters, type SearchRequest, search } from './search-store.ts'

export function SearchFilters({ asked, open }: { readonly asked: SearchRequest; readonly open: boolean }) {
  const t = useTexts('tickets')
  const id = useId()
  const set = countSearchFilters(asked)
  useQueueLeaves(asked)
  return (
    <div className="f-filters">
      <div className="f-bar">
        <button
          type="button"
          className="f-toggle"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => {
            search.panel = !open
          }}
        >
          <SlidersHorizontal size={14} strokeWidth={2} aria-hidden="true" />
          {t('search.filters')}
          {set > 0 && <span className="t-total">{set}</span>}
          {open ? (
            <ChevronUp size={14} strokeWidth={2} aria-hidden="true" />
          ) : (
            <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />
          )}
        </button>
        {set > 0 && (
          <Button kind="plain" size="small" onClick={clearFilters}>
            {t('search.clear')}
          </Button>
        )}
      </div>
      {open && <Fields id={id} asked={asked} />}
    </div>
  )
}

/** A queue that is taken away takes its choice along: nobody searches in less than the panel shows. */
function useQueueLeaves({ queueIds }: SearchRequest) {
  const { queues, ready } = useOfferedQueues()
  useEffect(() => {
    if (!ready) return
    const left = queueIds.filter(id => queues.some(queue => queue.id === id))
    if (left.length !== queueIds.length) ask({ queueIds: left })
  }, [queueIds, queues, ready])
}

function Fields({ id, asked }: { readonly id: string; readonly asked: SearchRequest }) {
  const t = useTexts('tickets')
  const user = useUser()
  const offersAll = canShowAll(useSession()) === true
  const { queues: offered } = useOfferedQueues()
  // Without an answer there is nothing to choose, and the search itself tells what is wrong.
  const people = usePeople().last ?? []
  const tags = useTags().last ?? []
  const isUser = user.profile === 'user'
  return (
    <div id={id} className="f-fields">
      <Field label={t('search.message')}>
        <TextInput value={asked.message} onChange={message => ask({ message })} maxLength={200} />
      </Field>
      <Field label={t('search.contact')}>
        <TextInput value={asked.contact} onChange={contact => ask({ contact })} maxLength={200} />
      </Field>
      <Field label={t('search.queues')}>
        <MultiSelect
          options={offered.map(({ id: value, name: label, color }) => ({ value, label, color }))}
          value={asked.queueIds}
          onChange={queueIds => ask({ queueIds })}
          placeholder={t('allQueues')}
        />
      </Field>
      <Field label={t('search.users')}>
        <MultiSelect
          options={people.map(({ id: value, name: label }) => ({ value, label }))}
          value={asked.userIds}
          onChange={userIds => ask({ userIds })}
          placeholder={t(isUser ? 'search.onlyManagers' : 'search.allUsers')}
          disabled={isUser}
        />
      </Field>
      <Field label={t('search.tag')}>
        <Select
          options={tags.map(({ id: value, name: label, color }) => ({ value, label, color }))}
          value={asked.tagId}
          onChange={tagId => ask({ tagId })}
          placeholder={t('search.anyTag')}
          clearable
        />
      </Field>
      {offersAll && <Switch label={t('showAll')} checked={asked.showAll} onChange={showAll => ask({ showAll })} />}
    </div>
  )
}
