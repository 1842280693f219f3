import type { Contact } from '@balcao/contract'
import { Button, Field, IconButton, TextInput } from '@balcao/ui/parts'
import { Plus, Trash2 } from 'lucide-react'
import { useContactTexts } from './texts.ts'

interface ExtraRowsProps {
  readonly rows: Contact['extraInfo']
  readonly problem: (path: string) => string | null
  readonly onChange: (rows: Contact['extraInfo']) => void
}

/** More about the person, in the team's own words: birthday, address, customer since. */
export function ExtraRows({ rows, problem, onChange }: ExtraRowsProps) {
  const t = useContactTexts()
  const put = (at: number, change: Partial<Contact['extraInfo'][number]>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...change } : row)))
  return (
    <fieldset className="h-rows">
      <legend className="b-label">{t('form.extraInfo')}</legend>
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={at} className="h-row">
          <Field label={t('extra.name')} error={problem(`extraInfo/${at}/name`)}>
            <TextInput
              value={row.name}
              maxLength={100}
              placeholder={t('extra.example')}
              onChange={name => put(at, { name })}
            />
          </Field>
          <Field label={t('extra.value')}>
            <TextInput value={row.value} maxLength={1000} onChange={value => put(at, { value })} />
          </Field>
          <IconButton
            icon={Trash2}
            label={t('extra.remove', { name: row.name || at + 1 })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button icon={Plus} onClick={() => onChange([...rows, { name: '', value: '' }])}>
        {t('extra.add')}
      </Button>
    </fieldset>
  )
}
