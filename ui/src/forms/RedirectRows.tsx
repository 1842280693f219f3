// To whom a contact goes by itself: one person a queue (spec 3 §2, §5).
import { api } from '@balcao/ui/api'
import { toldAsToast, useAsked, usePeople } from '@balcao/ui/ask'
import { Button, Field, IconButton, Select } from '@balcao/ui/parts'
import { Plus, Trash2 } from 'lucide-react'
import { useFormTexts } from './texts.ts'

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
  const t = useFormTexts()
  const queues = useAsked('queues', signal => api('GET /queue', { signal }), toldAsToast).last ?? []
  const { last } = usePeople(toldAsToast, rows.length > 0)
  const people = last?.filter(user => user.active) ?? []
  const put = (at: number, change: Partial<Row>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...change } : row)))
  return (
    <fieldset className="h-rows">
      <legend className="b-label">{t('contact.redirect')}</legend>
      <p className="b-hint">{t('contact.redirectHint')}</p>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={at} className="h-row">
          <Field label={t('contact.redirectQueue')} error={problem(`redirect/${at}`)}>
            <Select
              options={queues.map(queue => ({ value: queue.id, label: queue.name, color: queue.color }))}
              value={row.queueId}
              onChange={queueId => put(at, { queueId, userId: null })}
            />
          </Field>
          <Field label={t('contact.redirectUser')}>
            <Select
              options={people
                .filter(user => row.queueId === null || user.queueIds.includes(row.queueId) || user.id === row.userId)
                .map(user => ({ value: user.id, label: user.name }))}
              value={row.userId}
              onChange={userId => put(at, { userId })}
            />
          </Field>
          <IconButton
            icon={Trash2}
            label={t('contact.redirectRemove', { row: at + 1 })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button icon={Plus} onClick={() => onChange([...rows, { queueId: null, userId: null }])}>
        {t('contact.redirectAdd')}
      </Button>
    </fieldset>
  )
}
