// The panel over the results (spec 1 §2): message, contact, queues, users, tag.

import { SEARCH_KINDS } from '@balcao/contract/messages/search-kinds'
import { usePeople, useTags } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Field, MultiSelect, Select, Switch, TextInput } from '@balcao/ui/parts'
import { useSession, useUser } from '@balcao/ui/session'
import { ChevronDown, ChevronUp, SlidersHorizontal } from 'lucide-react'
import { useEffect, useId } from 'react'
import { useOfferedQueues } from '../list/use-filters.ts'
import { canShowAll } from '../tickets/filters.ts'
import { PeriodField } from './PeriodField.tsx'
import { clearFilters } from './search-request.ts'
import { ask, countSearchFilters, type SearchRequest, search } from './search-store.ts'
import { STATUSES } from './suggestions.ts'

export function SearchFilters({ request, open }: { readonly request: SearchRequest; readonly open: boolean }) {
  const t = useTexts('tickets')
  const id = useId()
  const set = countSearchFilters(request)
  useQueueLeaves(request)
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
      {open && <Fields id={id} request={request} />}
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

function Fields({ id, request }: { readonly id: string; readonly request: SearchRequest }) {
  const t = useTexts('tickets')
  const user = useUser()
  const offersAll = canShowAll(useSession()) === true
  const { queues: offered } = useOfferedQueues()
  // Without an answer there is nothing to choose, and the search itself tells what is wrong.
  const people = usePeople().last ?? []
  const tags = useTags().last ?? []
  const isUser = user.profile === 'user'
  const nameAuthor = (id: number | 'contact') =>
    id === 'contact'
      ? t('search.fromContacts')
      : t('search.from', { name: people.find(person => person.id === id)?.name ?? '' })
  return (
    <div id={id} className="f-fields">
      <Field label={t('search.message')}>
        <TextInput value={request.message} onChange={message => ask({ message })} maxLength={200} />
      </Field>
      <Field label={t('search.contact')}>
        <TextInput value={request.contact} onChange={contact => ask({ contact })} maxLength={200} />
      </Field>
      <PeriodField request={request} />
      <Field label={t('search.kind')}>
        <Select
          options={SEARCH_KINDS.map(value => ({ value, label: t(`search.kinds.${value}`) }))}
          value={request.kind}
          onChange={kind => ask({ kind })}
          placeholder={t('search.any')}
          clearable
        />
      </Field>
      <Field label={t('search.author')}>
        <Select
          options={[
            { value: 'contact' as const, label: t('search.fromContacts') },
            ...people.map(({ id: value, name: label }) => ({ value, label })),
          ]}
          value={request.author?.id ?? null}
          onChange={id => ask({ author: id === null ? null : { id, name: nameAuthor(id) } })}
          placeholder={t('search.any')}
          clearable
        />
      </Field>
      <Field label={t('search.status')}>
        <Select
          options={STATUSES.map(value => ({ value, label: t(`search.statuses.${value}`) }))}
          value={request.status}
          onChange={status => ask({ status })}
          placeholder={t('search.any')}
          clearable
        />
      </Field>
      <Field label={t('search.queues')}>
        <MultiSelect
          options={offered.map(({ id: value, name: label, color }) => ({ value, label, color }))}
          value={request.queueIds}
          onChange={queueIds => ask({ queueIds })}
          placeholder={t('allQueues')}
        />
      </Field>
      <Field label={t('search.users')}>
        <MultiSelect
          options={people.map(({ id: value, name: label }) => ({ value, label }))}
          value={request.userIds}
          onChange={userIds => ask({ userIds })}
          placeholder={t(isUser ? 'search.onlyManagers' : 'search.allUsers')}
          disabled={isUser}
        />
      </Field>
      <Field label={t('search.tag')}>
        <Select
          options={tags.map(({ id: value, name: label, color }) => ({ value, label, color }))}
          value={request.tagId}
          onChange={tagId => ask({ tagId })}
          placeholder={t('search.anyTag')}
          clearable
        />
      </Field>
      {offersAll && <Switch label={t('showAll')} checked={request.showAll} onChange={showAll => ask({ showAll })} />}
    </div>
  )
}
