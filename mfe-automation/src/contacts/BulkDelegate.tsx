import { api } from '@balcao/ui/api'
import { showErrorToast, usePeople, useQuery } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Field, Select } from '@balcao/ui/parts'
import { useState } from 'react'
import { BulkForm, type BulkProps } from './BulkForm.tsx'

/** Nobody: the contacts wait in the queue like everybody else. */
const NOBODY = 0

/** To whom the chosen contacts go by themselves in a queue. */
export function BulkDelegate(props: BulkProps) {
  const t = useTexts('contact-sheets')
  const queues = useQuery('queues', signal => api('GET /queue', { signal }), showErrorToast).last ?? []
  const people = usePeople(showErrorToast).last?.filter(({ active }) => active) ?? []
  const [queueId, setQueue] = useState<number | null>(null)
  const [userId, setUser] = useState<number | null>(null)
  const count = props.several.count ?? 0
  const act =
    queueId === null || userId === null
      ? null
      : { action: 'delegate' as const, queueId, userId: userId === NOBODY ? null : userId }
  const linked = people.filter(({ queueIds }) => queueId !== null && queueIds.includes(queueId))
  return (
    <BulkForm
      {...props}
      title={t('bulk.delegate.title')}
      action={t(count > 0 ? 'bulk.delegate.actionCount' : 'bulk.delegate.action', { count })}
      act={act}
    >
      <Field label={t('column.fila')}>
        <Select
          options={queues.map(({ id, name, color }) => ({ value: id, label: name, color }))}
          value={queueId}
          onChange={id => {
            setQueue(id)
            setUser(null)
          }}
        />
      </Field>
      <Field label={t('bulk.delegate.who')} hint={t('bulk.delegate.hint')}>
        <Select
          options={[
            ...linked.map(({ id, name }) => ({ value: id, label: name })),
            { value: NOBODY, label: t('bulk.delegate.nobody') },
          ]}
          value={userId}
          disabled={queueId === null}
          onChange={setUser}
        />
      </Field>
    </BulkForm>
  )
}
