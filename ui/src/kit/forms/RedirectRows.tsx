// To whom a contact goes by itself: one person a queue (spec 3 §2, §5).
import type { User } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { showErrorToast, usePeople, useQuery } from '@balcao/ui/ask'
import { Button, Field, IconButton, Select } from '@balcao/ui/parts'
import { Plus, Trash2 } from 'lucide-react'
import { useContactTexts } from './texts.ts'

interface Row {
  readonly queueId: number | null
  readonly userId: number | null
}

interface RedirectRowsProps {
  readonly rows: readonly Row[]
  readonly problem: (path: string) => string | null
  readonly onChange: (rows: readonly Row[]) => void
}

export function RedirectRows({ rows, problem, onChange }: RedirectRowsProps) {
  const t = useContactTexts()
  const queues = useQuery('queues', signal => api('GET /queue', { signal }), showErrorToast).last ?? []
  const { last } = usePeople(showErrorToast, rows.length > 0)
  const people = last ?? []
  const put = (at: number, change: Partial<Row>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...change } : row)))
  return (
    <fieldset className="h-rows">
      <legend className="b-label">{t('form.redirect')}</legend>
      <p className="b-hint">{t('redirect.hint')}</p>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={at} className="h-row">
          <Field label={t('redirect.queue')} error={problem(`redirect/${at}`)}>
            <Select
              options={queues.map(queue => ({ value: queue.id, label: queue.name, color: queue.color }))}
              value={row.queueId}
              onChange={queueId => put(at, { queueId, userId: null })}
            />
          </Field>
          <Field
            label={t('redirect.user')}
            hint={people.some(({ id, active }) => id === row.userId && !active) && t('redirect.inactiveHint')}
          >
            <Select
              options={people
                .filter(user => user.id === row.userId || (user.active && canServeQueue(user, row.queueId)))
                .map(({ id, name, active }) => ({
                  value: id,
                  label: active ? name : t('redirect.inactive', { name }),
                }))}
              value={row.userId}
              onChange={userId => put(at, { userId })}
            />
          </Field>
          <IconButton
            icon={Trash2}
            label={t('redirect.remove', { row: at + 1 })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button icon={Plus} onClick={() => onChange([...rows, { queueId: null, userId: null }])}>
        {t('redirect.add')}
      </Button>
    </fieldset>
  )
}

/** Whether somebody has a queue; none is chosen yet: everybody is offered. */
function canServeQueue({ queueIds }: Pick<User, 'queueIds'>, queueId: number | null): boolean {
  return queueId === null || queueIds.includes(queueId)
}
